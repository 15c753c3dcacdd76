import { openList } from '@overture/ground/lead-statuses.ts'
import { isForTexts, profileFields } from '@overture/contract/campaigns/lead-fields.ts'
import { profileColumns } from '@overture/ground/lead-profile.ts'
import type { Executor } from '../../platform/db/database.ts'
import type { Tenant } from '../../platform/tenant.ts'
import { type LeadFilter, leadFilterText, leadFilterValues } from './leads.sql.ts'

/** Selects the leads of a filter that a change applies to, by their status or because their label is another one. */
export interface LeadChange {
  /** Null accepts any status. */
  from: readonly string[] | null
  /** Leads of this status are selected as well if their label is another one. */
  status: string | null
  /** The new label; leads that have it already are not selected. Undefined if the label does not matter. */
  interest: string | null | undefined
}

// A change of status applies by the lead's status; a change of label applies if the label is another one.
const fits = `(($12::text[] is not null and status = any($12))
  or ($14 and ($12::text[] is null or status = $13) and interest is distinct from $15))`

function changeValues({ from, status, interest }: LeadChange): unknown[] {
  return [from, status, interest !== undefined, interest ?? null]
}

/** The ids of the first leads that a change applies to, ordered by id. */
export async function listLeadIdsToChange(
  db: Executor,
  tenant: Tenant,
  filter: LeadFilter,
  { limit, ...change }: LeadChange & { limit: number },
): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    `select id from leads l where ${leadFilterText} and ${fits} order by id limit $16`,
    [...leadFilterValues(tenant, filter), ...changeValues(change), limit],
  )
  return rows.map((row) => row.id)
}

/** Counts the leads of a filter that a change applies to and those that it doesn't apply to, by status. */
export async function listLeadsThatFit(
  db: Executor,
  tenant: Tenant,
  filter: LeadFilter,
  change: LeadChange,
): Promise<{ status: string; isFitting: boolean; count: number }[]> {
  return db.query(
    `select status, ${fits} as is_fitting, count(*)::int as count from leads l where ${leadFilterText} group by 1, 2`,
    [...leadFilterValues(tenant, filter), ...changeValues(change)],
  )
}

/** The leads whose custom variables are known by name, and how many names are listed. */
const namedLeadsMax = 200
const customNamesMax = 500

/** The columns of the fields that templates can use. */
const textColumns: ReadonlyMap<string, string> = new Map(
  profileFields.filter(isForTexts).map((name) => [name, profileColumns[name]]),
)

/** The custom variable that a template means by a name, chosen as `findCustomName` in the templates does. */
function customValue(parameter: number): string {
  const folded = (name: string) => `replace(lower(${name}), '_', '')`
  return `case when custom_variables ? $${parameter}::text then custom_variables ->> $${parameter}::text
    else (select v.value from jsonb_each_text(custom_variables) v where ${folded('v.key')} = ${folded(`$${parameter}::text`)}
      order by v.key collate "C" limit 1) end`
}

/**
 * Counts leads that have not ended and, per template variable, how many of them lack a value.
 * Each table is read once and the rows are grouped by lead. A join would use statistics that don't contain a newly filled
 * campaign, and then compare every lead with every other.
 */
export async function countLeadsWithout(
  db: Executor,
  tenant: Tenant,
  of: { campaignId: string; names: readonly string[] },
): Promise<{ of: number; without: number[] }> {
  const values: unknown[] = [tenant.accountId, tenant.environment, of.campaignId]
  const given = of.names.map((name, at) => {
    const [first = '', ...rest] = name.split('.')
    const [custom, ...deeper] = rest
    const value = (): string => {
      if (first === 'customVariables' && custom !== undefined && deeper.length === 0)
        return `custom_variables ->> $${values.push(custom)}`
      if (custom !== undefined) return 'null::text'
      return textColumns.get(first) ?? customValue(values.push(first))
    }
    return { own: `nullif(btrim(${value()}), '') is not null as given_${at}`, name: `given_${at}` }
  })
  const list = (of: (value: { own: string; name: string }) => string) => given.map((value) => `, ${of(value)}`).join('')
  const counts = given.map(({ name }) => `count(*) filter (where not ${name})`)
  const [row] = await db.query<{ of: number; without: number[] }>(
    `select count(*)::int as of, array[${counts.join(', ')}]::int[] as without from (
       select id${list(({ name }) => `bool_or(${name}) as ${name}`)} from (
         select id, false as is_open${list(({ own }) => own)} from lead_profiles
         where account_id = $1 and environment = $2 and campaign_id = $3
         union all
         select lead_id, true${list(() => 'false')} from lead_progress
         where account_id = $1 and environment = $2 and campaign_id = $3 and status in ${openList}
       ) rows group by id having bool_or(is_open)
     ) leads`,
    values,
  )
  return row ?? { of: 0, without: [] }
}

/** The names of custom variables that the newest leads of a campaign have. */
export async function listCustomNames(db: Executor, tenant: Tenant, campaignId: string): Promise<string[]> {
  const rows = await db.query<{ name: string }>(
    `select distinct v.name from (
       select custom_variables from lead_profiles where account_id = $1 and environment = $2 and campaign_id = $3
       order by id desc limit $4
     ) l cross join lateral jsonb_object_keys(l.custom_variables) v (name) order by v.name limit $5`,
    [tenant.accountId, tenant.environment, campaignId, namedLeadsMax, customNamesMax],
    'list_custom_names',
  )
  return rows.map(({ name }) => name)
}
