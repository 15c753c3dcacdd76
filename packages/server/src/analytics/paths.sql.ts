import { openList } from '@overture/ground/lead-statuses.ts'
import type { Executor } from '../platform/db/database.ts'
import type { Tenant } from '../platform/tenant.ts'
import type { PathLine } from './breakdown.ts'
import { countedTypes, countOfEvents } from './counters.ts'

const typeList = countedTypes.map((type) => `'${type}'`).join(', ')
/** All decisions of the row's lead, as arrays of the same length. */
const ofEachDecision = ['step_id', 'branch_id', 'decided_at', 'decided_position']
  .map((column) => `array_agg(p.${column}) filter (where p.decided_at is not null) over lead as ${column}s`)
  .join(', ')

/**
 * Counts leads per branch that they took in [from, to), with their events from the decision until `to`.
 *
 * Decisions and events are sorted together by lead, not joined. PostgreSQL estimates that a table that just grew is almost empty, and
 * a join then reads the whole log of the campaign once for each decision.
 */
export async function listPaths(
  db: Executor,
  tenant: Tenant,
  of: { campaignId: string; from: Date; to: Date },
): Promise<PathLine[]> {
  const rows = await db.query<PathLine & { taken: number }>(
    `with facts as (
       select d.lead_id, d.step_id, d.branch_id, d.decided_at, null as type, d.decided_at as occurred_at, null::bigint as position,
         null::jsonb as data
       from decisions d
       where d.account_id = $1 and d.environment = $2 and d.campaign_id = $3 and d.decided_at >= $4 and d.decided_at < $5
       union all
       select e.lead_id, e.step_id, null, null, e.type, e.occurred_at, e.position, e.data from events e
       where e.account_id = $1 and e.environment = $2 and e.campaign_id = $3 and e.lead_id is not null
         and e.type in (${typeList}, 'branch.decided') and e.occurred_at >= $4 and e.occurred_at < $5),
     placed as (
       -- What happened in the same instant may have been before: the log is in order.
       select f.*, min(f.position) filter (where f.type = 'branch.decided') over (partition by f.lead_id, f.step_id) as decided_position
       from facts f),
     followed as (
       select p.lead_id, p.step_id, p.type, p.occurred_at, p.position, p.data, ${ofEachDecision}
       from placed p window lead as (partition by p.lead_id))
     select d.step_id, d.branch_id, count(distinct e.lead_id)::int as taken,
       ${countOfEvents}
     from followed e
     cross join lateral unnest(e.step_ids, e.branch_ids, e.decided_ats, e.decided_positions) d (step_id, branch_id, decided_at, position)
     -- A decision has no type: it counts its lead, and no event.
     where e.type is null or (e.occurred_at >= d.decided_at and e.position > coalesce(d.position, 0))
     group by d.step_id, d.branch_id order by d.step_id, d.branch_id`,
    [tenant.accountId, tenant.environment, of.campaignId, of.from, of.to],
    'list_paths',
  )
  return rows.map(({ taken, ...counts }) => ({ ...counts, leads: taken }))
}

/** For a campaign with branches, the number of leads per step that have completed it or are waiting for it. */
export async function countReached(db: Executor, tenant: Tenant, campaignId: string): Promise<Map<string, number>> {
  const rows = await db.query<{ stepId: string; count: number }>(
    `select r.step_id, count(distinct r.lead_id)::int as count from (
       select m.step_id, m.lead_id from message_heads m where m.account_id = $1 and m.environment = $2 and m.campaign_id = $3
         and m.kind = 'campaign' and m.direction = 'outbound' and m.step_id is not null
         and m.status in ('sending', 'sent', 'bounced', 'returned', 'uncertain')
       union all
       select d.step_id, d.lead_id from decisions d where d.account_id = $1 and d.environment = $2 and d.campaign_id = $3
       union all
       select k.step_id, k.lead_id from tasks k where k.account_id = $1 and k.environment = $2 and k.campaign_id = $3
       union all
       -- Looked up, not joined: a join may read all leads again for each step.
       select (select jsonb_object_agg(s.position, s.id) from steps s
           where s.account_id = $1 and s.environment = $2 and s.campaign_id = $3) ->> coalesce(p.next_step, p.current_step + 1)::text,
         p.lead_id from lead_progress p
       where p.account_id = $1 and p.environment = $2 and p.campaign_id = $3 and p.status in ${openList}) r
     where r.step_id is not null group by r.step_id`,
    [tenant.accountId, tenant.environment, campaignId],
    'count_reached',
  )
  return new Map(rows.map((row) => [row.stepId, row.count]))
}

/** The same for a sequence without branches, computed from each lead's current step. */
export async function countReachedInOrder(
  db: Executor,
  tenant: Tenant,
  campaignId: string,
): Promise<Map<string, number>> {
  const rows = await db.query<{ stepId: string; count: number }>(
    `with places as (
       select p.current_step + case when p.status in ${openList} then 1 else 0 end as place, count(*)::int as count
       from lead_progress p where p.account_id = $1 and p.environment = $2 and p.campaign_id = $3 group by 1)
     select s.id as step_id, coalesce(sum(places.count), 0)::int as count
     from steps s left join places on places.place >= s.position
     where s.account_id = $1 and s.environment = $2 and s.campaign_id = $3 group by s.id`,
    [tenant.accountId, tenant.environment, campaignId],
    'count_reached_in_order',
  )
  return new Map(rows.map((row) => [row.stepId, row.count]))
}

/** The number of leads by step whose next step it is, and that have not ended. */
export async function countWaiting(db: Executor, tenant: Tenant, campaignId: string): Promise<Map<string, number>> {
  const rows = await db.query<{ stepId: string; count: number }>(
    `with places as (
       select coalesce(p.next_step, p.current_step + 1) as place, count(*)::int as count
       from lead_progress p
       where p.account_id = $1 and p.environment = $2 and p.campaign_id = $3 and p.status in ${openList} group by 1)
     select s.id as step_id, places.count from steps s join places on places.place = s.position
     where s.account_id = $1 and s.environment = $2 and s.campaign_id = $3`,
    [tenant.accountId, tenant.environment, campaignId],
    'count_waiting',
  )
  return new Map(rows.map((row) => [row.stepId, row.count]))
}
