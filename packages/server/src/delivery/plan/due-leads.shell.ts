import type { Tenant } from '../../platform/tenant.ts'
import { nextPosition } from '../../ground/paths/path.ts'
import { findSuppressed } from '../../suppressions/index.ts'
import { listCandidates, listStepMessages, type CandidateRow } from './leads.sql.ts'
import type { DeliveryTools } from '../delivery.shell.ts'
import { findCutGroups, groupKey, type OfGroup } from '../planner/cut-groups.ts'
import { shortGroups, type PageLimits } from '../planner/page-limits.ts'
import type { PlanStepRow } from './planning.sql.ts'
import { joinLeads, type ReadLeads } from './first-texts.shell.ts'
import { listVariants } from './variants.queries.ts'
import { listWrittenTexts, missingText, variantFor } from './written-texts.shell.ts'
import { knowDeciding } from './branch-facts.shell.ts'
import { toPlanLeads } from './plan-leads.shell.ts'

export type PlanningTools = Pick<DeliveryTools, 'app' | 'renderer' | 'meetingUrl'> &
  Partial<Pick<DeliveryTools, 'faults'>>

export function stepKey(leadId: string, stepId: string): string {
  return `${leadId} ${stepId}`
}

interface DueInput {
  groups: { campaignIds: string[]; senderIds: string[]; poolCampaignIds: string[]; now: Date }
  limits: PageLimits
  pageMax: number
  steps: readonly PlanStepRow[]
  deciding: readonly CandidateRow[]
}

/** Reads the leads of each group that can be sent to now and a few more. If those are too few, reads the whole page of the group. */
export async function readDue(
  tools: PlanningTools,
  tenant: Tenant,
  { groups, limits, pageMax, steps, deciding }: DueInput,
) {
  const db = tools.app.db
  const pools = groups.poolCampaignIds.map((campaignId) => ({ campaignId, sendingAccountId: null }))
  const pairs = groups.campaignIds.map((campaignId, at) => ({
    campaignId,
    sendingAccountId: groups.senderIds[at] ?? null,
  }))
  const candidates = await listCandidates(db, tenant, {
    ...groups,
    limits: pairs.map(limits.limitOf),
    poolLimits: pools.map(limits.limitOf),
  })
  const cutGroups = findCutGroups(candidates, limits.limitOf)
  const read = await readPlanLeads(tools, tenant, { candidates: [...candidates, ...deciding], steps })
  const cutShort = new Map([...cutGroups].filter(([, group]) => limits.limitOf(group) < pageMax))
  const short = shortGroups(limits, { cutGroups: cutShort, leads: read.leads, writing: writingOf(read, steps) })
  if (short.length === 0) return { read, cutGroups }
  const known = new Set(candidates.map(({ id }) => id))
  const more = await listCandidates(db, tenant, { now: groups.now, ...wholePages(short, pageMax) })
  const behind = more.filter(({ id }) => !known.has(id))
  const whole = new Set(short.map(groupKey))
  return {
    read: joinLeads(read, await readPlanLeads(tools, tenant, { candidates: behind, steps })),
    cutGroups: findCutGroups([...candidates, ...behind], (group) =>
      whole.has(groupKey(group)) ? pageMax : limits.limitOf(group),
    ),
  }
}

function wholePages(groups: readonly OfGroup[], pageMax: number) {
  const pairs = groups.flatMap(({ campaignId, sendingAccountId }) =>
    sendingAccountId === null ? [] : [{ campaignId, senderId: sendingAccountId }],
  )
  const pools = groups.filter(({ sendingAccountId }) => sendingAccountId === null)
  return {
    campaignIds: pairs.map(({ campaignId }) => campaignId),
    senderIds: pairs.map(({ senderId }) => senderId),
    poolCampaignIds: pools.map(({ campaignId }) => campaignId),
    limits: pairs.map(() => pageMax),
    poolLimits: pools.map(() => pageMax),
  }
}

/** Campaigns with a next text that a model writes. */
function writingOf({ variants }: ReadLeads, steps: readonly PlanStepRow[]): Set<string> {
  const campaignOf = new Map(steps.map((step) => [step.id, step.campaignId]))
  return new Set(variants.flatMap(({ ai, stepId }) => (ai === null ? [] : (campaignOf.get(stepId) ?? []))))
}

/** Reads the facts about leads that a plan needs. */
export async function readPlanLeads(
  tools: PlanningTools,
  tenant: Tenant,
  { candidates, steps }: { candidates: readonly CandidateRow[]; steps: readonly PlanStepRow[] },
) {
  const db = tools.app.db
  const stepOf = new Map(steps.map((step) => [`${step.campaignId} ${step.position}`, step]))
  const next = candidates.flatMap((row) => {
    const step = stepOf.get(`${row.campaignId} ${nextPosition(row)}`)
    return step === undefined ? [] : [{ row, step }]
  })
  const wanted = {
    campaignIds: [...new Set(next.map(({ row }) => row.campaignId))],
    stepIds: [...new Set(next.map(({ step }) => step.id))],
  }
  const leadIds = next.map(({ row }) => row.id)
  const [suppressed, variants, existingRows] = await Promise.all([
    findSuppressed(db, tenant, { secrets: tools.app.secrets, emails: next.map(({ row }) => row.email) }),
    listVariants(db, tenant, wanted),
    listStepMessages(db, tenant, {
      campaignIds: next.map(({ row }) => row.campaignId),
      leadIds,
      stepIds: next.map(({ step }) => step.id),
    }),
  ])
  const texts = await listWrittenTexts(db, tenant, { variants, leadIds })
  const known = await knowDeciding(db, tenant, next)
  const existing = new Map(existingRows.map((row) => [stepKey(row.leadId, row.stepId), row]))
  const facts = next.map(({ row, step }) => ({
    row,
    step,
    variant: variantFor(variants, texts, { leadId: row.id, stepId: step.id }),
    existing: existing.get(stepKey(row.id, step.id)),
    suppressed: suppressed.has(row.email),
    meetingUrl: tools.meetingUrl?.(tenant, { campaignId: row.campaignId, leadId: row.id }) ?? null,
    ...known.get(row.id),
  }))
  const leads = await toPlanLeads(tools.renderer, tenant, facts)
  const keys = next.map(({ row, step }) => ({ campaignId: row.campaignId, leadId: row.id, stepId: step.id }))
  const missingTexts = keys.flatMap((key) => missingText(variants, texts, key) ?? [])
  const planned = new Set(leadIds)
  return {
    leads,
    existing,
    rows: new Map(candidates.map((row) => [row.id, row])),
    finished: candidates.filter((row) => !planned.has(row.id)),
    missingTexts,
    variants,
  }
}
