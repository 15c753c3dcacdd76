import type { Executor } from './database.ts'

/** The reason why nothing is sent in live: the database is not the one that sent before, or an operator requested the hold. */
export interface SendingHold {
  since: string
  /** Cluster, database and timeline, before and now; null if an operator requested the hold. */
  was: string | null
  is: string | null
}

/** True if this connection found another history than the previous one. */
export const noteHistory = 'select note_database_history() as changed'

export async function findSendingHold(db: Executor): Promise<SendingHold | null> {
  const [row] = await db.query<{ value: SendingHold }>(`select value from settings where name = 'sending_held'`)
  return row?.value ?? null
}

/** Returns false if sending is held already. */
export async function insertSendingHold(db: Executor, hold: SendingHold): Promise<boolean> {
  const inserted = await db.execute(
    `insert into settings (name, value) values ('sending_held', $1) on conflict do nothing`,
    [JSON.stringify(hold)],
  )
  return inserted === 1
}

/** Returns false if sending was not held. */
export async function deleteSendingHold(tx: Executor): Promise<boolean> {
  return (await tx.execute(`delete from settings where name = 'sending_held'`)) === 1
}
