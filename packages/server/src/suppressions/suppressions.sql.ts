import type { SuppressionSource } from '@overture/contract/suppressions/suppressions.ts'
import type { Executor } from '../platform/db/database.ts'
import { type RowRange, countMax } from '../platform/http/paging.ts'
import type { Tenant } from '../platform/tenant.ts'

interface SuppressionRow {
  id: string
  email: string | null
  domain: string | null
  /** The hexadecimal SHA-256 of an address that is not known. */
  sha256: string | null
  /** The suppression list with this entry. */
  list: string | null
  source: SuppressionSource
  reason: string | null
  expiresAt: Date | null
  createdAt: Date
}

interface SuppressedRow {
  email: string
  id: string
  source: SuppressionSource
  reason: string | null
  /** When the suppression was last requested. */
  askedAt: Date
}

// Suppressions expire in the tenant's time: real in live, virtual in test.
export const tenantNow = `(select case when $2 = 'test'
  then coalesce(max(coalesce(c.frozen_at, now() + c.offset_ms * interval '1 millisecond')), now())
  else now() end from sandbox_clocks c where c.account_id = $1)`

/** The sources of entries that the account adds itself, as opposed to recipients and mail servers. */
const byAccount = `('manual', 'customer', 'import')`

const columns = 'id, email, domain, sha256, list, source, reason, expires_at, created_at'

/** Lists the suppressed ones of the normalised addresses. A suppression of the address comes before one of its domain and one of a list. */
export async function listSuppressed(
  db: Executor,
  tenant: Tenant,
  addresses: { emails: readonly string[]; hashes: readonly Buffer[]; domains: readonly string[] },
): Promise<SuppressedRow[]> {
  return db.query<SuppressedRow>(
    `select distinct on (asked.email) asked.email, s.id, s.source, s.reason, max(s.asked_at) over (partition by asked.email) as asked_at
     from unnest($3::text[], $4::text[], $5::bytea[]) as asked (email, domain, hash)
     cross join lateral (
       select id, list, source, reason, expires_at, asked_at, 0 as place from suppressions
       where account_id = $1 and environment = $2 and address_hash = asked.hash
       union all
       select id, list, source, reason, expires_at, asked_at, 1 as place from suppressions
       where account_id = $1 and environment = $2 and domain = asked.domain
     ) s
     where s.expires_at is null or s.expires_at > ${tenantNow}
     order by asked.email, s.place, s.list nulls first, s.id`,
    [tenant.accountId, tenant.environment, addresses.emails, addresses.domains, addresses.hashes],
    'list_suppressed',
  )
}

export interface NewSuppression {
  id: string
  email: string | null
  /** The hash of the address; null for a domain. */
  hash: Buffer | null
  domain: string | null
  /** Null for an entry that belongs to no list. */
  list: string | null
  source: SuppressionSource
  reason: string | null
  expiresAt: Date | null
  now: Date
}

const rank = (name: string) =>
  `array_position(array['unproven', 'import', 'customer', 'manual', 'bounce', 'complaint', 'recipient'], ${name}.source)`

/**
 * Inserts a suppression or strengthens the stored one: the graver source and the later end (none is the latest) win, and an
 * expired one is replaced. After erasure only the hash is kept. The address is stored again only if the account adds it by hand
 * or import. Returns null if the stored one already covers the new one. Then only the time of the request is stored, and after
 * a bounce not even that, because no person asked.
 */
export async function upsertSuppression(
  tx: Executor,
  tenant: Tenant,
  row: NewSuppression,
): Promise<SuppressionRow | null> {
  const target =
    row.domain === null
      ? '(account_id, environment, address_hash, list) where address_hash is not null'
      : '(account_id, environment, domain, list) where domain is not null'
  const graver = `(suppressions.expires_at <= $9 or ${rank('excluded')} > ${rank('suppressions')})`
  const later = `suppressions.expires_at < coalesce(excluded.expires_at, 'infinity')`
  const known = `(suppressions.email is null and excluded.email is not null and excluded.source in ${byAccount})`
  const rows = await tx.query<SuppressionRow>(
    `insert into suppressions
       (account_id, environment, id, email, domain, address_hash, list, source, reason, expires_at, created_at, asked_at)
     values ($1, $2, $3, $4, $5, $10, $11, $6, $7, $8, $9, $9)
     on conflict ${target} do update set
       email = case when excluded.source in ${byAccount} then coalesce(suppressions.email, excluded.email)
         else suppressions.email end,
       sha256 = case when suppressions.email is null and excluded.email is null then suppressions.sha256 end,
       import_id = null,
       source = case when ${graver} then excluded.source else suppressions.source end,
       reason = case when ${graver} then excluded.reason else suppressions.reason end,
       asked_at = greatest(suppressions.asked_at, excluded.asked_at),
       expires_at = case when suppressions.expires_at <= $9 then excluded.expires_at
         when suppressions.expires_at is null or excluded.expires_at is null then null
         else greatest(suppressions.expires_at, excluded.expires_at) end
     where ${graver} or ${later} or ${known}
     returning ${columns}`,
    [
      tenant.accountId,
      tenant.environment,
      row.id,
      row.email,
      row.domain,
      row.source,
      row.reason,
      row.expiresAt,
      row.now,
      row.hash,
      row.list,
    ],
  )
  const stored = rows[0] ?? null
  if (stored === null && row.source !== 'bounce' && (row.hash !== null || row.list !== null))
    await touchSuppression(tx, tenant, row)
  return stored
}

/** Finds the suppression of an address or of a domain in a list, or outside of all lists. */
export async function findSuppression(
  db: Executor,
  tenant: Tenant,
  { hash, domain, list }: Pick<NewSuppression, 'hash' | 'domain' | 'list'>,
): Promise<SuppressionRow | null> {
  const rows = await db.query<SuppressionRow>(
    `select ${columns} from suppressions
     where account_id = $1 and environment = $2 and (address_hash = $3 or domain = $4)
       and list is not distinct from $5 limit 1`,
    [tenant.accountId, tenant.environment, hash, domain, list],
    'find_suppression',
  )
  return rows[0] ?? null
}

export interface SuppressionFilter {
  /** A pattern for `like`, lower case, already escaped. */
  pattern: string | null
  source: SuppressionSource | null
  list: string | null
}

const listed = `account_id = $1 and environment = $2
  and ($3::text is null or email like $3 or domain like $3)
  and ($4::text is null or source = $4)
  and ($5::text is null or list = $5)
  and (expires_at is null or expires_at > ${tenantNow})`

/** Lists suppressions newest first. */
export async function listSuppressions(
  db: Executor,
  tenant: Tenant,
  filter: SuppressionFilter,
  range: RowRange<string>,
): Promise<SuppressionRow[]> {
  return db.query<SuppressionRow>(
    `select ${columns} from suppressions
     where ${listed} and ($6::text is null or id < $6)
     order by id desc limit $7 offset $8`,
    [...filterValues(tenant, filter), range.after, range.limit, range.offset],
  )
}

export async function countSuppressions(db: Executor, tenant: Tenant, filter: SuppressionFilter): Promise<number> {
  const rows = await db.query<{ count: number }>(
    `select count(*) as count from (select 1 from suppressions where ${listed} limit $6) found`,
    [...filterValues(tenant, filter), filter.pattern === null ? null : countMax],
  )
  return Number(rows[0]?.count ?? 0)
}

function filterValues(tenant: Tenant, { pattern, source, list }: SuppressionFilter): unknown[] {
  return [tenant.accountId, tenant.environment, pattern, source, list]
}

/** Counts unproven suppressions with this reason, up to the limit. */
export async function countUnproven(
  tx: Executor,
  tenant: Tenant,
  { reason, limit }: { reason: string; limit: number },
): Promise<number> {
  const rows = await tx.query<{ count: number }>(
    `select count(*)::int as count from (select 1 from suppressions
       where account_id = $1 and environment = $2 and source = 'unproven' and reason = $3 limit $4) found`,
    [tenant.accountId, tenant.environment, reason, limit],
    'count_unproven',
  )
  return rows[0]?.count ?? 0
}

/** Stores that a recipient or a user asked again. A mail that the recipient wrote before then no longer allows a reply. */
async function touchSuppression(
  tx: Executor,
  tenant: Tenant,
  { hash, domain, list, now }: Pick<NewSuppression, 'hash' | 'domain' | 'list' | 'now'>,
): Promise<void> {
  await tx.execute(
    `update suppressions set asked_at = greatest(asked_at, $4), import_id = null
     where account_id = $1 and environment = $2 and (address_hash = $3 or domain = $5) and list is not distinct from $6
       and (asked_at < $4 or import_id is not null)`,
    [tenant.accountId, tenant.environment, hash, now, domain, list],
    'touch_suppression',
  )
}

export async function lockSuppression(tx: Executor, tenant: Tenant, id: string): Promise<SuppressionRow | null> {
  const rows = await tx.query<SuppressionRow>(
    `select ${columns} from suppressions where account_id = $1 and environment = $2 and id = $3 for update`,
    [tenant.accountId, tenant.environment, id],
  )
  return rows[0] ?? null
}

export async function deleteSuppression(tx: Executor, tenant: Tenant, id: string): Promise<void> {
  await tx.execute('delete from suppressions where account_id = $1 and environment = $2 and id = $3', [
    tenant.accountId,
    tenant.environment,
    id,
  ])
}

/** Deletes a suppression that only a bounce caused. A later request of a person for the same address moved `asked_at`. */
export async function deleteBounceSuppression(
  tx: Executor,
  tenant: Tenant,
  { hash, reasons }: { hash: Buffer; reasons: readonly string[] },
): Promise<boolean> {
  const count = await tx.execute(
    `delete from suppressions where account_id = $1 and environment = $2 and address_hash = $3 and source = 'bounce'
       and reason = any($4) and asked_at = created_at`,
    [tenant.accountId, tenant.environment, hash, reasons],
    'delete_bounce_suppression',
  )
  return count > 0
}

/** Keeps only the hash, so that the address is never written to again. */
export async function upsertErasedSuppression(
  tx: Executor,
  tenant: Tenant,
  erased: { id: string; hash: Buffer; now: Date },
): Promise<void> {
  await tx.execute(
    `insert into suppressions (account_id, environment, id, email, domain, address_hash, source, reason, expires_at, created_at, asked_at)
     values ($1, $2, $3, null, null, $4, 'manual', 'erased', null, $5, $5)
     on conflict (account_id, environment, address_hash, list) where address_hash is not null
     do update set email = null, sha256 = null, expires_at = null, reason = 'erased'`,
    [tenant.accountId, tenant.environment, erased.id, erased.hash, erased.now],
  )
  await tx.execute(
    `update suppressions set email = null, sha256 = null, reason = 'erased'
     where account_id = $1 and environment = $2 and address_hash = $3 and list is not null`,
    [tenant.accountId, tenant.environment, erased.hash],
  )
}
