import type { Executor } from '../platform/db/database.ts'

/** Mail to people who were made up, by the time at which it was written down. */
export async function deleteOldSandboxMessagesAcrossAccounts(
  db: Executor,
  before: Date,
  limit: number,
): Promise<number> {
  return db.execute(
    `delete from sandbox_messages where ctid = any (array(
       select ctid from sandbox_messages where recorded_at < $1 limit $2 for update skip locked))`,
    [before, limit],
    'delete_old_sandbox_messages',
  )
}
