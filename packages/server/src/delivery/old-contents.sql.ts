import type { Executor } from '../platform/db/database.ts'

const over = `'sent', 'bounced', 'failed', 'received'`

interface OldContent {
  accountId: string
  environment: string
  messageId: string
}

/** Bytes and texts of messages whose delivery has ended. Recipient, time and outcome are kept, so all limits still work. */
export async function listOldContentsAcrossAccounts(db: Executor, before: Date, limit: number): Promise<OldContent[]> {
  return db.query<OldContent>(
    `select k.account_id, k.environment, k.message_id from message_contents k
     where k.recorded_at < $1 and exists (select from message_heads m
       where m.account_id = k.account_id and m.environment = k.environment and m.id = k.message_id
         and m.status in (${over})) limit $2`,
    [before, limit],
    'list_old_contents',
  )
}

export async function deleteOldContents(
  db: Executor,
  accountId: string,
  rows: readonly OldContent[],
  before: Date,
): Promise<number> {
  return db.execute(
    `delete from message_contents where account_id = $1 and (environment, message_id) in (
       select k.environment, k.message_id from message_contents k
       where k.account_id = $1 and k.recorded_at < $2
         and (k.environment, k.message_id) in (select * from unnest($3::text[], $4::text[]))
         and exists (select from message_heads m
           where m.account_id = $1 and m.environment = k.environment and m.id = k.message_id and m.status in (${over}))
       for update of k skip locked)`,
    [accountId, before, rows.map((row) => row.environment), rows.map((row) => row.messageId)],
    'delete_old_contents',
  )
}
