import { openList, waitingList } from '@overture/ground/lead-statuses.ts'
import type { Signal } from '@overture/contract/signals/signals.ts'
import { listedRows, rowLists, type Executor, type ListColumn } from '../platform/db/database.ts'
import type { RowRange } from '../platform/http/paging.ts'
import type { Tenant } from '../platform/tenant.ts'
import type { ReadSignal } from './signal.ts'

/** The leads that `s` (lead_id, email, domain) matches, without those of deleted campaigns. */
const selectLeads = `select l.campaign_id, l.id, l.email from lead_profiles l
    where l.account_id = $1 and l.environment = $2 and l.id = s.lead_id
  union all
  select l.campaign_id, l.id, l.email from lead_profiles l
    where l.account_id = $1 and l.environment = $2 and s.lead_id is null and l.email = s.email
  union all
  select l.campaign_id, l.id, l.email from lead_profiles l
    where l.account_id = $1 and l.environment = $2 and coalesce(l.company_domain, l.email_domain) = s.domain`

const ofLivingCampaign = `exists (select 1 from campaigns c where c.account_id = $1 and c.environment = $2 and c.id = l.campaign_id
  and c.deleted_at is null)`

export interface SpokenOf {
  index: number
  /** The number of leads, up to `countMax`. */
  count: number
  /** The newest of these leads. */
  campaignId: string
  leadId: string
  email: string
}

/** The leads that each signal matches. Signals without a lead have no row. */
export async function listMatchedLeads(
  db: Executor,
  tenant: Tenant,
  signals: readonly ReadSignal[],
  countMax: number,
): Promise<SpokenOf[]> {
  return db.query<SpokenOf>(
    `select s.index, found.count, found.campaign_id, found.lead_id, found.email
     from unnest($3::int[], $4::text[], $5::text[], $6::text[]) s (index, lead_id, email, domain)
     cross join lateral (
       select count(*)::int as count, (array_agg(t.campaign_id order by t.id desc))[1] as campaign_id, max(t.id) as lead_id,
         (array_agg(t.email order by t.id desc))[1] as email
       from (select l.campaign_id, l.id, l.email from (${selectLeads}) l where ${ofLivingCampaign} limit $7) t) found
     where found.count > 0`,
    [
      tenant.accountId,
      tenant.environment,
      signals.map((signal) => signal.index),
      signals.map((signal) => signal.leadId),
      signals.map((signal) => signal.email),
      signals.map((signal) => signal.domain),
      countMax,
    ],
    'list_spoken_of',
  )
}

export interface NewSignal extends ReadSignal {
  id: string
}

const newColumns: readonly ListColumn<NewSignal>[] = [
  ['id', 'text', (signal) => signal.id],
  ['name', 'text', (signal) => signal.name],
  ['email', 'text', (signal) => signal.email],
  ['domain', 'text', (signal) => signal.domain],
  ['lead_id', 'text', (signal) => signal.leadId],
  ['value', 'jsonb', ({ value }) => (value === null ? null : JSON.stringify(value))],
  ['occurred_at', 'timestamptz', (signal) => signal.occurredAt],
  ['dedupe_key', 'text', (signal) => signal.dedupeKey],
]

/** Stores the signals whose key is new, and returns their ids. */
export async function insertSignals(
  tx: Executor,
  tenant: Tenant,
  signals: readonly NewSignal[],
  now: Date,
): Promise<Set<string>> {
  if (signals.length === 0) return new Set()
  const rows = await tx.query<{ id: string }>(
    `insert into signals (account_id, environment, id, name, email, domain, lead_id, value, occurred_at, dedupe_key, created_at)
     select $1, $2, t.id, t.name, t.email, t.domain, t.lead_id, t.value, t.occurred_at, t.dedupe_key, $3
     from ${listedRows(newColumns, 4)}
     -- The row that the account's lie beside: where there are several servers, they come from there.
     join accounts a on a.account_id = $1
     on conflict (account_id, environment, dedupe_key) where dedupe_key is not null do nothing
     returning id`,
    [tenant.accountId, tenant.environment, now, ...rowLists(newColumns, signals)],
    'insert_signals',
  )
  return new Set(rows.map((row) => row.id))
}

interface StoppedBySignal {
  campaignId: string
  leadId: string
  name: string
}

/** Leads that can still be stopped, in campaigns that stop on one of these signals. Each lead comes with one of its signals. */
export async function listLeadsToStop(
  tx: Executor,
  tenant: Tenant,
  of: { signalIds: readonly string[]; limit: number },
): Promise<StoppedBySignal[]> {
  return tx.query<StoppedBySignal>(
    `select distinct on (l.campaign_id, l.id) l.campaign_id, l.id as lead_id, s.name
     from signals s cross join lateral (${selectLeads}) l
     join campaigns c on c.account_id = $1 and c.environment = $2 and c.id = l.campaign_id and c.deleted_at is null
       and c.settings->'stopOnSignals' ? s.name
     join lead_progress p on p.account_id = $1 and p.environment = $2 and p.campaign_id = l.campaign_id and p.lead_id = l.id
       and p.status in ${openList}
     where s.account_id = $1 and s.environment = $2 and s.id = any($3)
     order by l.campaign_id, l.id, s.id limit $4`,
    [tenant.accountId, tenant.environment, of.signalIds, of.limit],
    'list_leads_to_stop',
  )
}

/** Leads of these signals for which a branch may be decided now, or which another campaign may take over, ordered by id. */
export async function listLeadsToAsk(
  tx: Executor,
  tenant: Tenant,
  of: { signalIds: readonly string[]; after: string; limit: number },
): Promise<{ campaignId: string; leadId: string }[]> {
  return tx.query(
    `select distinct l.campaign_id, l.id as lead_id
     from signals s cross join lateral (${selectLeads}) l
     join lead_progress p on p.account_id = $1 and p.environment = $2 and p.campaign_id = l.campaign_id and p.lead_id = l.id
     where s.account_id = $1 and s.environment = $2 and s.id = any($3) and l.id > $4
       and (p.deciding and p.status in ${waitingList} or p.handed_to_lead_id is null and exists (select 1 from campaigns e
         where e.account_id = $1 and e.environment = $2 and e.entry is not null and e.deleted_at is null and e.status <> 'draft'))
       and ${ofLivingCampaign}
     order by l.id limit $5`,
    [tenant.accountId, tenant.environment, of.signalIds, of.after, of.limit],
    'list_leads_to_ask',
  )
}

export interface SignalRow extends Omit<Signal, 'occurredAt' | 'createdAt'> {
  occurredAt: Date
  createdAt: Date
}

interface SignalFilter {
  name: string | null
  email: string | null
  domain: string | null
  leadId: string | null
}

const filtered = `account_id = $1 and environment = $2 and ($3::text is null or name = $3) and ($4::text is null or email = $4)
  and ($5::text is null or domain = $5) and ($6::text is null or exists (
    select 1 from lead_profiles l where l.account_id = $1 and l.environment = $2 and l.id = $6
      and (s.lead_id = l.id or (s.lead_id is null and s.email = l.email)
        or s.domain = coalesce(l.company_domain, l.email_domain))))`

function filterValues(tenant: Tenant, filter: SignalFilter): unknown[] {
  return [tenant.accountId, tenant.environment, filter.name, filter.email, filter.domain, filter.leadId]
}

/** Newest first. */
export async function listSignals(
  db: Executor,
  tenant: Tenant,
  filter: SignalFilter,
  at: RowRange<string>,
): Promise<SignalRow[]> {
  return db.query<SignalRow>(
    `select id, name, case when lead_id is null then email end as email, domain, lead_id, value, occurred_at, dedupe_key, created_at
     from signals s where ${filtered} and ($7::text is null or id < $7) order by id desc limit $8 offset $9`,
    [...filterValues(tenant, filter), at.after, at.limit, at.offset],
    'list_signals',
  )
}

export async function countSignals(db: Executor, tenant: Tenant, filter: SignalFilter): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    `select count(*)::int as count from signals s where ${filtered}`,
    filterValues(tenant, filter),
    'count_signals',
  )
  return row?.count ?? 0
}
