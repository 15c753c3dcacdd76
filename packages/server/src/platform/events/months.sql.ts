import type { Executor } from '../db/database.ts'
import { deleteMonthAcrossAccounts, listMonthsBeforeAcrossAccounts } from '../db/months.sql.ts'

/**
 * Drops the months that ended before `before`, oldest first; never one that holds an event which a reader has still to
 * see. Answers their names.
 */
export async function dropOldEventMonths(db: Executor, before: Date): Promise<string[]> {
  const dropped: string[] = []
  for (const { name } of await listMonthsBeforeAcrossAccounts(db, 'events', before)) {
    const [unread] = await db.query(
      `select 1 from ${name} e where (e.tx_id, e.position) >
         (select c.tx_id, c.position from event_cursors c order by c.tx_id, c.position limit 1) limit 1`,
    )
    if (unread !== undefined) break
    await deleteMonthAcrossAccounts(db, name)
    dropped.push(name)
  }
  return dropped
}
