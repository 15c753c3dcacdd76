import { selectProfile } from '@overture/ground/lead-profile.ts'
import type { LeadProfile } from '@overture/contract/campaigns/lead-fields.ts'
import type { Person } from '@overture/contract/people/people.ts'
import type { Executor } from '../platform/db/database.ts'
import type { StoredEvent } from '../platform/events/feed.sql.ts'
import { eventColumns } from '../platform/events/feed.sql.ts'
import { type RowRange, countMax } from '../platform/http/paging.ts'
import { hasTag, tagIdsColumn } from '../tags/index.ts'
import type { Tenant } from '../platform/tenant.ts'

export interface PersonRow extends LeadProfile {
  id: string
  email: string
  customVariables: Person['customVariables'] | null
  campaigns: Person['campaigns']
  tagIds: string[]
  createdAt: Date
  updatedAt: Date
}

interface PeopleFilter {
  q: string | null
  email: string | null
  campaignId: string | null
  status: string | null
  interest: string | null
  tagId: string | null
}

const liveLead = `l.account_id = $1 and l.environment = $2 and l.email = p.email and exists (
  select 1 from campaigns c where c.account_id = $1 and c.environment = $2 and c.id = l.campaign_id
    and c.deleted_at is null)`

const selected = `select p.id, p.email, ${selectProfile('latest')}, latest.custom_variables, p.created_at,
    greatest(p.updated_at, latest.updated_at) as updated_at,
    coalesce(joined.campaigns, '[]') as campaigns, ${tagIdsColumn('p.id')}
  from people p
  left join lateral (select l.* from leads l where ${liveLead} order by l.updated_at desc, l.id desc limit 1) latest on true
  left join lateral (
    select jsonb_agg(jsonb_build_object('campaignId', l.campaign_id, 'campaignName', c.name, 'leadId', l.id, 'status', l.status,
      'interest', l.interest, 'currentStep', l.current_step, 'lastContactedAt',
      to_char(l.last_contacted_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'replyCount', l.reply_count)
      order by l.created_at, l.id) as campaigns
    from leads l join campaigns c on c.account_id = $1 and c.environment = $2 and c.id = l.campaign_id
    where l.account_id = $1 and l.environment = $2 and l.email = p.email and c.deleted_at is null
  ) joined on true`

const matching = `p.account_id = $1 and p.environment = $2 and ($3::text is null or p.email = $3)
  and ($4::text is null or p.email ilike $4 or p.email in (select l.email from lead_profiles l
    where l.account_id = $1 and l.environment = $2
      and (concat_ws(' ', l.first_name, l.last_name) ilike $4 or l.company ilike $4)
      and exists (select 1 from campaigns c where c.account_id = $1 and c.environment = $2 and c.id = l.campaign_id
        and c.deleted_at is null)))
  and (coalesce($5, $6, $7) is null or exists (select 1 from leads l where ${liveLead}
    and ($5::text is null or l.campaign_id = $5) and ($6::text is null or l.status = $6)
    and ($7::text is null or l.interest = $7))) and ${hasTag('$8', 'p.id')}`

function filterValues(tenant: Tenant, filter: PeopleFilter): unknown[] {
  const { email, q, campaignId, status, interest, tagId } = filter
  return [tenant.accountId, tenant.environment, email, q, campaignId, status, interest, tagId]
}

/** Newest first. */
export async function listPeople(
  db: Executor,
  tenant: Tenant,
  filter: PeopleFilter,
  range: RowRange<string>,
): Promise<PersonRow[]> {
  return db.query<PersonRow>(
    `${selected} where ${matching} and ($9::text is null or p.id < $9) order by p.id desc limit $10 offset $11`,
    [...filterValues(tenant, filter), range.after, range.limit, range.offset],
  )
}

export async function countPeople(db: Executor, tenant: Tenant, filter: PeopleFilter): Promise<number> {
  const rows = await db.query<{ count: number }>(
    `select count(*)::int as count from (select 1 from people p where ${matching} limit $9) found`,
    [...filterValues(tenant, filter), filter.q === null ? null : countMax],
  )
  return rows[0]?.count ?? 0
}

/** Finds a person by its own id, or by the id of one of its campaign leads. */
export async function findPerson(db: Executor, tenant: Tenant, id: string): Promise<PersonRow | null> {
  const rows = await db.query<PersonRow>(
    `${selected} where p.account_id = $1 and p.environment = $2 and (p.id = $3 or p.email = (
       select email from leads where account_id = $1 and environment = $2 and id = $3))`,
    [tenant.accountId, tenant.environment, id],
  )
  return rows[0] ?? null
}

interface LeadOfPerson {
  id: string
  campaignId: string
  personId: string | null
}

/** Locks every lead with the address, including those of deleted campaigns. */
export async function lockLeadsOfPerson(tx: Executor, tenant: Tenant, email: string): Promise<LeadOfPerson[]> {
  return tx.query<LeadOfPerson>(
    `select id, campaign_id, person_id from leads where account_id = $1 and environment = $2 and email = $3 order by id for update`,
    [tenant.accountId, tenant.environment, email],
  )
}

/** Lists the same leads without locking them. */
export async function listLeadsOfPerson(db: Executor, tenant: Tenant, email: string): Promise<LeadOfPerson[]> {
  return db.query<LeadOfPerson>(
    `select id, campaign_id, person_id from lead_profiles where account_id = $1 and environment = $2 and email = $3 order by id`,
    [tenant.accountId, tenant.environment, email],
  )
}

/** The events of these leads, oldest first. At most `limit`, the latest ones. */
export async function listEventsOfLeads(
  db: Executor,
  tenant: Tenant,
  leads: { ids: readonly string[]; limit: number },
): Promise<StoredEvent[]> {
  const rows = await db.query<StoredEvent>(
    `select ${eventColumns} from events e where e.account_id = $1 and e.environment = $2 and e.lead_id = any($3)
     order by e.position desc limit $4`,
    [tenant.accountId, tenant.environment, leads.ids, leads.limit],
  )
  return rows.toReversed()
}

/** Inserts one person per normalised address, shared by all campaigns. */
export async function upsertPeople(
  db: Executor,
  tenant: Tenant,
  people: { ids: readonly string[]; emails: readonly string[]; now: Date },
): Promise<void> {
  await db.execute(
    `insert into people (account_id, environment, id, email, created_at, updated_at)
     select a.account_id, $2, t.id, t.email, $3, $3 from accounts a, unnest($4::text[], $5::text[]) t (id, email)
     where a.account_id = $1
     on conflict (account_id, environment, email) do nothing`,
    [tenant.accountId, tenant.environment, people.now, people.ids, people.emails],
    'upsert_people',
  )
}
