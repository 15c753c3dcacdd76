import type { Executor } from '../db/database.ts'

/**
 * Makes a log readable that was dumped on another server and restored here. Readers' places contain transaction numbers, which
 * start again on the new server. So events written from now on get numbers above all restored ones. Returns the number of
 * restored events, or 0 after three index lookups if nothing was restored.
 */
export async function adoptRestoredEvents(db: Executor): Promise<number> {
  const [row] = await db.query<{ count: number }>('select adopt_restored_events()::int as count')
  return row?.count ?? 0
}
