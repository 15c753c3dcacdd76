import type { Executor } from '../db/database.ts'

interface OldJob {
  accountId: string
  id: number
}

export async function listOldJobsAcrossAccounts(db: Executor, before: Date, limit: number): Promise<OldJob[]> {
  return db.query<OldJob>(
    `select account_id, id from jobs where dead_at < $1 limit $2`,
    [before, limit],
    'list_old_jobs',
  )
}

export async function deleteOldJobs(
  db: Executor,
  accountId: string,
  rows: readonly OldJob[],
  before: Date,
): Promise<number> {
  return db.execute(
    `delete from jobs where account_id = $1 and id in (
       select id from jobs where account_id = $1 and dead_at < $2
         and id = any($3::bigint[]) for update skip locked)`,
    [accountId, before, rows.map((row) => row.id)],
    'delete_old_jobs',
  )
}
