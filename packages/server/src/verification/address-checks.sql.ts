import type { VerificationSource } from '@overture/contract/verification/verification.ts'
import type { AddressCheck, AddressRules } from '@overture/planner/address-check.ts'
import type { Executor } from '../platform/db/database.ts'
import type { Tenant } from '../platform/tenant.ts'
import type { CheckedAddress, Verdict } from './verdict.ts'

/** Stores the last result of addresses. An older result never replaces a newer one. */
export async function upsertAddressChecks(
  tx: Executor,
  tenant: Tenant,
  checked: readonly CheckedAddress[],
): Promise<void> {
  await tx.execute(
    `insert into address_checks (account_id, environment, email, result, reasons, suggestion, source, checked_at)
     select a.account_id, $2, f->>'email', f->>'result', array(select jsonb_array_elements_text(f->'reasons')),
       f->>'suggestion', f->>'source', (f->>'checkedAt')::timestamptz
     from accounts a, jsonb_array_elements($3::jsonb) f where a.account_id = $1
     -- Verifications that run at the same time lock the rows in this order.
     order by f->>'email'
     on conflict (account_id, environment, email) do update set result = excluded.result, reasons = excluded.reasons,
       suggestion = excluded.suggestion, source = excluded.source, checked_at = excluded.checked_at, recorded_at = excluded.recorded_at
     where address_checks.checked_at < excluded.checked_at`,
    [tenant.accountId, tenant.environment, JSON.stringify(checked)],
    'upsert_address_checks',
  )
}

export interface StoredCheck extends Verdict {
  email: string
  source: VerificationSource
  checkedAt: Date
}

/** Lists definite results of mailboxes that are younger than `since`. Rules and history are asked again each time. */
export async function listStoredChecks(
  db: Executor,
  tenant: Tenant,
  { emails, since }: { emails: readonly string[]; since: Date },
): Promise<StoredCheck[]> {
  return db.query<StoredCheck>(
    `select email, result, reasons, suggestion, source, checked_at from address_checks
     where account_id = $1 and environment = $2 and email = any($3) and checked_at > $4
       and source not in ('rules', 'history') and result <> 'unknown'`,
    [tenant.accountId, tenant.environment, emails, since],
    'list_stored_checks',
  )
}

/** Lists the rules of campaigns that have any. */
export async function listAddressRules(
  db: Executor,
  tenant: Tenant,
  campaignIds: readonly string[],
): Promise<{ id: string; rules: AddressRules }[]> {
  return db.query(
    `select id, settings->'verification' as rules from campaigns
     where account_id = $1 and environment = $2 and id = any($3)
       and (settings->'verification'->>'mode' <> 'off' or settings->'verification'->>'roleAddresses' = 'block')`,
    [tenant.accountId, tenant.environment, campaignIds],
    'list_address_rules',
  )
}

/** Lists the last results of addresses. Results are deleted after 90 days. */
export async function listLastChecks(
  db: Executor,
  tenant: Tenant,
  emails: readonly string[],
): Promise<(AddressCheck & { email: string })[]> {
  return db.query(
    `select email, result, reasons, checked_at from address_checks
     where account_id = $1 and environment = $2 and email = any($3)`,
    [tenant.accountId, tenant.environment, emails],
    'list_last_checks',
  )
}

/** Whether the last result of an address is `deliverable`. */
export async function isCalledDeliverable(db: Executor, tenant: Tenant, email: string): Promise<boolean> {
  const [row] = await db.query(
    `select 1 from address_checks where account_id = $1 and environment = $2 and email = $3 and result = 'deliverable'`,
    [tenant.accountId, tenant.environment, email],
    'find_deliverable_check',
  )
  return row !== undefined
}
