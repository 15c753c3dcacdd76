import type { DmarcPolicy } from '@overture/contract/deliverability/deliverability.ts'
import type { RecipientProvider } from '@overture/contract/deliverability/recipient-provider.ts'
import type { DeliverabilityState, SignalReason } from '@overture/contract/sending-accounts/deliverability.ts'
import type { HealthSummary } from '@overture/contract/sending-accounts/domain-health.ts'
import type { SenderStatus } from '@overture/contract/sending-accounts/sending-accounts.ts'
import { recoveryDays } from '@overture/planner/deliverability/pace.ts'
import type { Executor } from '../platform/db/database.ts'
import type { RowRange } from '../platform/http/paging.ts'
import type { Tenant } from '../platform/tenant.ts'
import { budgetPrefixes } from '../sending-accounts/budgets/recipient-budget.ts'

/** The domains of sending accounts and the tracking domains, each once. */
const ownDomains = `(
  select o.domain, sum(o.senders)::int as senders, sum(o.licences)::int as licences,
    (select b.daily_external_recipients from recipient_budgets b
     where b.account_id = $1 and b.environment = $2 and b.id = '${budgetPrefixes.domain}' || o.domain) as daily_external_recipients,
    (array_agg(o.health order by o.health->>'checkedAt' desc nulls last))[1] as health
  from (
    select lower(split_part(s.email, '@', 2)) as domain, 1 as senders, s.health,
      case when s.provider = 'microsoft' or s.smtp->>'host' in ('smtp.office365.com', 'smtp-mail.outlook.com') then 1 else 0 end as licences
    from sending_accounts s
    where s.account_id = $1 and s.environment = $2
    union all
    select lower(t.tracking_domain), 0, null, 0 from sending_accounts t
    where t.account_id = $1 and t.environment = $2 and t.tracking_domain is not null) o
  group by o.domain)`

export interface OwnDomainRow {
  dailyExternalRecipients: number | null
  /** The sending accounts of the domain that log in to Microsoft 365. */
  licences: number
  domain: string
  senders: number
  health: HealthSummary | null
}

export async function listOwnDomains(db: Executor, tenant: Tenant, range: RowRange<string>): Promise<OwnDomainRow[]> {
  return db.query<OwnDomainRow>(
    `select domain, senders, licences, daily_external_recipients, health from ${ownDomains} d where ($3::text is null or domain > $3)
     order by domain limit $4 offset $5`,
    [tenant.accountId, tenant.environment, range.after, range.limit, range.offset],
    'list_own_domains',
  )
}

export async function countOwnDomains(db: Executor, tenant: Tenant): Promise<number> {
  const rows = await db.query<{ count: number }>(
    `select count(*)::int as count from ${ownDomains} d`,
    [tenant.accountId, tenant.environment],
    'count_own_domains',
  )
  return rows[0]?.count ?? 0
}

export async function findOwnDomain(db: Executor, tenant: Tenant, domain: string): Promise<OwnDomainRow | null> {
  const rows = await db.query<OwnDomainRow>(
    `select domain, senders, licences, daily_external_recipients, health from ${ownDomains} d where domain = $3`,
    [tenant.accountId, tenant.environment, domain],
    'find_own_domain',
  )
  return rows[0] ?? null
}

export interface DaySpan {
  from: string
  to: string
}

interface ReportedSums {
  messages: number
  spfAligned: number
  dkimAligned: number
  passed: number
}

const sums = `coalesce(sum(s.messages), 0)::float8 as messages,
  coalesce(sum(s.messages) filter (where s.spf_aligned), 0)::float8 as spf_aligned,
  coalesce(sum(s.messages) filter (where s.dkim_aligned), 0)::float8 as dkim_aligned,
  coalesce(sum(s.messages) filter (where s.spf_aligned or s.dkim_aligned), 0)::float8 as passed`

/** Adds up what receivers reported about domains. */
export async function listReportedSums(
  db: Executor,
  tenant: Tenant,
  { domains, from, to }: DaySpan & { domains: readonly string[] },
): Promise<(ReportedSums & { domain: string; lastOn: string })[]> {
  return db.query(
    `select s.domain, ${sums}, max(s.day)::text as last_on from dmarc_sources s
     where s.account_id = $1 and s.environment = $2 and s.domain = any($3) and s.day >= $4::date and s.day <= $5::date group by s.domain`,
    [tenant.accountId, tenant.environment, domains, from, to],
    'list_reported_sums',
  )
}

/** Adds up what receivers reported about a domain, by day. */
export async function listReportedDays(
  db: Executor,
  tenant: Tenant,
  { domain, from, to }: DaySpan & { domain: string },
): Promise<(ReportedSums & { date: string })[]> {
  return db.query(
    `select s.day::text as date, ${sums} from dmarc_sources s
     where s.account_id = $1 and s.environment = $2 and s.domain = $3 and s.day >= $4::date and s.day <= $5::date
     group by s.day order by s.day`,
    [tenant.accountId, tenant.environment, domain, from, to],
    'list_reported_days',
  )
}

interface SourceRow {
  ip: string
  count: number
  disposition: DmarcPolicy
  spfAligned: number
  dkimAligned: number
}

/** Lists the addresses that sent most for a domain, with what receivers did to their mail. */
export async function listSources(
  db: Executor,
  tenant: Tenant,
  { domain, from, to, limit }: DaySpan & { domain: string; limit: number },
): Promise<SourceRow[]> {
  return db.query<SourceRow>(
    `select s.source_ip as ip, s.disposition, sum(s.messages)::float8 as count,
       coalesce(sum(s.messages) filter (where s.spf_aligned), 0)::float8 as spf_aligned,
       coalesce(sum(s.messages) filter (where s.dkim_aligned), 0)::float8 as dkim_aligned
     from dmarc_sources s
     where s.account_id = $1 and s.environment = $2 and s.domain = $3 and s.day >= $4::date and s.day <= $5::date and s.source_ip <> ''
     group by s.source_ip, s.disposition order by sum(s.messages) desc, s.source_ip, s.disposition limit $6`,
    [tenant.accountId, tenant.environment, domain, from, to, limit],
    'list_dmarc_sources',
  )
}

/** The policy in the last report about one of these domains, the nearest domain first. */
export async function findReportedPolicy(
  db: Executor,
  tenant: Tenant,
  domains: readonly string[],
): Promise<DmarcPolicy | null> {
  const rows = await db.query<{ policy: DmarcPolicy }>(
    `select r.policy from dmarc_reports r where r.account_id = $1 and r.environment = $2 and r.policy_domain = any($3)
     order by array_position($3, r.policy_domain), r.received_at desc limit 1`,
    [tenant.accountId, tenant.environment, domains],
    'find_reported_policy',
  )
  return rows[0]?.policy ?? null
}

export interface DomainSenderRow {
  sendingAccountId: string
  email: string
  status: SenderStatus
  state: DeliverabilityState
  reasons: SignalReason[] | null
}

/** The rank of a sender's state at $4: 0 is healthy, 3 is held. After $5 clean days a sender is healthy (packages/planner). */
const rankNow = `case when s.pace->>'state' = 'held' then 3
  when s.pace is null or s.pace->>'state' = 'healthy' then 0
  when (s.pace->>'badDay')::date + $5::int <= ($4::timestamptz at time zone s.timezone)::date then 0
  when s.pace->>'state' = 'cooling' then 2 else 1 end`
const states = `array['healthy', 'watch', 'cooling', 'held']`

interface DomainsAt {
  domains: readonly string[]
  now: Date
}

/** Lists the worst state of the senders of each domain. Domains without senders have none. */
export async function listDomainStates(
  db: Executor,
  tenant: Tenant,
  { domains, now }: DomainsAt,
): Promise<{ domain: string; state: DeliverabilityState }[]> {
  return db.query(
    `select lower(split_part(s.email, '@', 2)) as domain, (${states})[1 + max(${rankNow})] as state from sending_accounts s
     where s.account_id = $1 and s.environment = $2 and lower(split_part(s.email, '@', 2)) = any($3) group by 1`,
    [tenant.accountId, tenant.environment, domains, now, recoveryDays],
    'list_domain_states',
  )
}

export async function listDomainSenders(
  db: Executor,
  tenant: Tenant,
  { domain, now, limit }: { domain: string; now: Date; limit: number },
): Promise<DomainSenderRow[]> {
  return db.query<DomainSenderRow>(
    `select s.id as sending_account_id, s.email, s.status, (${states})[1 + (${rankNow})] as state, s.pace->'reasons' as reasons
     from sending_accounts s
     where s.account_id = $1 and s.environment = $2 and lower(split_part(s.email, '@', 2)) = $3 order by s.email, s.id limit $6`,
    [tenant.accountId, tenant.environment, domain, now, recoveryDays, limit],
    'list_domain_senders',
  )
}

/** The results of placement tests on a day in UTC. */
export interface PlacementDay {
  date: string
  inbox: number
  tab: number
  spam: number
  missing: number
}

/** Adds up the results of placement tests by day. Results that say nothing about the sender are left out. */
export async function listPlacementDays(
  db: Executor,
  tenant: Tenant,
  { senderIds, from, to }: DaySpan & { senderIds: readonly string[] },
): Promise<PlacementDay[]> {
  return db.query<PlacementDay>(
    `select (r.decided_at at time zone 'UTC')::date::text as date,
       (count(*) filter (where r.placement = 'inbox'))::int as inbox, (count(*) filter (where r.placement = 'tab'))::int as tab,
       (count(*) filter (where r.placement = 'spam'))::int as spam, (count(*) filter (where r.placement = 'missing'))::int as missing
     from placement_results r
     where r.account_id = $1 and r.environment = $2 and r.sending_account_id = any($3) and r.problem is null
       and r.decided_at >= ($4::date)::timestamp at time zone 'UTC' and r.decided_at < ($5::date + 1)::timestamp at time zone 'UTC'
     group by 1 order by 1`,
    [tenant.accountId, tenant.environment, senderIds, from, to],
    'list_placement_days',
  )
}

interface SampleRange {
  senderIds: readonly string[]
  from: Date
  to: Date
  /** The newest messages of each sender. */
  perSenderMax: number
}

/** The newest campaign messages of some senders in a period. */
const sample = `select m.campaign_id, m.lead_id, m.status from unnest($3::text[]) as s (id) cross join lateral (
    select h.campaign_id, h.lead_id, h.status from message_heads h
    where h.account_id = $1 and h.environment = $2 and h.sending_account_id = s.id and h.direction = 'outbound' and h.kind = 'campaign'
      and h.status in ('sent', 'bounced') and h.queued_at >= $4 and h.queued_at < $5
    order by h.queued_at desc limit $6) m`

interface ProviderBounces {
  provider: RecipientProvider | null
  sent: number
  bounced: number
}

/**
 * Counts messages and bounces by the provider of the recipient. `known` has domains that need no lookup. Null: the provider was not
 * looked up.
 */
export async function listBouncesByProvider(
  db: Executor,
  tenant: Tenant,
  { known, ...range }: SampleRange & { known: Readonly<Record<string, RecipientProvider>> },
): Promise<ProviderBounces[]> {
  return db.query<ProviderBounces>(
    `select coalesce(k.provider, r.provider) as provider, count(*)::int as sent,
       (count(*) filter (where m.status = 'bounced'))::int as bounced
     from (${sample}) m
     join lead_profiles l on l.account_id = $1 and l.environment = $2 and l.campaign_id = m.campaign_id and l.id = m.lead_id
     left join unnest($7::text[], $8::text[]) as k (domain, provider) on k.domain = l.email_domain
     left join recipient_domains r on r.account_id = $1 and r.environment = $2 and r.domain = l.email_domain
     group by 1 order by count(*) desc, 1`,
    [
      tenant.accountId,
      tenant.environment,
      range.senderIds,
      range.from,
      range.to,
      range.perSenderMax,
      Object.keys(known),
      Object.values(known),
    ],
    'list_bounces_by_provider',
  )
}

/** Counts leads with a proven complaint among the leads of the newest messages. */
export async function countComplainingLeads(
  db: Executor,
  tenant: Tenant,
  range: SampleRange,
): Promise<{ leads: number; complaints: number }> {
  const rows = await db.query<{ leads: number; complaints: number }>(
    `with leads as (select distinct m.campaign_id, m.lead_id from (${sample}) m where m.lead_id is not null)
     select count(*)::int as leads, (count(*) filter (where exists (select 1 from message_heads i
       where i.account_id = $1 and i.environment = $2 and i.campaign_id = l.campaign_id and i.lead_id = l.lead_id
         and i.direction = 'inbound' and i.classification->>'kind' = 'complaint'
         and i.classification->>'proof' is distinct from 'none')))::int as complaints
     from leads l`,
    [tenant.accountId, tenant.environment, range.senderIds, range.from, range.to, range.perSenderMax],
    'count_complaining_leads',
  )
  return rows[0] ?? { leads: 0, complaints: 0 }
}
