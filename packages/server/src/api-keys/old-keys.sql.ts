import type { Executor } from '../platform/db/database.ts'

/** Keys that ended, and made none that is still there. */
export async function deleteOldKeysAcrossAccounts(db: Executor, before: Date, limit: number): Promise<number> {
  const ended = await db.query(
    `with ended as (
       delete from api_keys where ctid = any (array(
         select k.ctid from api_keys k where least(k.revoked_at, k.expires_at) < $1
           and not exists (select from api_keys c where c.account_id = k.account_id and c.parent_id = k.id)
         limit $2 for update skip locked))
       returning account_id, id),
     counted as (delete from rate_windows w using ended e where w.account_id = e.account_id and w.key_id = e.id)
     select id from ended`,
    [before, limit],
    'delete_old_keys',
  )
  return ended.length
}
