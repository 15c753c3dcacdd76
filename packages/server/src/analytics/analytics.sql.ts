import type { Executor } from '../platform/db/database.ts'
import {
  nextBatch,
  findPlace,
  placeIn,
  type ReadEvents,
  type ReadFrom,
  toReadEvents,
  type ReadRow,
  whatWasRead,
} from '../platform/events/places.sql.ts'
import type { Tenant } from '../platform/tenant.ts'
import { countedTypes, counterColumns, countOfEvents, sumOfCounts } from './counters.ts'
import type { Counts } from './measures.ts'

const columns = counterColumns.join(', ')
const addUp = (table: string): string =>
  counterColumns.map((name) => `${name} = ${table}.${name} + excluded.${name}`).join(', ')
const typeList = countedTypes.map((type) => `'${type}'`).join(', ')
const quarterMs = 900_000
/** These quarter hours are aligned with those of every zone in use. */
const quarterHour = (expression: string): string =>
  `date_bin('15 minutes', ${expression}, timestamptz '2000-01-01 00:00:00Z')`

/**
 * Adds the next events of an account to the rollups and advances its position in one statement. A concurrent worker finds the
 * position changed and adds nothing.
 */
export async function rollUpEvents(db: Executor, tenant: Tenant, { place, limit }: ReadFrom): Promise<ReadEvents> {
  const rows = await db.query<ReadRow>(
    `with ${nextBatch('statistics', 'e.*')}, counted as materialized (
       select e.account_id, e.environment, coalesce(e.campaign_id, '') as campaign_id,
         ${quarterHour('e.occurred_at')} as quarter, coalesce(e.step_id, '') as step_id,
         coalesce(e.variant_id, '') as variant_id, coalesce(e.sending_account_id, '') as sending_account_id,
         ${countOfEvents}
       from batch e where e.type in (${typeList}) group by 1, 2, 3, 4, 5, 6, 7
     ), quarters as (
       insert into stat_quarter_hours as s (account_id, environment, campaign_id, quarter, step_id, variant_id,
         sending_account_id, ${columns})
       select account_id, environment, campaign_id, quarter, step_id, variant_id, sending_account_id, ${columns}
       from counted, placed
       on conflict (account_id, environment, campaign_id, quarter, step_id, variant_id, sending_account_id)
       do update set ${addUp('s')}
     ), totals as (
       insert into stat_totals as t (account_id, environment, campaign_id, ${columns})
       select f.account_id, f.environment, f.campaign_id, ${sumOfCounts} from counted f, placed group by 1, 2, 3
       on conflict (account_id, environment, campaign_id) do update set ${addUp('t')}
     ), by_variant as (
       insert into stat_variants as v (account_id, environment, campaign_id, step_id, variant_id, sent, bounced, unique_replied)
       select f.account_id, f.environment, f.campaign_id, f.step_id, f.variant_id, sum(f.sent), sum(f.bounced + f.returned),
         sum(f.unique_replied)
       from counted f, placed where f.step_id <> '' and f.variant_id <> '' group by 1, 2, 3, 4, 5
       on conflict (account_id, environment, campaign_id, step_id, variant_id) do update set sent = v.sent + excluded.sent,
         bounced = v.bounced + excluded.bounced, unique_replied = v.unique_replied + excluded.unique_replied
     )
     ${whatWasRead}`,
    [tenant.accountId, tenant.environment, place.txId, place.position, limit],
    'roll_up_events',
  )
  return toReadEvents(rows)
}

/** All counts since the beginning: the rollup plus the events that are not rolled up yet. Without a campaign, of the whole tenant. */
export async function findTotals(db: Executor, tenant: Tenant, campaignId: string | null): Promise<Counts> {
  const ofTotals = campaignId === null ? '' : 'and t.campaign_id = $4'
  const ofEvents = campaignId === null ? '' : 'and e.campaign_id = $4'
  const { txId } = await findPlace(db, tenant, 'statistics')
  const values = [tenant.accountId, tenant.environment, txId]
  const rows = await db.query<Counts>(
    `with reader as (${placeIn('statistics')}), f as (
       select ${columns} from stat_totals t where t.account_id = $1 and t.environment = $2 ${ofTotals}
       union all
       select ${countOfEvents} from reader r join events e on (e.tx_id, e.position) > (r.tx_id, r.position)
         and e.tx_id >= $3::xid8
       where e.account_id = $1 and e.environment = $2 and e.type in (${typeList}) ${ofEvents}
     )
     select ${sumOfCounts} from f`,
    campaignId === null ? values : [...values, campaignId],
  )
  return rows[0]!
}

/** A line of the breakdown by period (`bucket`, 1 is the first), step, step and variant, or sender. The other keys are null. */
interface Breakdown extends Counts {
  dimension: 'period' | 'step' | 'variant' | 'sender'
  bucket: number | null
  stepId: string | null
  variantId: string | null
  sendingAccountId: string | null
}

interface BreakdownRange {
  campaignId: string
  from: Date
  to: Date
  /** The start of every period, ascending. */
  starts: readonly Date[]
}

/**
 * Counts of a campaign in [from, to) by period, step, variant and sender. Whole quarter hours come from the rollup. Partial ones
 * at both ends, and events that are not rolled up yet, come from the log.
 */
export async function listBreakdown(db: Executor, tenant: Tenant, range: BreakdownRange): Promise<Breakdown[]> {
  // The whole quarter hours of the range, computed here: PostgreSQL estimates the partial ones well from literal values.
  const first = new Date(Math.min(Math.ceil(range.from.getTime() / quarterMs) * quarterMs, range.to.getTime()))
  const last = new Date(Math.max(Math.floor(range.to.getTime() / quarterMs) * quarterMs, first.getTime()))
  const ofCampaign = 'e.account_id = $1 and e.environment = $2 and e.campaign_id = $3'
  const facts = `e.occurred_at as at, coalesce(e.step_id, '') as step_id, coalesce(e.variant_id, '') as variant_id,
    coalesce(e.sending_account_id, '') as sending_account_id, ${countOfEvents}`
  const { txId } = await findPlace(db, tenant, 'statistics')
  return db.query<Breakdown>(
    `with reader as (${placeIn('statistics')}),
     f as (
       select s.quarter as at, s.step_id, s.variant_id, s.sending_account_id, ${columns}
       from stat_quarter_hours s where s.account_id = $1 and s.environment = $2 and s.campaign_id = $3
         and s.quarter >= $7 and s.quarter < $8
       union all
       select ${facts} from reader r join events e on (e.tx_id, e.position) > (r.tx_id, r.position)
         and e.tx_id >= $9::xid8
       where ${ofCampaign} and e.type in (${typeList}) and e.occurred_at >= $4 and e.occurred_at < $5 group by 1, 2, 3, 4
       union all
       select ${facts} from reader r, events e
       where ${ofCampaign} and e.type in (${typeList}) and (e.tx_id, e.position) <= (r.tx_id, r.position)
         and ((e.occurred_at >= $4 and e.occurred_at < $7) or (e.occurred_at >= $8 and e.occurred_at < $5))
       group by 1, 2, 3, 4
     ), g as (select f.*, width_bucket(f.at, $6::timestamptz[]) as bucket from f)
     select case when grouping(f.bucket) = 0 then 'period' when grouping(f.sending_account_id) = 0 then 'sender'
         when grouping(f.variant_id) = 0 then 'variant' else 'step' end as dimension,
       f.bucket, f.step_id, f.variant_id, f.sending_account_id, ${sumOfCounts}
     from g f group by grouping sets ((f.bucket), (f.step_id), (f.step_id, f.variant_id), (f.sending_account_id))`,
    [tenant.accountId, tenant.environment, range.campaignId, range.from, range.to, range.starts, first, last, txId],
  )
}
