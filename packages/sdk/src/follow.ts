import type { Page } from './answers.ts'
import type { Caller } from './caller.ts'
import { ApiError, ConnectionError, TimeoutError } from './errors.ts'
import type { Event, EventType } from './generated/types.ts'
import { waitUntil } from './request.ts'
import { readEvents } from './streams.ts'
import type { UnknownEvent } from './unknown-event.ts'

export interface FollowOptions {
  /** The id of the last event that was processed. Without it, only events from now on are returned. */
  after?: string
  /** Only these types. */
  types?: readonly EventType[]
  campaignId?: string
  leadId?: string
  signal?: AbortSignal
}

const path = '/v2/events'
const pollMs = 2_000
const reconnectMs = { min: 1_000, max: 30_000 }
const pageSize = 100

/** Follows events without end. It uses the server's stream if there is one, and polls otherwise. */
export async function* follow(
  caller: Caller,
  options: FollowOptions = {},
): AsyncGenerator<Event | UnknownEvent, void, undefined> {
  const place = { after: options.after ?? (await newestId(caller, options.signal)) }
  let streams = true
  for (let pauseMs = reconnectMs.min; ; pauseMs = Math.min(pauseMs * 2, reconnectMs.max)) {
    try {
      for await (const event of streams ? streamed(caller, options, place) : listed(caller, options, place)) {
        options.signal?.throwIfAborted()
        place.after = event.id
        pauseMs = reconnectMs.min
        if (isWanted(event, options)) yield event
      }
      if (!streams) await waitUntil(Date.now() + pollMs, options.signal)
    } catch (error) {
      // There is no such stream, or the limit of streams is reached.
      if (streams && ApiError.is(error) && (error.status === 404 || error.status === 409)) streams = false
      else if (!ConnectionError.is(error) && !TimeoutError.is(error)) throw error
      else await waitUntil(Date.now() + pauseMs, options.signal)
    }
  }
}

interface Place {
  after: string | null
}

async function newestId(caller: Caller, signal?: AbortSignal): Promise<string | null> {
  const query = { order: 'desc', limit: 1 }
  const page = await caller.call<Page<Event>>('GET', path, { query, options: { signal } })
  return page.results[0]?.id ?? null
}

async function* streamed(caller: Caller, options: FollowOptions, place: Place): AsyncGenerator<Event> {
  const { types, campaignId, leadId, signal } = options
  const leaving = new AbortController()
  const leave = (): void => leaving.abort(signal?.reason)
  signal?.addEventListener('abort', leave, { once: true })
  try {
    const response = await caller.send('GET', `${path}/stream`, {
      query: { types: types?.join(','), campaignId, leadId, after: place.after },
      accept: 'text/event-stream',
      live: true,
      options: { signal: leaving.signal },
    })
    for await (const { id, event, data } of readEvents(response)) {
      // The stream can't go back far enough, so the missed events are read from the log.
      if (event === 'reset') return yield* listed(caller, options, place)
      if (id !== undefined) yield JSON.parse(data) as Event
    }
  } finally {
    signal?.removeEventListener('abort', leave)
    leaving.abort()
  }
}

async function* listed(caller: Caller, { signal }: FollowOptions, place: Place): AsyncGenerator<Event> {
  const query = { limit: pageSize, after: place.after }
  yield* caller.list<Event, Page<Event>>('GET', path, { query, options: { signal } })
}

function isWanted(event: Event, { types, campaignId, leadId }: FollowOptions): boolean {
  return (
    (types === undefined || types.includes(event.type)) &&
    (campaignId === undefined || event.data.campaignId === campaignId) &&
    (leadId === undefined || event.data.leadId === leadId)
  )
}
