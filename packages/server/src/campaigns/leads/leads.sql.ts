import { openList, waitingList } from '@overture/ground/lead-statuses.ts'
import { profileFields } from '@overture/contract/campaigns/lead-fields.ts'
import { profileColumns, selectProfile } from '@overture/ground/lead-profile.ts'
import { listedRows, rowLists, type Executor, type ListColumn } from '../../platform/db/database.ts'
import { type RowRange, countMax } from '../../platform/http/paging.ts'
import type { Tenant } from '../../platform/tenant.ts'
import { blockedReasonExpression } from './blocked-reason.sql.ts'
import type { LeadRow, NewLead, VariableNames } from './lead.ts'

/** Columns that only one of the two tables has. */
const ownColumns = `email, email_given, email_domain, ${selectProfile()}, extra, custom_variables, status, blocked_reason,
  interest, interest_source, machine_interest, current_step, current_step_id, next_step, deciding, due_at, attempt_at,
  next_send_at, resume_at, last_contacted_at, sending_account_id, thread_id, open_count, click_count, reply_count, stopped_by,
  origin_lead_id, created_at`
/** The last result of the address of `l`. */
const verification = `(select jsonb_build_object('result', a.result, 'reasons', a.reasons, 'checkedAt', a.checked_at) from address_checks a
  where a.account_id = $1 and a.environment = $2 and a.email = l.email) as verification`
/** The stored provider of the domain of `l`. */
const provider = `(select r.provider from recipient_domains r
  where r.account_id = $1 and r.environment = $2 and r.domain = l.email_domain) as recipient_provider`
const columns = `id, campaign_id, environment, ${ownColumns}, updated_at, ${verification}, ${provider}`

export interface LeadKey {
  campaignId: string
  leadId: string
}

export async function findLeadRow(db: Executor, tenant: Tenant, key: LeadKey): Promise<LeadRow | undefined> {
  const [row] = await db.query<LeadRow>(
    `select ${columns} from leads l where account_id = $1 and environment = $2 and campaign_id = $3 and id = $4`,
    [tenant.accountId, tenant.environment, key.campaignId, key.leadId],
    'find_lead',
  )
  return row
}

export async function lockLeadRow(db: Executor, tenant: Tenant, key: LeadKey): Promise<LeadRow | undefined> {
  const [row] = await db.query<LeadRow>(
    `select ${columns} from leads l where account_id = $1 and environment = $2 and campaign_id = $3 and id = $4 for update`,
    [tenant.accountId, tenant.environment, key.campaignId, key.leadId],
    'lock_lead',
  )
  return row
}

/** Finds a lead in any campaign that is not deleted. */
export async function findLeadById(db: Executor, tenant: Tenant, id: string): Promise<LeadKey | undefined> {
  const [row] = await db.query<LeadKey>(
    `select l.campaign_id, l.id as lead_id from lead_profiles l
     join campaigns c on c.account_id = $1 and c.environment = $2 and c.id = l.campaign_id and c.deleted_at is null
     where l.account_id = $1 and l.environment = $2 and l.id = $3`,
    [tenant.accountId, tenant.environment, id],
  )
  return row
}

/** The leads of undeleted campaigns that have this address. */
export async function listLeadRowsByAddress(db: Executor, tenant: Tenant, email: string): Promise<LeadRow[]> {
  return db.query<LeadRow>(
    `select ${columns} from leads l
     where account_id = $1 and environment = $2 and email = $3
       and exists (select 1 from campaigns c where c.account_id = $1 and c.environment = $2 and c.id = l.campaign_id
         and c.deleted_at is null)
     order by last_contacted_at desc nulls last, id limit 1000`,
    [tenant.accountId, tenant.environment, email],
    'list_leads_by_address',
  )
}

/** Other leads of a campaign at the same company: with the same company domain, or the same domain of the address if none was given. */
export async function listColleagueIds(
  db: Executor,
  tenant: Tenant,
  key: LeadKey & { domain: string },
): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    `select id from leads
     where account_id = $1 and environment = $2 and campaign_id = $3 and id <> $4
       and coalesce(company_domain, email_domain) = $5 and status in ${openList}
     order by id limit 10000`,
    [tenant.accountId, tenant.environment, key.campaignId, key.leadId, key.domain],
  )
  return rows.map((row) => row.id)
}

export interface LeadFilter {
  campaignId: string
  status?: string
  interest?: string
  blockedReason?: string
  /** A result of the address, or `none`. */
  verification?: string
  email?: string
  q?: string
  tagId?: string
  /** Needed because the reason that holds a lead changes with time. */
  now: Date
}

export const leadFilterText = `account_id = $1 and environment = $2 and campaign_id = $3 and ($4::text is null or status = $4)
  and ($5::text is null or interest = $5) and ($7::text is null or email = $7)
  and ($6::text is null or status in ${waitingList} and $6 = (select ${blockedReasonExpression('$9::timestamptz')}
    from campaigns c where c.account_id = $1 and c.environment = $2 and c.id = $3))
  and ($8::text is null or strpos(lower(concat_ws(' ', email, first_name, last_name, company)), lower($8)) > 0)
  and ($10::text is null or $10 = coalesce((select a.result from address_checks a
    where a.account_id = $1 and a.environment = $2 and a.email = l.email), 'none'))
  and ($11::text is null or l.email in (select p.email from taggings t
    join people p on p.account_id = $1 and p.environment = $2 and p.id = t.object_id
    where t.account_id = $1 and t.environment = $2 and t.tag_id = $11))`

export function leadFilterValues(tenant: Tenant, filter: LeadFilter): unknown[] {
  return [
    tenant.accountId,
    tenant.environment,
    filter.campaignId,
    filter.status ?? null,
    filter.interest ?? null,
    filter.blockedReason ?? null,
    filter.email ?? null,
    filter.q ?? null,
    filter.now,
    filter.verification ?? null,
    filter.tagId ?? null,
  ]
}

/** Both tables start at the lead after which the page begins. Otherwise a merge join reads the second table from its first row. */
const joinedProfile = `join lead_profiles l on l.account_id = $1 and l.environment = $2 and l.campaign_id = $3 and l.id = p.lead_id
  and ($12::text is null or l.id > $12)`
/**
 * Reads the profile of each lead of the page separately. A join reads both tables completely if PostgreSQL estimates the
 * campaign as small.
 */
const lookedUpProfile = `cross join lateral (select * from lead_profiles l
  where l.account_id = $1 and l.environment = $2 and l.campaign_id = $3 and l.id = p.lead_id limit 1) l`

/** Rows like those of the view `leads`, ordered by id. */
export async function listLeadRows(
  db: Executor,
  tenant: Tenant,
  filter: LeadFilter,
  range: RowRange<string>,
): Promise<LeadRow[]> {
  const isByProfile = [filter.email, filter.interest, filter.q, filter.tagId].some((value) => value !== undefined)
  return db.query<LeadRow>(
    `select ${columns} from (
       select p.account_id, p.environment, p.campaign_id, p.lead_id as id, ${ownColumns}, greatest(p.updated_at, l.updated_at) as updated_at
       from lead_progress p ${isByProfile ? joinedProfile : lookedUpProfile}
       where p.account_id = $1 and p.environment = $2 and p.campaign_id = $3
         and ($12::text is null or p.lead_id > $12)
     ) l where ${leadFilterText} order by id limit $13 offset $14`,
    [...leadFilterValues(tenant, filter), range.after, range.limit, range.offset],
  )
}

export async function countLeads(db: Executor, tenant: Tenant, filter: LeadFilter): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    `select count(*) as count from (select 1 from leads l where ${leadFilterText} limit $12) found`,
    [...leadFilterValues(tenant, filter), filter.q === undefined ? null : countMax],
  )
  return row?.count ?? 0
}

/** The existing leads of a campaign with one of the addresses: lead ids by address. */
export async function listExistingLeads(
  db: Executor,
  tenant: Tenant,
  campaignId: string,
  emails: readonly string[],
): Promise<Map<string, string>> {
  const rows = await db.query<{ email: string; id: string }>(
    `select email, id from leads where account_id = $1 and environment = $2 and campaign_id = $3 and email = any($4)`,
    [tenant.accountId, tenant.environment, campaignId, emails],
    'list_existing_leads',
  )
  return new Map(rows.map((row) => [row.email, row.id]))
}

export async function listEmailsInOtherCampaigns(
  db: Executor,
  tenant: Tenant,
  campaignId: string,
  emails: readonly string[],
): Promise<Set<string>> {
  const rows = await db.query<{ email: string }>(
    `select distinct l.email from leads l join campaigns c
       on c.account_id = $1 and c.environment = $2 and c.id = l.campaign_id
     where l.account_id = $1 and l.environment = $2 and l.email = any($4) and l.campaign_id <> $3 and c.deleted_at is null`,
    [tenant.accountId, tenant.environment, campaignId, emails],
  )
  return new Set(rows.map((row) => row.email))
}

type IdentifiedLead = { id: string; lead: NewLead }

const newColumns: readonly ListColumn<IdentifiedLead>[] = [
  ['id', 'text', ({ id }) => id],
  ['email', 'text', ({ lead }) => lead.email],
  ['email_given', 'text', ({ lead }) => lead.emailGiven],
  ['email_domain', 'text', ({ lead }) => lead.emailDomain],
  ...profileFields.map((name): ListColumn<IdentifiedLead> => {
    return [profileColumns[name], name === 'trackingConsent' ? 'boolean' : 'text', ({ lead }) => lead.fields[name]]
  }),
  ['extra', 'jsonb', ({ lead: { fields } }) => fields.extra && JSON.stringify(fields.extra)],
  ['custom_variables', 'jsonb', ({ lead: { fields } }) => JSON.stringify(fields.customVariables ?? {})],
]
const newNames = newColumns.map(([name]) => name).join(', ')

/** Inserts leads that don't exist yet. Returns the addresses that were added; a concurrent call may have added others first. */
export async function insertLeads(
  db: Executor,
  tenant: Tenant,
  batch: { campaignId: string; now: Date; leads: readonly IdentifiedLead[] },
): Promise<Set<string>> {
  const rows = await db.query<{ email: string }>(
    `with added as (
       insert into lead_profiles (account_id, environment, campaign_id, created_at, updated_at, ${newNames})
       select a.account_id, $2, $3, $4, $4, t.* from accounts a, ${listedRows(newColumns, 5)} where a.account_id = $1
       on conflict (account_id, environment, email, campaign_id) do nothing
       returning id, email),
     begun as (
       insert into lead_progress (account_id, environment, campaign_id, lead_id, status, due_at, attempt_at, updated_at, deciding)
       select $1, $2, $3, id, 'pending', $4, $4, $4, exists (select 1 from steps s where s.account_id = $1 and s.environment = $2
         and s.campaign_id = $3 and s.position = 1 and s.type <> 'email') from added
       returning 1)
     select email from added`,
    [tenant.accountId, tenant.environment, batch.campaignId, batch.now, ...rowLists(newColumns, batch.leads)],
    'insert_leads',
  )
  return new Set(rows.map((row) => row.email))
}

/** The names of the custom variables of leads, by id. No other request adds any while the campaign is locked. */
export async function listLeadVariables(
  tx: Executor,
  tenant: Tenant,
  { campaignId, leadIds }: { campaignId: string; leadIds: readonly string[] },
): Promise<VariableNames> {
  const rows = await tx.query<{ id: string; names: string[] }>(
    `select id, array(select jsonb_object_keys(custom_variables)) as names from lead_profiles
     where account_id = $1 and environment = $2 and campaign_id = $3 and id = any($4)`,
    [tenant.accountId, tenant.environment, campaignId, leadIds],
    'list_lead_variables',
  )
  return new Map(rows.map(({ id, names }) => [id, names]))
}

const fieldColumns = { ...profileColumns, customVariables: 'custom_variables', extra: 'extra' } as const

/**
 * Changes the given fields. A lead that waited for a value is planned again. Its progress row is locked first. Returns whether it
 * waited.
 */
export async function updateLeadFields(
  db: Executor,
  tenant: Tenant,
  change: LeadKey & { fields: NewLead['fields']; now: Date },
): Promise<boolean> {
  const values: unknown[] = [tenant.accountId, tenant.environment, change.campaignId, change.leadId, change.now]
  const sets: string[] = []
  for (const [field, column] of Object.entries(fieldColumns)) {
    const value = change.fields[field as keyof typeof fieldColumns]
    if (value === undefined) continue
    values.push(value !== null && typeof value === 'object' ? JSON.stringify(value) : value)
    sets.push(
      field === 'customVariables'
        ? `${column} = ${column} || $${values.length}::jsonb`
        : `${column} = $${values.length}`,
    )
  }
  const released = await db.execute(
    `update lead_progress set attempt_at = coalesce(due_at, $5), blocked_reason = null
     where account_id = $1 and environment = $2 and campaign_id = $3 and lead_id = $4 and blocked_reason = 'missing_variable'`,
    values.slice(0, 5),
  )
  await db.execute(
    `update lead_profiles set ${[...sets, 'updated_at = $5'].join(', ')}
     where account_id = $1 and environment = $2 and campaign_id = $3 and id = $4`,
    values,
  )
  return released > 0
}
