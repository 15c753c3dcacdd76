import type { Executor } from '../platform/db/database.ts'

interface OldSandboxMessage {
  accountId: string
  environment: string
  id: string
}

/** Lists old mail to simulated people, by real time of storage. */
export async function listOldSandboxMessagesAcrossAccounts(
  db: Executor,
  before: Date,
  limit: number,
): Promise<OldSandboxMessage[]> {
  return db.query<OldSandboxMessage>(
    `select account_id, environment, id from sandbox_messages where recorded_at < $1 limit $2`,
    [before, limit],
    'list_old_sandbox_messages',
  )
}

export async function deleteOldSandboxMessages(
  db: Executor,
  accountId: string,
  rows: readonly OldSandboxMessage[],
  before: Date,
): Promise<number> {
  return db.execute(
    `delete from sandbox_messages where account_id = $1 and (environment, id) in (
       select environment, id from sandbox_messages where account_id = $1 and recorded_at < $2
         and (environment, id) in (select * from unnest($3::text[], $4::text[])) for update skip locked)`,
    [accountId, before, rows.map((row) => row.environment), rows.map((row) => row.id)],
    'delete_old_sandbox_messages',
  )
}
