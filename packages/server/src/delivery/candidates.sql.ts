import type { Executor } from '../platform/db/database.ts'
import type { Tenant } from '../platform/tenant.ts'

export interface CandidateRow {
  id: string
  campaignId: string
  status: 'pending' | 'active'
  sendingAccountId: string | null
  email: string
  emailDomain: string
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
  currentStep: number
  dueAt: Date | null
  attemptAt: Date
  createdAt: Date
}

const fields = `id, campaign_id, status, sending_account_id, email, email_domain, first_name, last_name, job_title, company,
  company_domain, linkedin_url, mobile, country, city, timezone, custom_variables, current_step, due_at, attempt_at, created_at`

const queued = `l.account_id = $1 and l.environment = $2 and l.status in ('pending', 'active') and l.attempt_at is not null`

/** Which senders have leads waiting in which campaigns, found by jumping through the index from sender to sender. */
export async function listWaitingSenders(
  db: Executor,
  tenant: Tenant,
  campaignIds: readonly string[],
): Promise<{ campaignId: string; senderId: string }[]> {
  return db.query(
    `select c.id as campaign_id, w.sender_id from unnest($3::text[]) c (id) cross join lateral (
       with recursive waiting as (
         (select l.sending_account_id as sender_id from leads l
          where ${queued} and l.campaign_id = c.id and l.sending_account_id is not null
          order by l.sending_account_id limit 1)
         union all
         select (select l.sending_account_id from leads l
           where ${queued} and l.campaign_id = c.id and l.sending_account_id > waiting.sender_id
           order by l.sending_account_id limit 1)
         from waiting where waiting.sender_id is not null)
       select sender_id from waiting where sender_id is not null) w`,
    [tenant.accountId, tenant.environment, campaignIds],
    'list_waiting_senders',
  )
}

export interface CandidateGroups {
  /** Pairs of campaign and sender. */
  campaignIds: readonly string[]
  senderIds: readonly string[]
  /** Campaigns whose leads without a sender are wanted. */
  poolCampaignIds: readonly string[]
  now: Date
  limitPerGroup: number
}

/** Due leads, the oldest of each (campaign, sender) and of each campaign's leads without a sender. */
export async function listCandidates(db: Executor, tenant: Tenant, groups: CandidateGroups): Promise<CandidateRow[]> {
  return db.query<CandidateRow>(
    `select l.* from unnest($3::text[], $4::text[]) g (campaign_id, sender_id) cross join lateral (
       select ${fields} from leads l
       where ${queued} and l.campaign_id = g.campaign_id and l.sending_account_id = g.sender_id and l.attempt_at <= $6
       order by l.attempt_at, l.id limit $7) l
     union all
     select l.* from unnest($5::text[]) g (campaign_id) cross join lateral (
       select ${fields} from leads l
       where ${queued} and l.campaign_id = g.campaign_id and l.sending_account_id is null and l.attempt_at <= $6
       -- The index's own order: with the sender left out of it PostgreSQL would read and sort all due leads.
       order by l.sending_account_id, l.attempt_at, l.id limit $7) l`,
    [
      tenant.accountId,
      tenant.environment,
      groups.campaignIds,
      groups.senderIds,
      groups.poolCampaignIds,
      groups.now,
      groups.limitPerGroup,
    ],
    'list_candidates',
  )
}

/** Due leads by their ids. */
export async function listCandidatesById(
  db: Executor,
  tenant: Tenant,
  of: { ids: readonly string[]; now: Date },
): Promise<CandidateRow[]> {
  return db.query<CandidateRow>(
    `select ${fields} from leads l where ${queued} and l.id = any($3) and l.attempt_at <= $4`,
    [tenant.accountId, tenant.environment, of.ids, of.now],
    'list_candidates_by_id',
  )
}

/** The earliest attempt that still lies ahead, over the same groups. */
export async function findNextAttempt(
  db: Executor,
  tenant: Tenant,
  groups: Omit<CandidateGroups, 'limitPerGroup'>,
): Promise<Date | null> {
  const rows = await db.query<{ at: Date | null }>(
    `select min(at) as at from (
       select l.attempt_at as at from unnest($3::text[], $4::text[]) g (campaign_id, sender_id) cross join lateral (
         select l.attempt_at from leads l
         where ${queued} and l.campaign_id = g.campaign_id and l.sending_account_id = g.sender_id and l.attempt_at > $6
         order by l.attempt_at, l.id limit 1) l
       union all
       select l.attempt_at from unnest($5::text[]) g (campaign_id) cross join lateral (
         select l.attempt_at from leads l
         where ${queued} and l.campaign_id = g.campaign_id and l.sending_account_id is null and l.attempt_at > $6
         order by l.sending_account_id, l.attempt_at, l.id limit 1) l) ahead`,
    [tenant.accountId, tenant.environment, groups.campaignIds, groups.senderIds, groups.poolCampaignIds, groups.now],
    'find_next_attempt',
  )
  return rows[0]?.at ?? null
}

export interface StepMessageRow {
  id: string
  leadId: string
  stepId: string
  status: 'queued' | 'sending' | 'sent' | 'bounced' | 'failed' | 'uncertain'
  attempts: number
  leased: boolean
  sendingAccountId: string
  sentAt: Date | null
}

/** Messages that exist already for these (campaign, lead, step): retries, released claims, steps sent before a reorder. */
export async function listStepMessages(
  db: Executor,
  tenant: Tenant,
  keys: { campaignIds: readonly string[]; leadIds: readonly string[]; stepIds: readonly string[] },
): Promise<StepMessageRow[]> {
  return db.query<StepMessageRow>(
    // One look into the unique index a key: as a join, a table without statistics was read whole for each plan.
    `select m.* from unnest($3::text[], $4::text[], $5::text[]) t (campaign_id, lead_id, step_id) cross join lateral (
       select id, lead_id, step_id, status, attempts, lease_token is not null as leased, sending_account_id, sent_at
       from messages
       where account_id = $1 and environment = $2 and campaign_id = t.campaign_id and lead_id = t.lead_id
         and step_id = t.step_id and direction = 'outbound' and step_id is not null limit 1) m`,
    [tenant.accountId, tenant.environment, keys.campaignIds, keys.leadIds, keys.stepIds],
    'list_step_messages',
  )
}
