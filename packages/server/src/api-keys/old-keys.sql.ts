import type { Executor } from '../platform/db/database.ts'

interface OldKey {
  accountId: string
  id: string
}

/** Lists ended keys that made no key that still exists. */
export async function listOldKeysAcrossAccounts(db: Executor, before: Date, limit: number): Promise<OldKey[]> {
  return db.query<OldKey>(
    `select k.account_id, k.id from api_keys k where least(k.revoked_at, k.expires_at) < $1
       and not exists (select 1 from api_keys c where c.account_id = k.account_id and c.parent_id = k.id) limit $2`,
    [before, limit],
    'list_old_keys',
  )
}

/** Deletes keys with their counts. */
export async function deleteOldKeys(
  db: Executor,
  accountId: string,
  rows: readonly OldKey[],
  before: Date,
): Promise<number> {
  const ended = await db.query(
    `with ended as (
       delete from api_keys where account_id = $1 and id in (
         select k.id from api_keys k where k.account_id = $1 and k.id = any($2) and least(k.revoked_at, k.expires_at) < $3
           and not exists (select 1 from api_keys c where c.account_id = $1 and c.parent_id = k.id)
         for update skip locked)
       returning id),
     counted as (delete from rate_windows w using ended e where w.account_id = $1 and w.key_id = e.id)
     select id from ended`,
    [accountId, rows.map((row) => row.id), before],
    'delete_old_keys',
  )
  return ended.length
}
