import type { PlanId } from '@overture/contract/accounts/credits.ts'
import type { Executor } from '../platform/db/database.ts'
import type { AccountRow } from './account.ts'

const columns = `account_id, name, plan, default_timezone, postal_address, privacy_contact, privacy_url, reply_knowledge,
  api_access_enabled, requests_per_minute, burst_per_second, monthly_requests, max_api_keys, trial_ends_at, created_at`

export async function findAccount(db: Executor, accountId: string): Promise<AccountRow | null> {
  const rows = await db.query<AccountRow>(
    `select ${columns} from accounts where account_id = $1`,
    [accountId],
    'find_account',
  )
  return rows[0] ?? null
}

/** Locks the account until the end of the transaction. Work that counts rows of the account waits here. */
export async function lockAccount(db: Executor, accountId: string): Promise<AccountRow | null> {
  const rows = await db.query<AccountRow>(
    `select ${columns} from accounts where account_id = $1 for no key update`,
    [accountId],
    'lock_account',
  )
  return rows[0] ?? null
}

export async function listAccountsAcrossAccounts(db: Executor): Promise<AccountRow[]> {
  return db.query<AccountRow>(`select ${columns} from accounts order by account_id`)
}

/** The account that was made first, which is meant when an operator names none. */
export async function findFirstAccountIdAcrossAccounts(db: Executor): Promise<string | null> {
  const [row] = await db.query<{ accountId: string }>(
    'select account_id from accounts order by created_at, account_id limit 1',
  )
  return row?.accountId ?? null
}

export async function insertAccount(db: Executor, row: AccountRow): Promise<void> {
  await db.execute(
    `insert into accounts (${columns}) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)`,
    [
      row.accountId,
      row.name,
      row.plan,
      row.defaultTimezone,
      row.postalAddress,
      row.privacyContact,
      row.privacyUrl,
      row.replyKnowledge,
      row.apiAccessEnabled,
      row.requestsPerMinute,
      row.burstPerSecond,
      row.monthlyRequests,
      row.maxApiKeys,
      row.trialEndsAt,
      row.createdAt,
    ],
  )
}

/** Writes all fields that can change. */
export async function updateAccountRow(db: Executor, row: AccountRow): Promise<void> {
  await db.execute(
    `update accounts set name = $2, plan = $3, default_timezone = $4, postal_address = $5, api_access_enabled = $6,
       requests_per_minute = $7, burst_per_second = $8, monthly_requests = $9, max_api_keys = $10, trial_ends_at = $11,
       privacy_contact = $12, privacy_url = $13, reply_knowledge = $14
     where account_id = $1`,
    [
      row.accountId,
      row.name,
      row.plan,
      row.defaultTimezone,
      row.postalAddress,
      row.apiAccessEnabled,
      row.requestsPerMinute,
      row.burstPerSecond,
      row.monthlyRequests,
      row.maxApiKeys,
      row.trialEndsAt,
      row.privacyContact,
      row.privacyUrl,
      row.replyKnowledge,
    ],
    'update_account_row',
  )
}

/** Requests counted (and, on a running server, reserved) in the month that starts at `month`. */
export async function findMonthlyUsage(db: Executor, accountId: string, month: Date): Promise<number> {
  const rows = await db.query<{ requests: number }>(
    `select requests from monthly_usage where account_id = $1 and month = ($2::timestamptz at time zone 'UTC')::date`,
    [accountId, month],
    'find_monthly_usage',
  )
  return rows[0]?.requests ?? 0
}

/** Stores the plan that was paid for. Its credits are granted in the same transaction. */
export async function updatePaidPlan(db: Executor, accountId: string, plan: PlanId): Promise<void> {
  await db.execute(`update accounts set plan = $2, trial_ends_at = null where account_id = $1`, [accountId, plan])
}
