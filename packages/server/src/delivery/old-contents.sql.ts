import type { Executor } from '../platform/db/database.ts'

/** Bytes and texts of messages whose way is over. Whose, when and what became of them stays, and with it every limit. */
export async function deleteOldContentsAcrossAccounts(db: Executor, before: Date, limit: number): Promise<number> {
  return db.execute(
    `delete from message_contents where ctid = any (array(
       select k.ctid from message_contents k
       where k.recorded_at < $1 and exists (select from message_heads m
         where m.account_id = k.account_id and m.environment = k.environment and m.id = k.message_id
           and m.status in ('sent', 'bounced', 'failed', 'received'))
       limit $2 for update of k skip locked))`,
    [before, limit],
    'delete_old_contents',
  )
}
