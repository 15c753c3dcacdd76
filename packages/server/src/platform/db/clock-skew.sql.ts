import type { Clock } from '../clock.ts'
import type { Executor } from './database.ts'

/** The largest accepted difference. Leases, limits and due times use both clocks, so beyond this no work is started. */
export const clockSkewMsMax = 5_000

/** The database's current time, not that of the beginning of the transaction. */
async function findDatabaseTime(db: Executor): Promise<Date> {
  const [row] = await db.query<{ now: Date }>('select clock_timestamp() as now', [], 'find_database_time')
  return (row as { now: Date }).now
}

/**
 * The certain part of the difference by which this machine's clock is ahead of the database's (negative if behind), in
 * milliseconds. The time of the query's round trip is excluded.
 */
export async function measureClockSkew(db: Executor, clock: Clock): Promise<number> {
  const askedMs = clock.now().getTime()
  const databaseMs = (await findDatabaseTime(db)).getTime()
  const answeredMs = clock.now().getTime()
  if (databaseMs < askedMs) return askedMs - databaseMs
  return Math.min(0, answeredMs - databaseMs)
}
