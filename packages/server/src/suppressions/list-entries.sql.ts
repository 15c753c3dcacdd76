import { listedRows, rowLists, type Executor, type ListColumn } from '../platform/db/database.ts'
import type { RowRange } from '../platform/http/paging.ts'
import type { Tenant } from '../platform/tenant.ts'
import { tenantNow } from './suppressions.sql.ts'

/** An entry of a suppression list. Its address, its domain or the SHA-256 of its address is known. */
export interface ListEntry {
  id: string
  email: string | null
  domain: string | null
  sha256: string | null
  /** The hash of the address; null for a domain. */
  hash: Buffer | null
  reason: string | null
  expiresAt: Date | null
}

/** The import that writes a list, and the time of its upload. */
interface ListImport {
  list: string
  importId: string
  importedAt: Date
}

const columns: readonly ListColumn<ListEntry>[] = [
  ['id', 'text', (entry) => entry.id],
  ['email', 'text', (entry) => entry.email],
  ['domain', 'text', (entry) => entry.domain],
  ['sha256', 'text', (entry) => entry.sha256],
  ['address_hash', 'bytea', (entry) => entry.hash],
  ['reason', 'text', (entry) => entry.reason],
  ['expires_at', 'timestamptz', (entry) => entry.expiresAt],
]

/** Entries that were stored before the file was uploaded. A later import or request keeps what it stored, whatever runs first. */
const isOlder = (entry: string) =>
  `(${entry}.import_id <= $4 or (${entry}.import_id is null and ${entry}.asked_at <= $5))`

/**
 * Stores entries of one list, each once: either addresses or domains. An entry that the list already contains gets the reason and the end
 * of the file. Returns the ids of the written rows: for a new entry its own, else the id of the stored entry.
 */
export async function upsertListEntries(
  tx: Executor,
  tenant: Tenant,
  { list, importId, importedAt, entries }: ListImport & { entries: readonly ListEntry[] },
): Promise<Set<string>> {
  const target = entries[0]?.hash === null ? 'domain' : 'address_hash'
  const rows = await tx.query<{ id: string }>(
    `insert into suppressions as s (account_id, environment, id, email, domain, sha256, address_hash, list, import_id, source, reason,
       expires_at, created_at, asked_at)
     select a.account_id, $2, t.id, t.email, t.domain, t.sha256, t.address_hash, $3, $4, 'customer', t.reason, t.expires_at, $5, $5
     from accounts a, ${listedRows(columns, 6)} where a.account_id = $1
     on conflict (account_id, environment, ${target}, list) where ${target} is not null do update set
       email = coalesce(s.email, excluded.email),
       sha256 = case when s.email is null and excluded.email is null then excluded.sha256 end,
       reason = excluded.reason, expires_at = excluded.expires_at, import_id = excluded.import_id
     where ${isOlder('s')}
     returning s.id`,
    [tenant.accountId, tenant.environment, list, importId, importedAt, ...rowLists(columns, entries)],
    `upsert_list_entries_${target}`,
  )
  return new Set(rows.map((row) => row.id))
}

/** Returns the last id of a page of a list's entries, or null after the last entry. */
export async function findEndOfPage(
  db: Executor,
  tenant: Tenant,
  page: { list: string; after: string; limit: number },
): Promise<string | null> {
  const [row] = await db.query<{ id: string | null }>(
    `select max(id) as id from (select id from suppressions
       where account_id = $1 and environment = $2 and list = $3 and id > $4 order by id limit $5) page`,
    [tenant.accountId, tenant.environment, page.list, page.after, page.limit],
    'find_end_of_page',
  )
  return row?.id ?? null
}

/** Deletes the entries of a page that were stored before the file was uploaded and that the file does not contain. */
export async function deleteOlderEntries(
  tx: Executor,
  tenant: Tenant,
  { list, importId, importedAt, after, last }: ListImport & { after: string; last: string },
): Promise<number> {
  return tx.execute(
    `delete from suppressions s where s.account_id = $1 and s.environment = $2 and s.list = $3 and s.import_id is distinct from $4
       and ${isOlder('s')} and s.id > $6 and s.id <= $7`,
    [tenant.accountId, tenant.environment, list, importId, importedAt, after, last],
    'delete_older_entries',
  )
}

/** Returns when the next suppression ends, or null. */
export async function findNextExpiry(db: Executor, tenant: Tenant, after: Date): Promise<Date | null> {
  const [row] = await db.query<{ at: Date | null }>(
    `select min(expires_at) as at from suppressions where account_id = $1 and environment = $2 and expires_at > $3`,
    [tenant.accountId, tenant.environment, after],
    'find_next_expiry',
  )
  return row?.at ?? null
}

interface ListRow {
  name: string
  entries: number
}

/** The suppression lists by name, with the number of entries that have not ended. */
export async function listSuppressionLists(db: Executor, tenant: Tenant, range: RowRange<string>): Promise<ListRow[]> {
  return db.query<ListRow>(
    `select list as name, (count(*) filter (where expires_at is null or expires_at > ${tenantNow}))::int as entries from suppressions
     where account_id = $1 and environment = $2 and list is not null and list > coalesce($3, '')
     group by list order by list limit $4 offset $5`,
    [tenant.accountId, tenant.environment, range.after, range.limit, range.offset],
    'list_suppression_lists',
  )
}

export async function countSuppressionLists(db: Executor, tenant: Tenant): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    `select count(distinct list)::int as count from suppressions
     where account_id = $1 and environment = $2 and list is not null`,
    [tenant.accountId, tenant.environment],
    'count_suppression_lists',
  )
  return row?.count ?? 0
}
