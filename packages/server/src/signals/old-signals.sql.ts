import type { Executor } from '../platform/db/database.ts'

/** The oldest; answers how many. */
export async function deleteOldSignalsAcrossAccounts(db: Executor, before: Date, limit: number): Promise<number> {
  return db.execute(
    `delete from signals where ctid = any (array(
       select ctid from signals where recorded_at < $1 limit $2 for update skip locked))`,
    [before, limit],
    'delete_old_signals',
  )
}
