import type { Executor } from '../../platform/db/database.ts'

export async function deleteOldGenerationsAcrossAccounts(db: Executor, before: Date, limit: number): Promise<number> {
  return db.execute(
    `delete from generations where ctid = any (array(
       select ctid from generations where created_at < $1 order by created_at limit $2 for update skip locked))`,
    [before, limit],
    'delete_old_generations',
  )
}
