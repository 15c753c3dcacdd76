import type { GroupDimension } from '@overture/contract/analytics/grouped-query.ts'
import type { Executor } from '../platform/db/database.ts'
import { findPlace, placeIn } from '../platform/events/places.sql.ts'
import type { Tenant } from '../platform/tenant.ts'
import { campaignOrSenderHasTag } from '../tags/index.ts'
import { countedTypes, counterColumns, countOfEvents, sumOfCounts } from './counters.ts'
import type { GroupLine } from './groups.ts'

const columns = counterColumns.join(', ')
const typeList = countedTypes.map((type) => `'${type}'`).join(', ')
const local = 'f.at at time zone $5::text'
/** A quarter of an hour is always within one hour and one day, in every zone in use. */
const keys: Record<GroupDimension, string> = {
  day: `to_char(${local}, 'YYYY-MM-DD')`,
  week: `to_char(date_trunc('week', ${local}), 'YYYY-MM-DD')`,
  month: `to_char(date_trunc('month', ${local}), 'YYYY-MM-DD')`,
  weekday: `(array['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'])[extract(isodow from ${local})::int]`,
  hour: `to_char(${local}, 'HH24')`,
  campaign: `nullif(f.campaign_id, '')`,
  sender: `nullif(f.sending_account_id, '')`,
  step: `nullif(f.step_id, '')`,
  variant: `nullif(f.variant_id, '')`,
}

interface GroupRange {
  groupBy: readonly GroupDimension[]
  timezone: string
  /** At a whole quarter of an hour. Null means no bound. */
  from: Date | null
  to: Date | null
  campaignId: string | null
  sendingAccountId: string | null
  tagId: string | null
  groupsMax: number
}

/**
 * Counts by one or two dimensions from the rollup and the events that are not rolled up yet, in one snapshot. Groups beyond the
 * largest ones by messages are one line, in the last place.
 */
export async function listGroups(db: Executor, tenant: Tenant, range: GroupRange): Promise<GroupLine[]> {
  const [first = 'day', second] = range.groupBy
  const within = (at: string, row: string): string =>
    `(${at} >= $3 or $3::timestamptz is null) and (${at} < $4 or $4::timestamptz is null)
       and ($6::text is null or ${row}.campaign_id = $6) and ($7::text is null or ${row}.sending_account_id = $7)
       and ($10::text is null or ${campaignOrSenderHasTag('$10', [`${row}.campaign_id`, `${row}.sending_account_id`])})`
  const { txId } = await findPlace(db, tenant, 'statistics')
  return db.query<GroupLine>(
    `with reader as (${placeIn('statistics')}),
     f as (
       select s.quarter as at, s.campaign_id, s.step_id, s.variant_id, s.sending_account_id, ${columns}
       from stat_quarter_hours s where s.account_id = $1 and s.environment = $2 and ${within('s.quarter', 's')}
       union all
       select e.occurred_at as at, coalesce(e.campaign_id, '') as campaign_id, coalesce(e.step_id, '') as step_id,
         coalesce(e.variant_id, '') as variant_id, coalesce(e.sending_account_id, '') as sending_account_id, ${countOfEvents}
       from reader r join events e on (e.tx_id, e.position) > (r.tx_id, r.position) and e.tx_id >= $9::xid8
       where e.account_id = $1 and e.environment = $2 and e.type in (${typeList}) and ${within('e.occurred_at', 'e')}
       group by 1, 2, 3, 4, 5
     ), g as (
       select ${keys[first]} as key_1, ${second === undefined ? 'null::text' : keys[second]} as key_2, ${sumOfCounts}
       from f where $5::text is not null group by 1, 2
     ), placed as (
       select g.*, least(row_number() over (order by g.sent desc, g.leads desc, g.key_1, g.key_2), $8::int + 1)::int as place from g
     )
     select f.place, case when f.place <= $8 then f.key_1 end as first_key, case when f.place <= $8 then f.key_2 end as second_key,
       ${sumOfCounts}
     from placed f group by 1, 2, 3 order by 1`,
    [
      tenant.accountId,
      tenant.environment,
      range.from,
      range.to,
      range.timezone,
      range.campaignId,
      range.sendingAccountId,
      range.groupsMax,
      txId,
      range.tagId,
    ],
  )
}
