import { nextOpening } from '../../campaigns/index.ts'
import type { Executor } from '../../platform/db/database.ts'
import type { Tenant } from '../../platform/tenant.ts'
import {
  findNextAttempt,
  listDecidingCandidates,
  listCandidatesById,
  listWaitingSenders,
  type CandidateRow,
} from './leads.sql.ts'
import { boundFirstTexts, joinLeads, type ReadLeads } from './first-texts.shell.ts'
import type { findCutGroups } from '../planner/cut-groups.ts'
import { pageLimits } from '../planner/page-limits.ts'
import { readDue, readPlanLeads, type PlanningTools } from './due-leads.shell.ts'
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
} from './planning.sql.ts'

export const sendsMax = 200
const candidatesMax = 600
/** The largest number of decisions of one plan; decisions wait for no sender. */
const decisionsMax = 500
const candidatesPerGroupMin = 20

export interface LoadedPlan extends ReadLeads {
  campaigns: PlanCampaign[]
  senders: PlanSender[]
  /** Campaigns with due leads that are not in `leads`, because their texts are written closer to their time. */
  waitingForTexts: ReadonlySet<string>
  /** Leads without a text that step aside, so that the leads behind them are planned. */
  asides: LeadHold[]
  /** Groups that may have more due leads than were read. */
  cutGroups: ReturnType<typeof findCutGroups>
  /** The first moment after now at which a waiting lead can be due or a scheduled campaign begins. */
  nextAttemptAt: Date | null
}

/** Reads everything that `plan` needs through indexes, so that the cost depends on the number of due leads. */
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
  const [senders, campaigns, nextAttemptAt, deciding] = await Promise.all([
    loadSenders(db, tenant, [...senderIds], now),
    withUsage(
      db,
      tenant,
      active.map((row) => toPlanCampaign(row, steps)),
      now,
    ),
    findNextAttempt(db, tenant, groups),
    listDeciding(db, tenant, { steps, now }),
  ])
  const pageMax = candidatesPerGroup(waiting.length + ids.length)
  const limits = pageLimits({ now, campaigns, senders, pageMax })
  const { read, cutGroups } = await readDue(tools, tenant, { groups, limits, pageMax, steps, deciding })
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

/** Only sequences with a branch have decisions. */
async function listDeciding(
  db: Executor,
  tenant: Tenant,
  { steps, now }: { steps: readonly PlanStepRow[]; now: Date },
): Promise<CandidateRow[]> {
  const campaignIds = [...new Set(steps.flatMap((step) => (step.type === 'branch' ? [step.campaignId] : [])))]
  if (campaignIds.length === 0) return []
  return listDecidingCandidates(db, tenant, { campaignIds, now, limit: decisionsMax })
}

/** The largest number of due leads that one plan reads per group. */
export function candidatesPerGroup(groups: number): number {
  return Math.min(sendsMax, Math.max(candidatesPerGroupMin, Math.floor(candidatesMax / Math.max(1, groups))))
}

export function earliest(times: readonly (Date | null)[]): Date | null {
  return times.reduce((first, time) => (time !== null && (first === null || time < first) ? time : first), null)
}

/** Splits off the active campaigns, and returns when a scheduled one can begin. A job makes it active and logs that. */
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

/** Adds today's claims of each campaign, by the day of the campaign's zone. */
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
