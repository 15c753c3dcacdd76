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

/**
 * The time limit for one stretch of the log. A stretch with very many accounts is cut there, so that the transaction with the
 * reader's lock stays short.
 */
const holdMsMax = 15_000

interface LogReading {
  reader: LogReader
  /** Events per statement, and events per poll of all accounts. */
  limit: number
  /** Reads the next events of one account. The account's place is stored in the transaction that processes the events. */
  read: (tenant: Tenant, from: ReadFrom) => Promise<ReadEvents>
  /** Selects the accounts whose events matter to the reader, default all. The events of others are skipped. */
  concerned?: (tenants: readonly PlacedTenant[]) => Promise<PlacedTenant[]>
  signal?: AbortSignal | undefined
}

/**
 * Reads all events that are in the log now, account by account, and returns their number. Events that arrive meanwhile wait for
 * the next call; otherwise a busy log would be polled without a pause, for a few events each time. The cost of a poll does not
 * depend on the number of accounts without news. If another process reads already, this call leaves the work to it. If both
 * should read, the place of each account lets only one of them proceed. After a stop, the next start continues from the stored
 * places.
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
  /** An epoch with new events; null if there is none. */
  look: Look | null
  /** Epochs that were read completely and in which no server writes any more. */
  ended: number[]
}

// The epochs take turns, so that a busy server doesn't delay the events of others.
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

/** `goOn` is true if there may be more to read now. */
async function readStretch(db: Database, reading: LogReading, turn: number): Promise<{ count: number; goOn: boolean }> {
  const { reader } = reading
  const { look, ended } = await findNews(db, reader, turn)
  if (look === null && ended.length === 0) return nothing
  // The transaction with the lock writes nothing before everything is read, so it holds back no events.
  return db.transaction(async (tx) => {
    if (!(await lockReader(tx, reader))) return nothing
    const news = await findNews(tx, reader, turn)
    const read = news.look === null ? null : await readBehind(db, reading, news.looks, news.look)
    if (read?.unread === 'none') await upsertLook(tx, reader, news.look!.epoch, read.until)
    if (news.ended.length > 0) await deleteLooks(tx, reader, news.ended)
    if (read === null || read.unread === 'to others') return nothing
    return { count: read.count, goOn: read.isFull || read.unread === 'more' || news.looks.length > 1 }
  })
}

interface StretchRead {
  until: FeedPosition
  count: number
  /** Whether the limit of events per poll was reached, so that more may follow. */
  isFull: boolean
  /** Whether a part of the stretch is unread: this process continues at once, or another one finds it at its next poll. */
  unread: 'none' | 'more' | 'to others'
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
    if (read.unread !== 'none') return { until, count, isFull, unread: read.unread }
  }
  return { until, count, isFull, unread: 'none' }
}

/** Reads one account, in as many batches as the time allows. A stop also leaves the rest unread. */
async function readTenant(
  tenant: Tenant,
  from: FeedPosition,
  reading: LogReading & { endsAtMs: number },
): Promise<Pick<StretchRead, 'count' | 'unread'>> {
  let [place, count] = [from, 0]
  for (;;) {
    if (reading.signal?.aborted === true) return { count, unread: 'to others' }
    if (monotonicMs() > reading.endsAtMs) return { count, unread: 'more' }
    const read = await reading.read(tenant, { place, limit: reading.limit })
    if (read.count === 0) return { count, unread: 'none' }
    if (read.place === null) return { count, unread: 'to others' }
    count += read.count
    place = read.place
    if (read.count < reading.limit) return { count, unread: 'none' }
  }
}
