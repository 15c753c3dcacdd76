import type { VerifiedAddress, VerificationResult } from '@overture/contract/verification/verification.ts'
import type { Executor } from '../platform/db/database.ts'
import type { RowRange } from '../platform/http/paging.ts'
import type { Tenant } from '../platform/tenant.ts'
import type { CheckedAddress } from './verdict.ts'

/** Adds addresses to a verification. Returns how many were new. */
export async function insertAddresses(
  tx: Executor,
  tenant: Tenant,
  { verificationId, emails, now }: { verificationId: string; emails: readonly string[]; now: Date },
): Promise<number> {
  return tx.execute(
    `insert into verification_addresses (account_id, environment, verification_id, email, due_at)
     select a.account_id, $2, $3, t.email, $5 from accounts a, unnest($4::text[]) t (email) where a.account_id = $1
     on conflict (account_id, environment, verification_id, email) do nothing`,
    [tenant.accountId, tenant.environment, verificationId, emails, now],
    'insert_verification_addresses',
  )
}

export interface UncheckedAddress {
  email: string
  attempts: number
}

/** Lists addresses without a result whose time has come, those that are due first. */
export async function listUnchecked(
  db: Executor,
  tenant: Tenant,
  of: { verificationId: string; now: Date; limit: number },
): Promise<UncheckedAddress[]> {
  return db.query<UncheckedAddress>(
    `select email, attempts from verification_addresses
     where account_id = $1 and environment = $2 and verification_id = $3 and result is null and due_at <= $4
     order by due_at limit $5`,
    [tenant.accountId, tenant.environment, of.verificationId, of.now, of.limit],
    'list_unchecked_addresses',
  )
}

/** When the next address without a result is due; null if all have one. */
export async function findNextDue(db: Executor, tenant: Tenant, verificationId: string): Promise<Date | null> {
  const rows = await db.query<{ at: Date | null }>(
    `select min(due_at) as at from verification_addresses
     where account_id = $1 and environment = $2 and verification_id = $3 and result is null`,
    [tenant.accountId, tenant.environment, verificationId],
    'find_next_due_address',
  )
  return rows[0]?.at ?? null
}

/** Stores results of addresses that have none. Returns the addresses whose result was stored. */
export async function updateResults(
  tx: Executor,
  tenant: Tenant,
  { verificationId, checked }: { verificationId: string; checked: readonly CheckedAddress[] },
): Promise<Set<string>> {
  const rows = await tx.query<{ email: string }>(
    `update verification_addresses v set result = t.result, reasons = t.reasons, suggestion = t.suggestion,
       source = t.source, checked_at = t.checked_at, credits_charged = t.credits
     from (select f->>'email' as email, f->>'result' as result, f->>'suggestion' as suggestion, f->>'source' as source,
         (f->>'checkedAt')::timestamptz as checked_at, (f->>'credits')::integer as credits,
         array(select jsonb_array_elements_text(f->'reasons')) as reasons
       from jsonb_array_elements($4::jsonb) f) t
     where v.account_id = $1 and v.environment = $2 and v.verification_id = $3 and v.email = t.email and v.result is null
     returning v.email`,
    [tenant.accountId, tenant.environment, verificationId, JSON.stringify(checked)],
    'update_address_results',
  )
  return new Set(rows.map((row) => row.email))
}

/** Counts a try of these addresses and plans the next one: after a minute, then after 4 and 16. */
export async function postponeAddresses(
  tx: Executor,
  tenant: Tenant,
  { verificationId, emails, now }: { verificationId: string; emails: readonly string[]; now: Date },
): Promise<void> {
  await tx.execute(
    `with later as (
       select email, $5::timestamptz + interval '1 minute' * power(4, attempts) as due_at from verification_addresses
       where account_id = $1 and environment = $2 and verification_id = $3 and email = any($4) and result is null
       order by email for no key update)
     update verification_addresses v set attempts = v.attempts + 1, due_at = later.due_at from later
     where v.account_id = $1 and v.environment = $2 and v.verification_id = $3 and v.email = later.email`,
    [tenant.accountId, tenant.environment, verificationId, emails, now],
    'postpone_addresses',
  )
}

export interface ResultRow extends Omit<VerifiedAddress, 'checkedAt'> {
  checkedAt: Date | null
}

interface ResultFilter {
  verificationId: string
  result: VerificationResult | null
}

const listed = `account_id = $1 and environment = $2 and verification_id = $3 and ($4::text is null or result = $4)`

/** Lists the addresses of a verification in alphabetical order. */
export async function listResults(
  db: Executor,
  tenant: Tenant,
  filter: ResultFilter,
  at: RowRange<string>,
): Promise<ResultRow[]> {
  return db.query<ResultRow>(
    `select email, result, reasons, suggestion, source, checked_at, credits_charged from verification_addresses
     where ${listed} and ($5::text is null or email > $5) order by email limit $6 offset $7`,
    [tenant.accountId, tenant.environment, filter.verificationId, filter.result, at.after, at.limit, at.offset],
    'list_address_results',
  )
}

export async function countResults(db: Executor, tenant: Tenant, filter: ResultFilter): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    `select count(*)::int as count from verification_addresses where ${listed}`,
    [tenant.accountId, tenant.environment, filter.verificationId, filter.result],
    'count_address_results',
  )
  return row?.count ?? 0
}
