import { earliest } from '@overture/ground/time/earliest.ts'
import { findPolicy, loadContactBook, type StoredPolicy } from '../../contact-policy/index.ts'
import type { Tenant } from '../../platform/tenant.ts'
import type { findCutGroups } from '@overture/planner/cut-groups.ts'
import { limitGroups } from '@overture/planner/page-limits.ts'
import type { ContactBook } from '@overture/planner/contact-policy.ts'
import type { LeadHold, PlanCampaign, PlanSender } from '@overture/planner/plan.types.ts'
import type { Executor } from '../../platform/db/database.ts'
import {
  listRunningCampaigns,
  loadCampaigns,
  splitRunning,
  type PlanStepRow,
  type RunningCampaignRow,
} from './campaigns.sql.ts'
import { readDue } from './due-leads.shell.ts'
import { boundFirstTexts, stepsToBound } from './first-texts.ts'
import { joinLeads, readPlanLeads, type PlanningTools, type ReadLeads } from './lead-facts.shell.ts'
import { listCandidatesById, listUnsentTexts, type QueuedRow, type LeadGroups } from './leads.sql.ts'
import { listWaitingSenders, loadSenders, type SenderRow } from './senders.sql.ts'

export interface PlanInput extends ReadLeads {
  campaigns: PlanCampaign[]
  senders: PlanSender[]
  /** Null: the account has no contact policy that can hold leads. */
  contacts: ContactBook | null
  policy: StoredPolicy
  /** Campaigns with due leads that are not in `leads`, because their texts are written closer to their time. */
  waitingForTexts: ReadonlySet<string>
  /** Leads without a text that step aside, so that the leads behind them are planned. */
  asides: LeadHold[]
  /** Groups that may have more due leads than were read. */
  cutGroups: ReturnType<typeof findCutGroups>
  /** The first moment after now at which a waiting lead can be due or a scheduled campaign begins. */
  nextAttemptAt: Date | null
}

/** The input of a tenant's plans besides the leads. */
export interface PlanSettings {
  running: RunningCampaignRow[]
  campaigns: PlanCampaign[]
  steps: PlanStepRow[]
  senders: (PlanSender & SenderRow)[]
  policy: StoredPolicy
  groups: LeadGroups
}

/** Reads everything that `plan` needs through indexes, so that the cost depends on the number of due leads. */
export async function loadPlanInput(tools: PlanningTools, tenant: Tenant, now: Date): Promise<PlanInput> {
  const db = tools.app.db
  const settings = await loadPlanSettings(tools, tenant, now)
  const { campaigns, senders, steps, policy } = settings
  const due = await loadDueLeads(tools, tenant, { settings, now })
  const { read, cutGroups } = due
  const unsent = await listUnsentTexts(db, tenant, stepsToBound({ ...read, campaigns }))
  const bound = boundFirstTexts({ ...read, now, campaigns, senders, cutGroups, unsent })
  const behind = bound.unread.length === 0 ? [] : await listCandidatesById(db, tenant, { ids: bound.unread, now })
  const more = behind.length === 0 ? undefined : await readPlanLeads(tools, tenant, { candidates: behind, steps })
  const joined = joinLeads({ ...read, ...bound }, more)
  const { secrets } = tools.app
  return {
    campaigns,
    senders,
    contacts: await loadContactBook(db, tenant, { secrets, leads: [...joined.rows.values()], stored: policy }),
    policy,
    ...joined,
    waitingForTexts: bound.waiting,
    asides: bound.asides,
    cutGroups,
    nextAttemptAt: earliest([due.nextAttemptAt, splitRunning(settings.running, now).nextStartAt]),
  }
}

export async function loadPlanSettings(
  { app: { db } }: PlanningTools,
  tenant: Tenant,
  now: Date,
): Promise<PlanSettings> {
  const running = await listRunningCampaigns(db, tenant)
  const { active } = splitRunning(running, now)
  const [{ campaigns, steps }, groups, policy] = await Promise.all([
    loadCampaigns(db, tenant, { active, now }),
    loadLeadGroups(db, tenant, active),
    findPolicy(db, tenant),
  ])
  const senderIds = new Set([...active.flatMap((campaign) => campaign.sendingAccountIds), ...groups.senderIds])
  return { running, campaigns, steps, senders: await loadSenders(db, tenant, [...senderIds], now), policy, groups }
}

export async function loadLeadGroups(
  db: Executor,
  tenant: Tenant,
  active: readonly { id: string }[],
): Promise<LeadGroups> {
  const poolCampaignIds = active.map(({ id }) => id)
  const waiting = await listWaitingSenders(db, tenant, poolCampaignIds)
  return {
    campaignIds: waiting.map((group) => group.campaignId),
    senderIds: waiting.map((group) => group.senderId),
    poolCampaignIds,
  }
}

interface DueLeads {
  settings: Omit<PlanSettings, 'running' | 'policy'>
  now: Date
  /** Leads for plans after this one: those that are due by `until`, and up to `leads` more of each group. */
  ahead?: { until: Date; leads: number }
}

/** Reads the due leads of a plan, and the time of the next attempt after them. */
export async function loadDueLeads(tools: PlanningTools, tenant: Tenant, { settings, now, ahead }: DueLeads) {
  const { campaigns, senders, steps, groups } = settings
  const { pageMax, getLimit, countSendable } = limitGroups({ now, campaigns, senders, groups })
  const readFacts = (candidates: readonly QueuedRow[]) => readPlanLeads(tools, tenant, { candidates, steps })
  return readDue(tools.app.db, tenant, {
    groups: { ...groups, now: ahead?.until ?? now },
    limits: { getLimit: (group) => getLimit(group) + (ahead?.leads ?? 0), countSendable },
    pageMax,
    steps,
    readFacts,
  })
}
