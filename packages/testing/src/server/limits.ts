import { createDatabase } from '@overture/server/platform/db/pool.client.ts'
import { createLogger } from '@overture/server/platform/log.shell.ts'
import type { SessionRates } from '@overture/server/team/index.ts'

/** A program clicks faster than a person. */
export const roomySessions: SessionRates = { perMinute: 1_000_000, perSecond: 1_000_000 }

/** Lifts the limits of all accounts in this database. */
export async function liftLimits(url: string): Promise<void> {
  const db = createDatabase({ url, log: createLogger('error'), connectionsMax: 1 })
  await db.execute(
    'update accounts set requests_per_minute = 1000000, burst_per_second = 1000000, monthly_requests = 100000000',
  )
  await db.close()
}
