import type { LeadProfile } from '@overture/contract/campaigns/lead-fields.ts'
import { waitingList, waitingStatuses } from '@overture/ground/lead-statuses.ts'
import type { Executor } from '../../platform/db/database.ts'
import type { Tenant } from '../../platform/tenant.ts'
import type { UnsentTextRow } from './first-texts.ts'

/** The fields of a lead that its messages may contain. */
export interface LeadContent {
  email: string
  firstName: string | null
  lastName: string | null
  jobTitle: string | null
  company: string | null
  companyDomain: string | null
  linkedinUrl: string | null
  mobile: string | null
  country: string | null
  city: string | null
  timezone: string | null
  customVariables: Record<string, string | number | boolean>
}

/** The customer's own records about a lead that its message depends on. No plan depends on them. */
export type LeadRecords = Pick<LeadProfile, 'trackingConsent' | 'dataSource' | 'lawfulBasis'>

export interface CandidateRow extends LeadContent {
  id: string
  campaignId: string
  status: 'pending' | 'active'
  sendingAccountId: string | null
  emailDomain: string
  currentStep: number
  /** The position of the next step, if it doesn't directly follow the last one. */
  nextStep: number | null
  /** The lead has completed steps but was never contacted. */
  untouched: boolean
  /** Taken over from another campaign, so that messages continue the thread that the person knows. */
  bound: boolean
  dueAt: Date | null
  attemptAt: Date
  createdAt: Date
  /** A person must decide about its last message. Absent for leads in the queue, which wait for no such decision. */
  returned?: boolean
}

/** A lead in the queue, with everything that its next message depends on. */
export interface QueuedRow extends CandidateRow, LeadRecords {
  threadId: string | null
  /** No message was sent to the lead yet. */
  uncontacted: boolean
}

const fields = `p.lead_id as id, p.campaign_id, p.status, p.sending_account_id, l.email, l.email_domain, l.first_name, l.last_name,
  l.job_title, l.company, l.company_domain, l.linkedin_url, l.mobile, l.country, l.city, l.timezone, l.custom_variables,
  p.current_step, p.next_step, p.current_step > 0 and p.last_contacted_at is null as untouched,
  p.last_contacted_at is null and p.thread_id is not null as bound, p.due_at, p.attempt_at, l.created_at,
  p.last_contacted_at is null as uncontacted, p.thread_id, l.tracking_consent, l.data_source, l.lawful_basis`

/** The condition on `lead_progress p` for leads that wait for their next message. */
export const queued = `p.account_id = $1 and p.environment = $2 and p.status in ${waitingList} and p.attempt_at is not null`
// Skips leads that have a claim in flight. It is a subquery that looks one lead up in the index: a join might read and sort all
// due leads. The order is that of the index by lead: otherwise a plan made for an empty table uses the index by account and
// reads all claims of the account for each lead.
const unclaimed = `(select c.message_id from claims c where c.account_id = $1 and c.environment = $2 and c.lead_id = p.lead_id
  and c.step_id is not null order by c.step_id limit 1) is null`
// One index lookup per chosen lead. As a join, a table without statistics was read whole for each plan.
const profile = `cross join lateral (select * from lead_profiles l
  where l.account_id = $1 and l.environment = $2 and l.campaign_id = p.campaign_id and l.id = p.lead_id limit 1) l`

export interface LeadGroups {
  /** Pairs of campaign and sender. */
  campaignIds: readonly string[]
  senderIds: readonly string[]
  /** Campaigns whose leads without a sender are included. */
  poolCampaignIds: readonly string[]
}

interface CandidatePages extends LeadGroups {
  now: Date
  /** The largest number of leads per pair, and per campaign of `poolCampaignIds`. */
  limits: readonly number[]
  poolLimits: readonly number[]
}

/** Due leads: the oldest of each (campaign, sender), and the oldest without a sender of each campaign. */
export async function listCandidates(db: Executor, tenant: Tenant, pages: CandidatePages): Promise<QueuedRow[]> {
  return db.query<QueuedRow>(
    `select ${fields} from (
       select p.* from unnest($3::text[], $4::text[], $7::int[]) g (campaign_id, sender_id, max) cross join lateral (
         select * from lead_progress p
         where ${queued} and p.campaign_id = g.campaign_id and p.sending_account_id = g.sender_id and p.attempt_at <= $6
           and not p.deciding and ${unclaimed}
         order by p.attempt_at, p.lead_id limit g.max) p
       union all
       select p.* from unnest($5::text[], $8::int[]) g (campaign_id, max) cross join lateral (
         select * from lead_progress p
         where ${queued} and p.campaign_id = g.campaign_id and p.sending_account_id is null and p.attempt_at <= $6
           and not p.deciding and ${unclaimed}
         -- The index's own order: with the sender left out of it PostgreSQL would read and sort all due leads.
         order by p.sending_account_id, p.attempt_at, p.lead_id limit g.max) p) p
     ${profile}`,
    [
      tenant.accountId,
      tenant.environment,
      pages.campaignIds,
      pages.senderIds,
      pages.poolCampaignIds,
      pages.now,
      pages.limits,
      pages.poolLimits,
    ],
    'list_candidates',
  )
}

/** Leads with a due decision, the longest overdue first. */
export async function listDecidingCandidates(
  db: Executor,
  tenant: Tenant,
  of: { campaignIds: readonly string[]; now: Date; limit: number },
): Promise<QueuedRow[]> {
  if (of.campaignIds.length === 0) return []
  return db.query<QueuedRow>(
    `select ${fields} from (
       select p.* from unnest($3::text[]) g (campaign_id) cross join lateral (
         select * from lead_progress p
         where ${queued} and p.campaign_id = g.campaign_id and p.attempt_at <= $4 and p.deciding
         order by p.attempt_at, p.lead_id limit $5) p
       limit $5) p
     ${profile}`,
    [tenant.accountId, tenant.environment, of.campaignIds, of.now, of.limit],
    'list_deciding_candidates',
  )
}

/** Due leads by their ids. */
export async function listCandidatesById(
  db: Executor,
  tenant: Tenant,
  of: { ids: readonly string[]; now: Date },
): Promise<QueuedRow[]> {
  return db.query<QueuedRow>(
    `select ${fields} from lead_profiles l join lead_progress p on p.campaign_id = l.campaign_id and p.lead_id = l.id
     where l.account_id = $1 and l.environment = $2 and l.id = any($3)
       and p.account_id = $1 and p.environment = $2 and p.status = any($5) and p.attempt_at <= $4 and ${unclaimed}`,
    [tenant.accountId, tenant.environment, of.ids, of.now, waitingStatuses],
    'list_candidates_by_id',
  )
}

/** The earliest future attempt in the same groups. */
export async function findNextAttempt(
  db: Executor,
  tenant: Tenant,
  groups: LeadGroups & { now: Date },
): Promise<Date | null> {
  const rows = await db.query<{ at: Date | null }>(
    `select min(at) as at from (
       select p.attempt_at as at from unnest($3::text[], $4::text[]) g (campaign_id, sender_id) cross join lateral (
         select p.attempt_at from lead_progress p
         where ${queued} and p.campaign_id = g.campaign_id and p.sending_account_id = g.sender_id and p.attempt_at > $6
         order by p.attempt_at, p.lead_id limit 1) p
       union all
       select p.attempt_at from unnest($5::text[]) g (campaign_id) cross join lateral (
         select p.attempt_at from lead_progress p
         where ${queued} and p.campaign_id = g.campaign_id and p.sending_account_id is null and p.attempt_at > $6
         order by p.sending_account_id, p.attempt_at, p.lead_id limit 1) p) ahead`,
    [tenant.accountId, tenant.environment, groups.campaignIds, groups.senderIds, groups.poolCampaignIds, groups.now],
    'find_next_attempt',
  )
  return rows[0]?.at ?? null
}

export interface AheadRow {
  id: string
  email: string
  emailDomain: string
  currentStep: number
  nextStep: number | null
}

interface AheadFilter {
  campaignId: string
  /** Follow-ups that are due by then. */
  until: Date
  /** First steps are read from the head of the queue, no matter when they are due. */
  firstMax: number
  followUpsMax: number
}

/** Leads with an upcoming step, the soonest first, and leads that wait for a text. */
export async function listLeadsAhead(db: Executor, tenant: Tenant, filter: AheadFilter): Promise<AheadRow[]> {
  const ours = `account_id = $1 and environment = $2 and campaign_id = $3 and status in ${waitingList}`
  return db.query<AheadRow>(
    `(select id, email, email_domain, current_step, next_step from leads where ${ours} and attempt_at is not null and current_step = 0
      order by attempt_at, id limit $5)
     union all
     (select id, email, email_domain, current_step, next_step from leads where ${ours} and attempt_at <= $4 and current_step > 0
      order by attempt_at, id limit $6)
     union all
     (select id, email, email_domain, current_step, next_step from leads where ${ours} and attempt_at is null
        and blocked_reason = 'awaiting_approval'
      order by id limit $6)`,
    [tenant.accountId, tenant.environment, filter.campaignId, filter.until, filter.firstMax, filter.followUpsMax],
    'list_leads_ahead',
  )
}

/**
 * Leads that were never contacted, whose text is requested, waiting or approved, and that wait only for a text or their turn.
 * `stepIds` are the campaigns' first steps. The oldest first.
 */
export async function listUnsentTexts(
  db: Executor,
  tenant: Tenant,
  of: { campaignIds: readonly string[]; stepIds: readonly string[] },
): Promise<UnsentTextRow[]> {
  if (of.stepIds.length === 0) return []
  return db.query<UnsentTextRow>(
    `select d.campaign_id, d.lead_id, l.email_domain, d.status, l.attempt_at
     from step_drafts d join leads l on l.account_id = $1 and l.environment = $2
       and l.campaign_id = d.campaign_id and l.id = d.lead_id
     where d.account_id = $1 and d.environment = $2 and d.campaign_id = any($3) and d.step_id = any($4) and not d.spent
       and d.status in ('requested', 'waiting', 'approved') and l.status in ${waitingList} and l.current_step = 0
       and (l.attempt_at is not null or coalesce(l.blocked_reason, 'awaiting_approval') = 'awaiting_approval')
     order by l.attempt_at, l.id`,
    [tenant.accountId, tenant.environment, of.campaignIds, of.stepIds],
    'list_unsent_texts',
  )
}
