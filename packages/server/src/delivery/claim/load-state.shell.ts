import { nextOpening } from '../../campaigns/index.ts'
import type { Executor } from '../../platform/db/database.ts'
import type { Tenant } from '../../platform/tenant.ts'
import { findSuppressed } from '../../suppressions/index.ts'
import {
  findNextAttempt,
  listCandidates,
  listDecidingCandidates,
  listCandidatesById,
  listStepMessages,
  listWaitingSenders,
  type CandidateRow,
} from '../candidates.sql.ts'
import { nextPosition } from '../../ground/paths/path.ts'
import type { DeliveryTools } from '../delivery.shell.ts'
import { boundFirstTexts, joinLeads, type ReadLeads } from '../texts/first-texts.shell.ts'
import { knowDeciding } from './branch-facts.shell.ts'
import { toPlanLeads } from './plan-leads.shell.ts'
import { findCutGroups } from '../planner/cut-groups.ts'
import { budgetOf } from '../planner/pacing.ts'
import { openCampaign } from '../planner/plan-state.ts'
import type { LeadHold, PlanCampaign, PlanSender } from '../planner/plan.types.ts'
import {
  listCampaignDays,
  listDomainDays,
  listPlanSteps,
  listRunningCampaigns,
  listSenderDays,
  listSenderRows,
  type PlanStepRow,
  type RunningCampaignRow,
  type SenderRow,
} from '../planning.sql.ts'
import { listVariants } from '../texts/variants.queries.ts'
import { listWrittenTexts, missingText, variantFor } from '../texts/written-texts.shell.ts'

export const sendsMax = 200
const candidatesMax = 600
/** Of one plan: they wait for no sender. */
const decisionsMax = 500
const candidatesPerGroupMin = 20

export interface LoadedPlan extends ReadLeads {
  campaigns: PlanCampaign[]
  senders: PlanSender[]
  /** Campaigns with due leads that are not in `leads`: their text is written nearer to its time. */
  waitingForTexts: ReadonlySet<string>
  /** Such leads that others stand behind. */
  asides: LeadHold[]
  /** Groups that may have more due leads than were read. */
  cutGroups: ReturnType<typeof findCutGroups>
  /** The first moment after now at which a lead that waits can be due, or a scheduled campaign begins. */
  nextAttemptAt: Date | null
}

export type PlanningTools = Pick<DeliveryTools, 'app' | 'renderer' | 'meetingUrl'> &
  Partial<Pick<DeliveryTools, 'faults'>>

/** Everything that `plan` needs, read by index: the cost follows what is due. */
export async function loadPlan(tools: PlanningTools, tenant: Tenant, now: Date): Promise<LoadedPlan> {
  const db = tools.app.db
  const running = await listRunningCampaigns(db, tenant)
  const { active, nextStartAt } = splitRunning(running, now)
  const ids = active.map((campaign) => campaign.id)
  const [steps, waiting] = await Promise.all([listPlanSteps(db, tenant, ids), listWaitingSenders(db, tenant, ids)])
  const senderIds = new Set([
    ...active.flatMap((campaign) => campaign.sendingAccountIds),
    ...waiting.map((group) => group.senderId),
  ])
  const groups = {
    campaignIds: waiting.map((group) => group.campaignId),
    senderIds: waiting.map((group) => group.senderId),
    poolCampaignIds: ids,
    now,
  }
  const limitPerGroup = candidatesPerGroup(waiting.length + ids.length)
  const [senders, candidates, nextAttemptAt] = await Promise.all([
    loadSenders(db, tenant, [...senderIds], now),
    listCandidates(db, tenant, { ...groups, limitPerGroup }),
    findNextAttempt(db, tenant, groups),
  ])
  const campaigns = await withUsage(
    db,
    tenant,
    active.map((row) => toPlanCampaign(row, steps)),
    now,
  )
  const cutGroups = findCutGroups(candidates, limitPerGroup)
  const deciding = await listDeciding(db, tenant, { steps, now })
  const read = await readPlanLeads(tools, tenant, { candidates: [...candidates, ...deciding], steps })
  const bound = await boundFirstTexts(db, tenant, { ...read, now, campaigns, senders, cutGroups })
  const behind = bound.unread.length === 0 ? [] : await listCandidatesById(db, tenant, { ids: bound.unread, now })
  const more = behind.length === 0 ? undefined : await readPlanLeads(tools, tenant, { candidates: behind, steps })
  return {
    campaigns,
    senders,
    ...joinLeads({ ...read, ...bound }, more),
    waitingForTexts: bound.waiting,
    asides: bound.asides,
    cutGroups,
    nextAttemptAt: earliest([nextAttemptAt, nextStartAt]),
  }
}

/** Only where a sequence branches is there anything to ask. */
async function listDeciding(
  db: Executor,
  tenant: Tenant,
  { steps, now }: { steps: readonly PlanStepRow[]; now: Date },
): Promise<CandidateRow[]> {
  const campaignIds = [...new Set(steps.flatMap((step) => (step.type === 'branch' ? [step.campaignId] : [])))]
  if (campaignIds.length === 0) return []
  return listDecidingCandidates(db, tenant, { campaignIds, now, limit: decisionsMax })
}

/** How many due leads one plan reads of each group at most. */
export function candidatesPerGroup(groups: number): number {
  return Math.min(sendsMax, Math.max(candidatesPerGroupMin, Math.floor(candidatesMax / Math.max(1, groups))))
}

export function earliest(times: readonly (Date | null)[]): Date | null {
  return times.reduce((first, time) => (time !== null && (first === null || time < first) ? time : first), null)
}

export function stepKey(leadId: string, stepId: string): string {
  return `${leadId} ${stepId}`
}

/** Campaigns that run, and when one that waits for its first day can begin: its job makes it active, and tells the log. */
export function splitRunning(running: readonly RunningCampaignRow[], now: Date) {
  const active = running.filter((row) => row.status === 'active')
  const ahead = running.filter((row) => row.status !== 'active')
  return { active, nextStartAt: earliest(ahead.map((row) => nextOpening(row.schedule, row.schedule.timezone, now))) }
}

export function toPlanCampaign(
  row: Omit<RunningCampaignRow, 'status'> & { status: PlanCampaign['status'] },
  steps: readonly PlanStepRow[],
): PlanCampaign {
  const { dailyLimit, dailyNewLeadLimit, maxPerRecipientDomainPerDay } = row.settings
  return {
    id: row.id,
    status: row.status,
    schedule: row.schedule,
    caps: { dailyLimit, dailyNewLeadLimit, maxPerRecipientDomainPerDay },
    steps: steps
      .filter((step) => step.campaignId === row.id)
      .map((step) => ({
        id: step.id,
        position: step.position,
        waitBefore: { value: step.waitValue, unit: step.waitUnit },
        type: step.type,
        then: step.then,
        branches: step.branches,
      })),
    usage: { claimed: 0, claimedFirst: 0, byDomain: {} },
    sendingAccountIds: row.sendingAccountIds,
  }
}

/** Fills in what was claimed today, by the day of each campaign's own zone. */
export async function withUsage(
  db: Executor,
  tenant: Tenant,
  campaigns: readonly PlanCampaign[],
  now: Date,
): Promise<PlanCampaign[]> {
  const ids = campaigns.map((campaign) => campaign.id)
  const days = campaigns.map((campaign) => openCampaign(campaign, now.getTime()).day)
  const capped = campaigns.filter((campaign) => campaign.caps.maxPerRecipientDomainPerDay !== null)
  const [used, domains] = await Promise.all([
    ids.length === 0 ? [] : listCampaignDays(db, tenant, { ids, days }),
    capped.length === 0
      ? []
      : listDomainDays(db, tenant, {
          ids: capped.map((campaign) => campaign.id),
          days: capped.map((campaign) => openCampaign(campaign, now.getTime()).day),
        }),
  ])
  return campaigns.map((campaign) => {
    const own = used.find((row) => row.id === campaign.id)
    const byDomain = Object.fromEntries(
      domains.filter((row) => row.id === campaign.id).map((row) => [row.domain, row.claimed]),
    )
    return { ...campaign, usage: { claimed: own?.claimed ?? 0, claimedFirst: own?.claimedFirst ?? 0, byDomain } }
  })
}

export async function loadSenders(
  db: Executor,
  tenant: Tenant,
  ids: readonly string[],
  now: Date,
): Promise<(PlanSender & SenderRow)[]> {
  const rows = await listSenderRows(db, tenant, ids)
  const budgets = rows.map((row) => budgetOf({ ...row, claimedToday: 0 }, now.getTime()))
  const used = await listSenderDays(db, tenant, {
    ids: rows.map((row) => row.id),
    days: budgets.map((budget) => budget.day),
  })
  return rows.map((row) => ({ ...row, claimedToday: used.find((day) => day.id === row.id)?.claimed ?? 0 }))
}

async function readPlanLeads(
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
