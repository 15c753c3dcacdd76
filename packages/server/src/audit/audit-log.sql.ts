import type { Executor } from '../platform/db/database.ts'
import type { RowRange } from '../platform/http/paging.ts'
import type { AuditRow } from './audit-entry.ts'

const columns = `account_id, position, id, at, environment, actor_type, actor_id, actor_name, action, target_type, target_id,
  outcome, ip, user_agent, request_id, changes`

export interface AuditFilter {
  actorId?: string | undefined
  action?: string | undefined
  targetId?: string | undefined
  from?: string | undefined
  to?: string | undefined
}

const matches = `account_id = $1 and ($2::text is null or actor_id = $2) and ($3::text is null or action = $3)
  and ($4::text is null or target_id = $4) and ($5::timestamptz is null or at >= $5) and ($6::timestamptz is null or at < $6)`

function values(accountId: string, { actorId, action, targetId, from, to }: AuditFilter): unknown[] {
  return [accountId, actorId ?? null, action ?? null, targetId ?? null, from ?? null, to ?? null]
}

/** Newest first. */
export async function listAuditEntries(
  db: Executor,
  accountId: string,
  { filter, after, offset, limit }: RowRange<number> & { filter: AuditFilter },
): Promise<AuditRow[]> {
  return db.query<AuditRow>(
    `select ${columns} from audit_entries where ${matches} and ($7::bigint is null or position < $7)
     order by position desc offset $8 limit $9`,
    [...values(accountId, filter), after, offset, limit],
    'list_audit_entries',
  )
}

/** Counts up to `max`, since a log can be very long. */
export async function countAuditEntries(
  db: Executor,
  accountId: string,
  { filter, max }: { filter: AuditFilter; max: number },
): Promise<number> {
  const rows = await db.query<{ count: number }>(
    `select count(*)::int as count from (select 1 from audit_entries where ${matches} limit $7) counted`,
    [...values(accountId, filter), max],
    'count_audit_entries',
  )
  return rows[0]?.count ?? 0
}

export async function listAuditEntriesById(
  db: Executor,
  accountId: string,
  ids: readonly string[],
): Promise<AuditRow[]> {
  return db.query<AuditRow>(
    `select ${columns} from audit_entries where account_id = $1 and id = any($2)`,
    [accountId, ids],
    'list_audit_entries_by_id',
  )
}

export async function listAccountIdsOfMonthAcrossAccounts(db: Executor, name: string): Promise<string[]> {
  const rows = await db.query<{ accountId: string }>(`select distinct account_id from ${name} order by account_id`)
  return rows.map(({ accountId }) => accountId)
}
