import type { Executor } from '../platform/db/database.ts'
import type { Tenant } from '../platform/tenant.ts'
import type { PathLine } from './breakdown.ts'
import { countedTypes, countOfEvents } from './counters.ts'

const typeList = countedTypes.map((type) => `'${type}'`).join(', ')

/** Leads by the branch that they took in [from, to), with what the log has of them from then until `to`. */
export async function listPaths(
  db: Executor,
  tenant: Tenant,
  of: { campaignId: string; from: Date; to: Date },
): Promise<PathLine[]> {
  const rows = await db.query<PathLine & { taken: number }>(
    `with taken as materialized (
       select d.step_id, d.branch_id, d.lead_id, d.decided_at,
         -- What happened in the same instant may have been before: the log is in order.
         (select min(b.position) from events b where b.account_id = $1 and b.environment = $2 and b.lead_id = d.lead_id
           and b.campaign_id = $3 and b.type = 'branch.decided' and b.step_id = d.step_id) as position
       from decisions d
       where d.account_id = $1 and d.environment = $2 and d.campaign_id = $3 and d.decided_at >= $4 and d.decided_at < $5)
     select t.step_id, t.branch_id, count(distinct t.lead_id)::int as taken,
       ${countOfEvents}
     from taken t
     left join events e on e.account_id = $1 and e.environment = $2 and e.campaign_id = $3 and e.lead_id = t.lead_id
       and e.type in (${typeList}) and e.occurred_at >= t.decided_at and e.occurred_at < $5 and e.position > coalesce(t.position, 0)
     group by t.step_id, t.branch_id order by t.step_id, t.branch_id`,
    [tenant.accountId, tenant.environment, of.campaignId, of.from, of.to],
    'list_paths',
  )
  return rows.map(({ taken, ...counts }) => ({ ...counts, leads: taken }))
}

/** How many leads have each step of a campaign that branches behind them, or stand before it. */
export async function countReached(db: Executor, tenant: Tenant, campaignId: string): Promise<Map<string, number>> {
  const rows = await db.query<{ stepId: string; count: number }>(
    `select r.step_id, count(distinct r.lead_id)::int as count from (
       select m.step_id, m.lead_id from message_heads m where m.account_id = $1 and m.environment = $2 and m.campaign_id = $3
         and m.kind = 'campaign' and m.direction = 'outbound' and m.step_id is not null
         and m.status in ('sending', 'sent', 'bounced', 'uncertain')
       union all
       select d.step_id, d.lead_id from decisions d where d.account_id = $1 and d.environment = $2 and d.campaign_id = $3
       union all
       select s.id, p.lead_id from lead_progress p
       join steps s on s.account_id = $1 and s.environment = $2 and s.campaign_id = $3
         and s.position = coalesce(p.next_step, p.current_step + 1)
       where p.account_id = $1 and p.environment = $2 and p.campaign_id = $3 and p.status in ('pending', 'active', 'paused')) r
     group by r.step_id`,
    [tenant.accountId, tenant.environment, campaignId],
    'count_reached',
  )
  return new Map(rows.map((row) => [row.stepId, row.count]))
}

/** The same where leads take every step in order: by how far they have come. */
export async function countReachedInOrder(
  db: Executor,
  tenant: Tenant,
  campaignId: string,
): Promise<Map<string, number>> {
  const rows = await db.query<{ stepId: string; count: number }>(
    `with places as (
       select p.current_step + case when p.status in ('pending', 'active', 'paused') then 1 else 0 end as place, count(*)::int as count
       from lead_progress p where p.account_id = $1 and p.environment = $2 and p.campaign_id = $3 group by 1)
     select s.id as step_id, coalesce(sum(places.count), 0)::int as count
     from steps s left join places on places.place >= s.position
     where s.account_id = $1 and s.environment = $2 and s.campaign_id = $3 group by s.id`,
    [tenant.accountId, tenant.environment, campaignId],
    'count_reached_in_order',
  )
  return new Map(rows.map((row) => [row.stepId, row.count]))
}
