import type { Clock } from '../clock.ts'
import type { Executor } from './database.ts'

/** Leases, limits and what is due are told by both clocks: above this nothing is worth beginning. */
export const clockSkewMsMax = 5_000

/** The database's own clock, at this moment and not at the beginning of a transaction. */
async function findDatabaseTime(db: Executor): Promise<Date> {
  const [row] = await db.query<{ now: Date }>('select clock_timestamp() as now', [], 'find_database_time')
  return (row as { now: Date }).now
}

/**
 * By how much this machine's clock is surely ahead of the database's (negative: behind), in milliseconds: what the
 * question and its answer took on their way is not counted.
 */
export async function measureClockSkew(db: Executor, clock: Clock): Promise<number> {
  const askedMs = clock.now().getTime()
  const databaseMs = (await findDatabaseTime(db)).getTime()
  const answeredMs = clock.now().getTime()
  if (databaseMs < askedMs) return askedMs - databaseMs
  return Math.min(0, answeredMs - databaseMs)
}
