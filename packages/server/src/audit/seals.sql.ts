import type { Executor } from '../platform/db/database.ts'
import type { Seal } from './audit-entry.ts'

interface UnsealedEntry {
  position: number
  id: string
}

export async function listUnsealedAccountIdsAcrossAccounts(db: Executor): Promise<string[]> {
  const rows = await db.query<{ accountId: string }>(
    `select distinct account_id from audit_unsealed order by account_id`,
  )
  return rows.map(({ accountId }) => accountId)
}

/** Held until the end of the transaction, so that only one node at a time makes the next seal of an account. */
export async function lockSeals(tx: Executor, accountId: string): Promise<void> {
  await tx.execute(`select pg_advisory_xact_lock(hashtextextended($1, 7310579605))`, [accountId], 'lock_audit_seals')
}

export async function listUnsealed(db: Executor, accountId: string, limit: number): Promise<UnsealedEntry[]> {
  return db.query<UnsealedEntry>(
    `select position, id from audit_unsealed where account_id = $1 order by position limit $2`,
    [accountId, limit],
    'list_audit_unsealed',
  )
}

export async function deleteUnsealed(db: Executor, accountId: string, positions: readonly number[]): Promise<void> {
  await db.execute(
    `delete from audit_unsealed where account_id = $1 and position = any($2)`,
    [accountId, positions],
    'delete_audit_unsealed',
  )
}

const columns = 'account_id, number, sealed_at, ids, digests, dropped_before, previous, hash'

export async function findLastSeal(db: Executor, accountId: string): Promise<Seal | null> {
  const rows = await db.query<Seal>(
    `select ${columns} from audit_seals where account_id = $1 order by number desc limit 1`,
    [accountId],
    'find_last_audit_seal',
  )
  return rows[0] ?? null
}

export async function insertSeal(db: Executor, seal: Seal): Promise<void> {
  await db.execute(
    `insert into audit_seals (${columns}) values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [seal.accountId, seal.number, seal.sealedAt, seal.ids, seal.digests, seal.droppedBefore, seal.previous, seal.hash],
    'insert_audit_seal',
  )
}

export async function listSeals(
  db: Executor,
  accountId: string,
  { after, limit }: { after: number; limit: number },
): Promise<Seal[]> {
  return db.query<Seal>(
    `select ${columns} from audit_seals where account_id = $1 and number > $2 order by number limit $3`,
    [accountId, after, limit],
    'list_audit_seals',
  )
}

/** The time before which old entries were dropped. */
export async function findDroppedBefore(db: Executor, accountId: string): Promise<Date | null> {
  const rows = await db.query<{ droppedBefore: Date | null }>(
    `select max(dropped_before) as dropped_before from audit_seals where account_id = $1`,
    [accountId],
    'find_audit_dropped_before',
  )
  return rows[0]?.droppedBefore ?? null
}

export async function listAuditedAccountIdsAcrossAccounts(db: Executor): Promise<string[]> {
  const rows = await db.query<{ accountId: string }>(
    `select account_id from audit_seals union select account_id from audit_unsealed order by 1`,
  )
  return rows.map(({ accountId }) => accountId)
}

/** Entries older than `before` that have no seal and are not on the list of entries that wait for one. */
export async function listEntriesWithoutSeal(
  db: Executor,
  accountId: string,
  { before, limit }: { before: Date; limit: number },
): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    `select e.id from audit_entries e where e.account_id = $1 and e.at < $2
       and not exists (select 1 from audit_unsealed u where u.account_id = $1 and u.position = e.position)
       and not exists (select 1 from (select unnest(x.ids) as id from audit_seals x where x.account_id = $1) s where s.id = e.id)
     order by e.position limit $3`,
    [accountId, before, limit],
  )
  return rows.map(({ id }) => id)
}
