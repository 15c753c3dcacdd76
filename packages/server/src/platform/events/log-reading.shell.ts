import { monotonicMs } from '../clock.ts'
import type { Database } from '../db/database.ts'
import type { Tenant } from '../tenant.ts'
import type { FeedPosition } from './feed.sql.ts'
import {
  findStretchAcrossAccounts,
  listTenantsInStretchAcrossAccounts,
  lockReader,
  type LogReader,
  type LogStretch,
  type ReadEvents,
  type ReadFrom,
  updateLookedThroughAcrossAccounts,
} from './places.sql.ts'

/** A stretch of very many accounts is left off and begun anew, so that the transaction that holds it never waits for too long. */
const holdMsMax = 15_000

interface LogReading {
  reader: LogReader
  /** Events that are read in one statement, and in one look over all accounts. */
  limit: number
  /** Reads on in the log of one account: its place moves with what is made of the events. */
  read: (tenant: Tenant, from: ReadFrom) => Promise<ReadEvents>
  /** Whose events anything can be made of; all, where it is left out. Those of others are passed over. */
  concerned?: (tenants: readonly (Tenant & { place: FeedPosition })[]) => Promise<(Tenant & { place: FeedPosition })[]>
  signal?: AbortSignal | undefined
}

/**
 * Reads everything that is in the log, account by account; answers how many events that were. Looking for what is new costs
 * the same for any number of accounts that have nothing. Whoever else reads already is left to it; if both should read, the
 * place of each account lets one of them through. A stop leaves the rest, at its place, to the next start.
 */
export async function readLog(db: Database, reading: LogReading): Promise<number> {
  let total = 0
  while (reading.signal?.aborted !== true) {
    const count = await readStretch(db, reading)
    if (count === null) break
    total += count
  }
  return total
}

/** Null: there is nothing to do here now. */
async function readStretch(db: Database, reading: LogReading): Promise<number | null> {
  const { reader, limit } = reading
  if ((await findStretchAcrossAccounts(db, reader, limit)) === null) return null
  // Held by a transaction that writes nothing until all is read: it keeps nobody's events back.
  return db.transaction(async (tx) => {
    if (!(await lockReader(tx, reader))) return null
    const stretch = await findStretchAcrossAccounts(tx, reader, limit)
    if (stretch === null) return null
    const { count, left } = await readTenants(db, reading, stretch)
    if (left === 'none') await updateLookedThroughAcrossAccounts(tx, reader, stretch.until)
    return left === 'to others' ? null : count
  })
}

interface StretchRead {
  count: number
  /** What of the stretch may not be read yet: it is gone on with at once, or found again by whoever looks next. */
  left: 'none' | 'to go on' | 'to others'
}

async function readTenants(db: Database, reading: LogReading, stretch: LogStretch): Promise<StretchRead> {
  const endsAtMs = monotonicMs() + holdMsMax
  const all = await listTenantsInStretchAcrossAccounts(db, reading.reader, stretch)
  const tenants = reading.concerned === undefined ? all : await reading.concerned(all)
  let count = 0
  for (const { accountId, environment, place } of tenants) {
    if (monotonicMs() > endsAtMs) return { count, left: 'to go on' }
    const read = await readTenant({ accountId, environment }, place, reading)
    if (read === null) return { count, left: 'to others' }
    count += read
  }
  return { count, left: 'none' }
}

/** All that can be read of one account; null: a stop, or somebody else, came in between. */
async function readTenant(tenant: Tenant, from: FeedPosition, reading: LogReading): Promise<number | null> {
  let [place, total] = [from, 0]
  for (;;) {
    if (reading.signal?.aborted === true) return null
    const read = await reading.read(tenant, { place, limit: reading.limit })
    if (read.count === 0) return total
    if (read.place === null) return null
    total += read.count
    place = read.place
    if (read.count < reading.limit) return total
  }
}
