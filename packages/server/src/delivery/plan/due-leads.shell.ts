import { sendsNothing } from '@overture/ground/paths/path.ts'
import type { Executor } from '../../platform/db/database.ts'
import type { Tenant } from '../../platform/tenant.ts'
import { findCutGroups, groupKey, type OfGroup } from '@overture/planner/cut-groups.ts'
import { shortGroups, type PageLimits } from '@overture/planner/page-limits.ts'
import type { PlanStepRow } from './campaigns.sql.ts'
import { joinLeads, type ReadLeads } from './lead-facts.shell.ts'
import {
  findNextAttempt,
  listCandidates,
  listDecidingCandidates,
  type QueuedRow,
  type LeadGroups,
} from './leads.sql.ts'

/** The largest number of decisions of one plan; decisions wait for no sender. */
const decisionsMax = 500

interface DueInput {
  groups: LeadGroups & { now: Date }
  limits: PageLimits
  pageMax: number
  steps: readonly PlanStepRow[]
  readFacts: (candidates: readonly QueuedRow[]) => Promise<ReadLeads>
}

/** Reads the leads of each group that can be sent to now and a few more. If those are too few, reads the whole page of the group. */
export async function readDue(db: Executor, tenant: Tenant, input: DueInput) {
  const { groups, limits, pageMax, steps, readFacts } = input
  const { pairs, pools } = toGroupLists(groups)
  const pages = { ...groups, limits: pairs.map(limits.getLimit), poolLimits: pools.map(limits.getLimit) }
  // Only sequences with a branch or a task have leads that wait for no sender.
  const branching = [...new Set(steps.flatMap((step) => (sendsNothing(step) ? [step.campaignId] : [])))]
  const [candidates, deciding, nextAttemptAt] = await Promise.all([
    listCandidates(db, tenant, pages),
    listDecidingCandidates(db, tenant, { campaignIds: branching, now: groups.now, limit: decisionsMax }),
    findNextAttempt(db, tenant, groups),
  ])
  const cutGroups = findCutGroups(candidates, limits.getLimit)
  const read = await readFacts([...candidates, ...deciding])
  const cutShort = new Map([...cutGroups].filter(([, group]) => limits.getLimit(group) < pageMax))
  const short = shortGroups(limits, {
    cutGroups: cutShort,
    leads: read.leads,
    writing: campaignsWithWriting(read, steps),
  })
  if (short.length === 0) return { read, cutGroups, nextAttemptAt }
  const known = new Set(candidates.map(({ id }) => id))
  const more = await listCandidates(db, tenant, { now: groups.now, ...wholePages(short, pageMax) })
  const behind = more.filter(({ id }) => !known.has(id))
  const whole = new Set(short.map(groupKey))
  return {
    read: joinLeads(read, await readFacts(behind)),
    cutGroups: findCutGroups([...candidates, ...behind], (group) =>
      whole.has(groupKey(group)) ? pageMax : limits.getLimit(group),
    ),
    nextAttemptAt,
  }
}

function toGroupLists({ campaignIds, senderIds, poolCampaignIds }: DueInput['groups']) {
  const pools = poolCampaignIds.map((campaignId) => ({ campaignId, sendingAccountId: null }))
  const pairs = campaignIds.map((campaignId, at) => ({ campaignId, sendingAccountId: senderIds[at] ?? null }))
  return { pairs, pools }
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
function campaignsWithWriting({ variants }: ReadLeads, steps: readonly PlanStepRow[]): Set<string> {
  const campaignOf = new Map(steps.map((step) => [step.id, step.campaignId]))
  return new Set(variants.flatMap(({ ai, stepId }) => (ai === null ? [] : (campaignOf.get(stepId) ?? []))))
}
