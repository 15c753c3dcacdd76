import type { Executor } from './database.ts'

/** Why nothing is sent in live: the database is another than the one that sent before, or somebody said so. */
export interface SendingHold {
  since: string
  /** Cluster, database and timeline, then and now; null where somebody asked for the hold. */
  was: string | null
  is: string | null
}

/** True when this connection found another history than the one before it. */
export const noteHistory = 'select note_database_history() as changed'

export async function findSendingHold(db: Executor): Promise<SendingHold | null> {
  const [row] = await db.query<{ value: SendingHold }>(`select value from settings where name = 'sending_held'`)
  return row?.value ?? null
}

/** False: it is held already. */
export async function insertSendingHold(db: Executor, hold: SendingHold): Promise<boolean> {
  const inserted = await db.execute(
    `insert into settings (name, value) values ('sending_held', $1) on conflict do nothing`,
    [JSON.stringify(hold)],
  )
  return inserted === 1
}

/** False: nothing was held. */
export async function deleteSendingHold(tx: Executor): Promise<boolean> {
  return (await tx.execute(`delete from settings where name = 'sending_held'`)) === 1
}
