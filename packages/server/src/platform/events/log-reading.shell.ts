import { monotonicMs } from '../clock.ts'
import type { Database, Executor } from '../db/database.ts'
import type { Tenant } from '../tenant.ts'
import type { FeedPosition } from './feed.sql.ts'
import {
  deleteLooks,
  listEventsBehindLookAcrossAccounts,
  listLooks,
  listPlacesAcrossAccounts,
  lockReader,
  type LogReader,
  type Look,
  type ReadEvents,
  type ReadFrom,
  upsertLook,
} from './places.sql.ts'
import { type PlacedTenant, tenantsToRead } from './stretches.ts'

/** A stretch of very many accounts is left off and begun anew, so that the transaction that holds it never waits for too long. */
const holdMsMax = 15_000

interface LogReading {
  reader: LogReader
  /** Events that are read in one statement, and in one look over all accounts. */
  limit: number
  /** Reads on in the log of one account: its place moves with what is made of the events. */
  read: (tenant: Tenant, from: ReadFrom) => Promise<ReadEvents>
  /** Whose events anything can be made of; all, where it is left out. Those of others are passed over. */
  concerned?: (tenants: readonly PlacedTenant[]) => Promise<PlacedTenant[]>
  signal?: AbortSignal | undefined
}

/**
 * Reads everything that is in the log, account by account; answers how many events that were. What comes meanwhile is left to the
 * next time, or a log that never rests would be looked into without a pause, for a few events each. Looking for what is new costs
 * the same for any number of accounts that have nothing. Whoever else reads already is left to it; if both should read, the
 * place of each account lets one of them through. A stop leaves the rest, at its place, to the next start.
 */
export async function readLog(db: Database, reading: LogReading): Promise<number> {
  let total = 0
  for (let turn = 0; reading.signal?.aborted !== true; turn++) {
    const read = await readStretch(db, reading, turn)
    total += read.count
    if (!read.goOn) break
  }
  return total
}

interface News {
  /** In which something is new; null: none. */
  look: Look | null
  /** Left by their servers, and read to their ends. */
  ended: number[]
}

// One epoch after the other has its turn: a server that never rests keeps nobody from what others have.
async function findNews(db: Executor, reader: LogReader, turn: number): Promise<News & { looks: Look[] }> {
  const looks = await listLooks(db, reader)
  const ended: number[] = []
  for (const [index] of looks.entries()) {
    const look = looks[(index + turn) % looks.length]!
    const [first] = await listEventsBehindLookAcrossAccounts(db, look, 1)
    if (first !== undefined) return { looks, look, ended }
    if (!look.isCurrent) ended.push(look.epoch)
  }
  return { looks, look: null, ended }
}

const nothing = { count: 0, goOn: false }

/** `goOn`: there may be more to read here now. */
async function readStretch(db: Database, reading: LogReading, turn: number): Promise<{ count: number; goOn: boolean }> {
  const { reader } = reading
  const { look, ended } = await findNews(db, reader, turn)
  if (look === null && ended.length === 0) return nothing
  // Held by a transaction that writes nothing until all is read: it keeps nobody's events back.
  return db.transaction(async (tx) => {
    if (!(await lockReader(tx, reader))) return nothing
    const news = await findNews(tx, reader, turn)
    const read = news.look === null ? null : await readBehind(db, reading, news.looks, news.look)
    if (read?.left === 'none') await upsertLook(tx, reader, news.look!.epoch, read.until)
    if (news.ended.length > 0) await deleteLooks(tx, reader, news.ended)
    if (read === null || read.left === 'to others') return nothing
    return { count: read.count, goOn: read.isFull || read.left === 'to go on' || news.looks.length > 1 }
  })
}

interface StretchRead {
  until: FeedPosition
  count: number
  /** As many events as are looked for at once: others may stand behind them. */
  isFull: boolean
  /** What of the stretch may not be read yet: it is gone on with at once, or found again by whoever looks next. */
  left: 'none' | 'to go on' | 'to others'
}

async function readBehind(db: Database, reading: LogReading, looks: readonly Look[], look: Look): Promise<StretchRead> {
  const endsAtMs = monotonicMs() + holdMsMax
  const events = await listEventsBehindLookAcrossAccounts(db, look, reading.limit)
  const accountIds = [...new Set(events.map(({ accountId }) => accountId))]
  const places = await listPlacesAcrossAccounts(db, reading.reader, accountIds)
  const all = tenantsToRead(events, places, looks[0] === look ? look.from : null)
  const tenants = reading.concerned === undefined ? all : await reading.concerned(all)
  const until = events.at(-1) ?? look.from
  const isFull = events.length >= reading.limit
  let count = 0
  for (const { accountId, environment, place } of tenants) {
    const read = await readTenant({ accountId, environment }, place, { ...reading, endsAtMs })
    count += read.count
    if (read.left !== 'none') return { until, count, isFull, left: read.left }
  }
  return { until, count, isFull, left: 'none' }
}

/** All that can be read of one account, in as many batches as there is time for; a stop leaves the rest as well. */
async function readTenant(
  tenant: Tenant,
  from: FeedPosition,
  reading: LogReading & { endsAtMs: number },
): Promise<Pick<StretchRead, 'count' | 'left'>> {
  let [place, count] = [from, 0]
  for (;;) {
    if (reading.signal?.aborted === true) return { count, left: 'to others' }
    if (monotonicMs() > reading.endsAtMs) return { count, left: 'to go on' }
    const read = await reading.read(tenant, { place, limit: reading.limit })
    if (read.count === 0) return { count, left: 'none' }
    if (read.place === null) return { count, left: 'to others' }
    count += read.count
    place = read.place
    if (read.count < reading.limit) return { count, left: 'none' }
  }
}
