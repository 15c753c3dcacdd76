import type { LedgerEntryType, PlanId } from '@overture/contract/accounts/credits.ts'
import type { Environment } from '@overture/contract/endpoint.ts'
import type { Executor } from '../platform/db/database.ts'
import type { RowRange } from '../platform/http/paging.ts'
import type { Tenant } from '../platform/tenant.ts'
import type { Balance } from './balance.ts'

export interface BalanceRow extends Balance {
  plan: PlanId
  periodStart: Date | null
  periodEnd: Date | null
}

export interface LedgerRow {
  id: string
  position: number
  type: LedgerEntryType
  amount: number
  balanceAfter: number
  reason: string
  reference: string | null
  createdAt: Date
}

interface ReservationRow {
  amount: number
  leadCredits: boolean
  reason: string
  reference: string | null
}

const balanceColumns = `b.balance, b.expiring, b.reserved, b.lead_used, b.lead_reserved, b.period_start, b.period_end,
  a.plan`

/** Returns true if the row was made, false if it existed. */
export async function insertBalance(db: Executor, tenant: Tenant): Promise<boolean> {
  const inserted = await db.execute(
    `insert into credit_balances (account_id, environment, balance) values ($1, $2, 0)
     on conflict (account_id, environment) do nothing`,
    [tenant.accountId, tenant.environment],
    'insert_credit_balance',
  )
  return inserted === 1
}

export async function lockBalance(db: Executor, tenant: Tenant): Promise<BalanceRow | null> {
  const rows = await db.query<BalanceRow>(
    `select ${balanceColumns}
     from credit_balances b join accounts a on a.account_id = $1
     where b.account_id = $1 and b.environment = $2
     for update of b`,
    [tenant.accountId, tenant.environment],
    'lock_credit_balance',
  )
  return rows[0] ?? null
}

export async function findBalance(db: Executor, tenant: Tenant): Promise<BalanceRow | null> {
  const rows = await db.query<BalanceRow>(
    `select ${balanceColumns}
     from credit_balances b join accounts a on a.account_id = $1
     where b.account_id = $1 and b.environment = $2`,
    [tenant.accountId, tenant.environment],
    'find_credit_balance',
  )
  return rows[0] ?? null
}

export async function updateBalance(db: Executor, tenant: Tenant, next: Balance): Promise<void> {
  await db.execute(
    `update credit_balances
     set balance = $3, expiring = $4, reserved = $5, lead_used = $6, lead_reserved = $7
     where account_id = $1 and environment = $2`,
    [
      tenant.accountId,
      tenant.environment,
      next.balance,
      next.expiring,
      next.reserved,
      next.leadUsed,
      next.leadReserved,
    ],
    'update_credit_balance',
  )
}

export async function updatePeriod(
  db: Executor,
  tenant: Tenant,
  period: { start: Date | null; end: Date | null },
): Promise<void> {
  await db.execute(
    `update credit_balances set period_start = $3, period_end = $4 where account_id = $1 and environment = $2`,
    [tenant.accountId, tenant.environment, period.start, period.end],
  )
}

interface NewLedgerEntry {
  id: string
  type: LedgerEntryType
  amount: number
  balanceAfter: number
  reason: string
  reference: string | null
  leadCredits: boolean
}

export async function insertLedgerEntry(db: Executor, tenant: Tenant, entry: NewLedgerEntry): Promise<Date> {
  const rows = await db.query<{ createdAt: Date }>(
    `insert into credit_ledger
       (account_id, environment, id, type, amount, balance_after, reason, reference, lead_credits)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
     returning created_at`,
    [
      tenant.accountId,
      tenant.environment,
      entry.id,
      entry.type,
      entry.amount,
      entry.balanceAfter,
      entry.reason,
      entry.reference,
      entry.leadCredits,
    ],
    'insert_ledger_entry',
  )
  return rows[0]!.createdAt
}

export async function findPurchase(db: Executor, tenant: Tenant, reference: string): Promise<string | null> {
  const rows = await db.query<{ id: string }>(
    `select id from credit_ledger
     where account_id = $1 and environment = $2 and type = 'purchase' and reference = $3`,
    [tenant.accountId, tenant.environment, reference],
  )
  return rows[0]?.id ?? null
}

/** Lists entries newest first. With a cursor, lists those before `range.after`. */
export async function listLedger(db: Executor, tenant: Tenant, range: RowRange<number>): Promise<LedgerRow[]> {
  return db.query<LedgerRow>(
    `select id, position, type, amount, balance_after, reason, reference, created_at
     from credit_ledger
     where account_id = $1 and environment = $2 and ($3::bigint is null or position < $3)
     order by position desc offset $4 limit $5`,
    [tenant.accountId, tenant.environment, range.after, range.offset, range.limit],
  )
}

export async function countLedger(db: Executor, tenant: Tenant): Promise<number> {
  const rows = await db.query<{ count: number }>(
    `select count(*) as count from credit_ledger where account_id = $1 and environment = $2`,
    [tenant.accountId, tenant.environment],
  )
  return Number(rows[0]?.count ?? 0)
}

export async function insertReservation(
  db: Executor,
  tenant: Tenant,
  reservation: ReservationRow & { id: string; ttlSeconds: number },
): Promise<void> {
  await db.execute(
    `insert into credit_reservations
       (account_id, environment, id, amount, lead_credits, reason, reference, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7, now() + make_interval(secs => $8))`,
    [
      tenant.accountId,
      tenant.environment,
      reservation.id,
      reservation.amount,
      reservation.leadCredits,
      reservation.reason,
      reservation.reference,
      reservation.ttlSeconds,
    ],
  )
}

export async function deleteReservation(db: Executor, tenant: Tenant, id: string): Promise<ReservationRow | null> {
  const rows = await db.query<ReservationRow>(
    `delete from credit_reservations where account_id = $1 and environment = $2 and id = $3
     returning amount, lead_credits, reason, reference`,
    [tenant.accountId, tenant.environment, id],
  )
  return rows[0] ?? null
}

export async function findExpiredReservationsAcrossAccounts(
  db: Executor,
  limit: number,
): Promise<{ accountId: string; environment: Environment; id: string }[]> {
  return db.query(
    `select account_id, environment, id from credit_reservations where expires_at < now()
     order by expires_at limit $1`,
    [limit],
  )
}

/** Finds balances whose plan period or trial has ended. */
export async function findEndedPeriodsAcrossAccounts(
  db: Executor,
  now: Date,
  limit: number,
): Promise<{ accountId: string; environment: Environment }[]> {
  return db.query(
    `select account_id, environment from credit_balances where period_end <= $1 order by period_end limit $2`,
    [now, limit],
  )
}

/** Finds balances that are not the sum of their ledger, in one snapshot. There are none unless something is broken. */
export async function findDisagreementsAcrossAccounts(
  db: Executor,
): Promise<{ accountId: string; environment: Environment; balance: number; ledger: number }[]> {
  return db.query(
    `select b.account_id, b.environment, b.balance, coalesce(l.total, 0) as ledger
     from credit_balances b
     left join (
       select account_id, environment, sum(amount) as total from credit_ledger group by account_id, environment
     ) l on l.account_id = b.account_id and l.environment = b.environment
     where b.balance <> coalesce(l.total, 0)`,
  )
}
