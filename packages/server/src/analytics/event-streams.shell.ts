import { hourMs } from '@overture/ground/time/spans.ts'
import { AppError } from '@overture/contract/errors.ts'
import { monotonicMs, sleep } from '../platform/clock.ts'
import type { App } from '../platform/app.ts'
import {
  countEventsAfter,
  findEventPosition,
  listEvents,
  type FeedPosition,
  type StoredEvent,
} from '../platform/events/feed.sql.ts'
import { errorFacts } from '../platform/log.shell.ts'
import type { Tenant } from '../platform/tenant.ts'
import { EventStream, resetText, type StreamFilter } from './event-stream.shell.ts'
import { isAfter, oldest } from './log-order.ts'

const pollMs = 500
const roundRowsMax = 500
const behindMax = 10_000
const streamsPerCallerMax = { key: 2, session: 4 } as const
/** A page that is loaded again opens its new stream before the server sees that the old connection is closed. */
const roomPolls = { everyMs: 50, max: 40 } as const
export const streamsPerAccountMax = 100
export const lifeMsMax = hourMs

/** Data for the streams that is not in the log. */
export interface StreamTools {
  /** Returns which of the keys and sessions are still valid. */
  usableCallers(app: App, accountId: string, callerIds: readonly string[]): Promise<ReadonlySet<string>>
  /** The clock of a test environment, as a text that changes with it. */
  clockText(app: App, tenant: Tenant): Promise<string>
}

interface OpenStream {
  callerId: string
  callerKind: keyof typeof streamsPerCallerMax
  filter: StreamFilter
  /** The id of the last event that the client has; null for only new events. */
  after: string | null
}

/** The open streams of this node. All streams of an environment share one reader of the log. */
export interface EventStreams {
  open(tenant: Tenant, options: OpenStream): Promise<EventStream>
  /** Ends all streams, so that shutdown doesn't wait for clients. */
  stop(): void
}

/** The context of one poll of the log. */
interface Round {
  tools: StreamTools
  nowMs: number
}

interface Feed {
  tenant: Tenant
  streams: Set<EventStream>
}

// Polls an index twice per second for each watched environment. Notifying readers at every commit would make the writers of all
// accounts wait for one another.
export function createEventStreams(app: App, tools: StreamTools, nowMs = monotonicMs): EventStreams {
  const feeds = new Map<string, Feed>()
  const stopping = new AbortController()

  async function run(key: string, feed: Feed): Promise<void> {
    const { tenant, streams } = feed
    const inside = { ...app, db: app.db.within(tenant.accountId) }
    while (streams.size > 0 && !stopping.signal.aborted) {
      try {
        await endThoseOver(inside, feed, { tools, nowMs: nowMs() })
        if (tenant.environment === 'test') await tellClock(inside, feed, { tools, nowMs: nowMs() })
        if (await tellEvents(inside, feed, nowMs())) continue
      } catch (error) {
        app.log.warn({ event: 'events.stream_failed', ...errorFacts(error as Error) }, 'events.stream_failed')
      }
      await sleep(pollMs, stopping.signal)
    }
    feeds.delete(key)
  }

  function join(tenant: Tenant, stream: EventStream): void {
    const key = `${tenant.accountId} ${tenant.environment}`
    const known = feeds.get(key)
    const feed = known ?? { tenant, streams: new Set<EventStream>() }
    feed.streams.add(stream)
    stream.onEnd(() => feed.streams.delete(stream))
    if (known !== undefined) return
    feeds.set(key, feed)
    void run(key, feed)
  }

  return {
    async open(tenant, { filter, after, ...caller }) {
      await waitForRoom(() => hasRoom(feeds, tenant, caller), stopping.signal)
      if (!hasRoom(feeds, tenant, caller)) throw tooMany(caller)
      const db = app.db.within(tenant.accountId)
      const { position, isLost } = await findStart(db, tenant, after)
      const stream = new EventStream({ callerId: caller.callerId, filter, position, openedAtMs: nowMs() })
      if (isLost) {
        stream.say(resetText, nowMs())
        stream.end()
      } else join(tenant, stream)
      return stream
    },
    stop() {
      stopping.abort()
      for (const { streams } of feeds.values()) for (const stream of streams) stream.end()
    },
  }
}

async function waitForRoom(hasNow: () => boolean, signal: AbortSignal): Promise<void> {
  for (let polls = 0; polls < roomPolls.max && !hasNow() && !signal.aborted; polls++)
    await sleep(roomPolls.everyMs, signal)
}

type StreamCaller = Pick<OpenStream, 'callerId' | 'callerKind'>

function hasRoom(feeds: ReadonlyMap<string, Feed>, tenant: Tenant, { callerId, callerKind }: StreamCaller): boolean {
  const ofAccount = [...feeds.values()].filter((feed) => feed.tenant.accountId === tenant.accountId)
  const streams = ofAccount.flatMap((feed) => [...feed.streams])
  const ofCaller = streams.filter((stream) => stream.callerId === callerId).length
  return ofCaller < streamsPerCallerMax[callerKind] && streams.length < streamsPerAccountMax
}

function tooMany({ callerKind }: StreamCaller): AppError {
  const { key, session } = streamsPerCallerMax
  const own = callerKind === 'key' ? `A key can have ${key} at once` : `A session can have ${session} at once`
  return new AppError('CONFLICT', `Too many open streams. ${own}, an account ${streamsPerAccountMax}.`, {
    currentStatus: 'max_streams_reached',
    allowedActions: [],
  })
}

/** The position of a new stream, and whether too many events follow it or it no longer exists. */
async function findStart(db: App['db'], tenant: Tenant, after: string | null) {
  const position = after === null ? await newestPosition(db, tenant) : await findEventPosition(db, tenant, after)
  if (position === null) return { position, isLost: after !== null }
  return { position, isLost: (await countEventsAfter(db, tenant, position, behindMax + 1)) > behindMax }
}

async function newestPosition(db: App['db'], tenant: Tenant): Promise<FeedPosition | null> {
  const [newest] = await listEvents(db, tenant, { order: 'desc', limit: 1 })
  return newest ?? null
}

// A revoked or expired key ends its open streams.
async function endThoseOver(app: App, { tenant, streams }: Feed, { tools, nowMs }: Round): Promise<void> {
  const callerIds = [...new Set([...streams].map((stream) => stream.callerId))]
  const usable = await tools.usableCallers(app, tenant.accountId, callerIds)
  for (const stream of streams) {
    if (!usable.has(stream.callerId) || nowMs - stream.openedAtMs > lifeMsMax) stream.end()
    else stream.keepAlive(nowMs)
  }
}

async function tellClock(app: App, { tenant, streams }: Feed, { tools, nowMs }: Round): Promise<void> {
  const text = await tools.clockText(app, tenant)
  for (const stream of streams) stream.sayClock(text, nowMs)
}

/** Returns whether more events may be available now. */
async function tellEvents({ db }: App, { tenant, streams }: Feed, nowMs: number): Promise<boolean> {
  const after = oldest([...streams].map((stream) => stream.position)) ?? undefined
  const rows: StoredEvent[] = await listEvents(db, tenant, { order: 'asc', limit: roundRowsMax, after })
  for (const row of rows) for (const stream of streams) if (isAfter(row, stream.position)) stream.send(row, nowMs)
  return rows.length === roundRowsMax
}
