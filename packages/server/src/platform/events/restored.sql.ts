import type { Executor } from '../db/database.ts'

/**
 * Makes a log that was dumped on another server and restored here readable: a reader's place is told by numbers of
 * transactions, which begin anew there, and what is written from now on is numbered above all that came along. Answers how
 * many events came; 0, after three looks at an index, otherwise.
 */
export async function adoptRestoredEvents(db: Executor): Promise<number> {
  const [row] = await db.query<{ count: number }>('select adopt_restored_events()::int as count')
  return row?.count ?? 0
}
