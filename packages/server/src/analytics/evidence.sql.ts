import type { Executor } from '../platform/db/database.ts'
import { findPlace, placeIn } from '../platform/events/places.sql.ts'
import type { Tenant } from '../platform/tenant.ts'
import { countSql } from './counters.ts'
import type { Evidence } from '../campaigns/sequence/variant-selection.ts'

/**
 * The results of the variants of some steps up to now: the rollup plus the events that are not rolled up yet. It is one statement
 * for all of them, whose cost doesn't grow with the log. A variant without a message has no line.
 */
export async function listVariantEvidence(
  db: Executor,
  tenant: Tenant,
  steps: { campaignIds: readonly string[]; stepIds: readonly string[] },
): Promise<({ variantId: string } & Evidence)[]> {
  const { txId } = await findPlace(db, tenant, 'statistics')
  return db.query(
    `with reader as (${placeIn('statistics')}), f as (
       select v.variant_id, v.sent, v.bounced, v.unique_replied from stat_variants v
       where v.account_id = $1 and v.environment = $2 and v.campaign_id = any($3) and v.step_id = any($4)
       union all
       select e.variant_id, ${countSql('sent')}, ${countSql('bounced')} + ${countSql('returned')} as bounced, ${countSql('unique_replied')}
       from reader r join events e on (e.tx_id, e.position) > (r.tx_id, r.position)
         and e.tx_id >= $5::xid8
       where e.account_id = $1 and e.environment = $2 and e.campaign_id = any($3) and e.step_id = any($4)
         and e.variant_id is not null and e.type in ('message.sent', 'message.bounced', 'message.returned', 'reply.received')
       group by 1
     )
     select f.variant_id, greatest(0, sum(f.sent) - sum(f.bounced))::int as delivered,
       sum(f.unique_replied)::int as replied
     from f group by 1`,
    [tenant.accountId, tenant.environment, steps.campaignIds, steps.stepIds, txId],
    'list_variant_evidence',
  )
}
