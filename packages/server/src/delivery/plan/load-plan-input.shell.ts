import { earliest } from '@overture/ground/time/earliest.ts'
import { findPolicy, loadContactBook, type StoredPolicy } from '../../contact-policy/index.ts'
import type { Tenant } from '../../platform/tenant.ts'
import type { findCutGroups } from '@overture/planner/cut-groups.ts'
import { candidatesPerGroup, pageLimits } from '@overture/planner/page-limits.ts'
import type { ContactBook } from '@overture/planner/contact-policy.ts'
import type { LeadHold, PlanCampaign, PlanSender } from '@overture/planner/plan.types.ts'
import { listRunningCampaigns, loadCampaigns, splitRunning } from './campaigns.sql.ts'
import { readDue } from './due-leads.shell.ts'
import { boundFirstTexts, stepsToBound } from './first-texts.ts'
import { joinLeads, readPlanLeads, type PlanningTools, type ReadLeads } from './lead-facts.shell.ts'
import { listCandidatesById, listUnsentTexts, type CandidateRow } from './leads.sql.ts'
import { listWaitingSenders, loadSenders } from './senders.sql.ts'

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

/** Reads everything that `plan` needs through indexes, so that the cost depends on the number of due leads. */
export async function loadPlanInput(tools: PlanningTools, tenant: Tenant, now: Date): Promise<PlanInput> {
  const db = tools.app.db
  const { active, nextStartAt } = splitRunning(await listRunningCampaigns(db, tenant), now)
  const campaignIds = active.map((campaign) => campaign.id)
  const [{ campaigns, steps }, waiting, stored] = await Promise.all([
    loadCampaigns(db, tenant, { active, now }),
    listWaitingSenders(db, tenant, campaignIds),
    findPolicy(db, tenant),
  ])
  const groups = {
    campaignIds: waiting.map((group) => group.campaignId),
    senderIds: waiting.map((group) => group.senderId),
    poolCampaignIds: campaignIds,
    now,
  }
  const senderIds = new Set([...active.flatMap((campaign) => campaign.sendingAccountIds), ...groups.senderIds])
  const senders = await loadSenders(db, tenant, [...senderIds], now)
  const pageMax = candidatesPerGroup(waiting.length + campaignIds.length)
  const limits = pageLimits({ now, campaigns, senders, pageMax })
  const readFacts = (candidates: readonly CandidateRow[]) => readPlanLeads(tools, tenant, { candidates, steps })
  const due = await readDue(db, tenant, { groups, limits, pageMax, steps, readFacts })
  const { read, cutGroups } = due
  const unsent = await listUnsentTexts(db, tenant, stepsToBound({ ...read, campaigns }))
  const bound = boundFirstTexts({ ...read, now, campaigns, senders, cutGroups, unsent })
  const behind = bound.unread.length === 0 ? [] : await listCandidatesById(db, tenant, { ids: bound.unread, now })
  const joined = joinLeads({ ...read, ...bound }, behind.length === 0 ? undefined : await readFacts(behind))
  const { secrets } = tools.app
  return {
    campaigns,
    senders,
    contacts: await loadContactBook(db, tenant, { secrets, leads: [...joined.rows.values()], stored }),
    policy: stored,
    ...joined,
    waitingForTexts: bound.waiting,
    asides: bound.asides,
    cutGroups,
    nextAttemptAt: earliest([due.nextAttemptAt, nextStartAt]),
  }
}
