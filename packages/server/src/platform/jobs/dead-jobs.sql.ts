import type { Executor } from '../db/database.ts'

export async function deleteDeadJobsAcrossAccounts(db: Executor, before: Date, limit: number): Promise<number> {
  return db.execute(
    `delete from jobs where ctid = any (array(select ctid from jobs where dead_at < $1 limit $2 for update skip locked))`,
    [before, limit],
    'delete_dead_jobs',
  )
}
