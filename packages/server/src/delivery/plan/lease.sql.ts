import type { Executor } from '../../platform/db/database.ts'
import type { Tenant } from '../../platform/tenant.ts'

export interface DueTenant extends Tenant {
  /** The tenant's time at the moment of the claim. */
  now: Date
  /** Whether the tenant has a virtual clock that is stopped. */
  frozen: boolean
  /** The trace of the last request for a plan. */
  trace: string | null
}

const tenantNow = `case when p.environment = 'test'
  then coalesce(c.frozen_at, $1::timestamptz + coalesce(c.offset_ms, 0) * interval '1 millisecond') else $1::timestamptz end`

/** Tenants with something to plan by `realNow` and a free planning lease. */
export async function listDueTenantsAcrossAccounts(
  db: Executor,
  { realNow, limit }: { realNow: Date; limit: number },
): Promise<DueTenant[]> {
  return db.query<DueTenant>(
    `select p.account_id, p.environment, ${tenantNow} as now, c.frozen_at is not null as frozen, p.trace
     from planning p left join sandbox_clocks c on c.account_id = p.account_id and p.environment = 'test'
     where ((p.lease_until is null and p.next_plan_at is not null
         and (p.next_plan_at <= $1 or p.environment = 'test') and p.next_plan_at <= ${tenantNow})
       or p.lease_until < now())
       and (p.environment = 'test' or not exists (select 1 from settings h where h.name = 'sending_held'))
     order by p.next_plan_at nulls first limit $2`,
    [realNow, limit],
    'list_due_tenants_across_accounts',
  )
}

/**
 * Takes the planning lease of a tenant. Clears the wake-up time, so that one written during planning is not lost. Returns false
 * if another planner has the lease.
 */
export async function claimPlanning(
  db: Executor,
  tenant: Tenant,
  lease: { token: string; leaseMs: number; held: boolean },
): Promise<boolean> {
  const values = [tenant.accountId, tenant.environment, lease.token, lease.leaseMs]
  const changed = await db.execute(
    `update planning set next_plan_at = null, trace = null, lease_token = $3, lease_until = now() + $4::int * interval '1 millisecond'
     where account_id = $1 and environment = $2
       and (($5 and lease_token = $3) or (not $5 and (lease_until is null or lease_until < now())))`,
    [...values, lease.held],
    'lease_planning',
  )
  if (changed === 1) return true
  if (lease.held) return false
  const added = await db.execute(
    `insert into planning (account_id, environment, next_plan_at, lease_token, lease_until)
     values ($1, $2, null, $3, now() + $4::int * interval '1 millisecond')
     on conflict do nothing`,
    values,
    'lease_new_planning',
  )
  return added === 1
}

/**
 * Whether this token still has the lease. The row stays locked until the transaction ends, so that another planner can take the
 * lease only after the plan is stored. Call it last: requests lock campaigns before this row.
 */
export async function holdsPlanning(tx: Executor, tenant: Tenant, token: string): Promise<boolean> {
  const rows = await tx.query(
    `select 1 from planning where account_id = $1 and environment = $2 and lease_token = $3 for no key update`,
    [tenant.accountId, tenant.environment, token],
    'holds_planning',
  )
  return rows.length > 0
}

/** Releases the lease. Returns when to plan the tenant next, including wake-ups during planning. */
export async function releasePlanning(
  db: Executor,
  tenant: Tenant,
  release: { token: string; nextPlanAt: Date | null; keep: boolean },
): Promise<Date | null> {
  const rows = await db.query<{ nextPlanAt: Date | null }>(
    `update planning set next_plan_at = least(next_plan_at, $4), 
       lease_token = case when $5 then lease_token end, lease_until = case when $5 then lease_until end
     where account_id = $1 and environment = $2 and lease_token = $3 returning next_plan_at`,
    [tenant.accountId, tenant.environment, release.token, release.nextPlanAt, release.keep],
    'release_planning',
  )
  return rows[0]?.nextPlanAt ?? null
}
