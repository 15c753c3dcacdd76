import { ApiError, type Overture } from '@overture/sdk'
import { createParser } from 'eventsource-parser'
import { realNowMs } from '../time/clock.ts'
import { isLostSession, lostSession } from '../api/session-lost.ts'

/** The callbacks of a reader of the event stream. */
export interface StreamListener {
  event(type: string): void
  /** Data that is not an event of the log. */
  other(kind: 'clock' | 'reset', data: string): void
  connected(on: boolean): void
}

const reconnectMs = { min: 1_000, max: 15_000 }
/** The server sends a comment every 15 seconds, so a stream that is silent for longer is dead. */
const silentMsMax = 40_000
const lookMs = 5_000
/** A missing connection is only reported after this time, so that a short interruption is not shown. */
const toldAfterMs = { first: 5_000, later: 400 }

/** Reads the event log as it is written, until it is stopped. After an interruption it continues after the last event received. */
export function readStream(api: Overture, listener: StreamListener): () => void {
  const stopped = new AbortController()
  void follow(api, listener, stopped.signal)
  return () => stopped.abort()
}

async function follow(api: Overture, listener: StreamListener, signal: AbortSignal): Promise<void> {
  const place: { after: string | undefined } = { after: undefined }
  let pauseMs = reconnectMs.min
  let toldMs = toldAfterMs.first
  while (!signal.aborted) {
    const lostTimer = setTimeout(() => !signal.aborted && listener.connected(false), toldMs)
    try {
      const begun = (): void => {
        clearTimeout(lostTimer)
        listener.connected(true)
        pauseMs = reconnectMs.min
        toldMs = toldAfterMs.later
      }
      await readOnce(api, place, { listener, begun, signal })
    } catch (error) {
      if (isLostSession(error)) lostSession.tell()
      if (ApiError.is(error) && error.status === 404) return clearTimeout(lostTimer)
      // The account has reached its limit of streams. Until one is free, all data is read again at each attempt, so the page is never far
      // behind.
      if (ApiError.is(error) && error.status === 409) {
        clearTimeout(lostTimer)
        pauseMs = reconnectMs.max
        listener.other('reset', '')
      }
    }
    if (signal.aborted) return clearTimeout(lostTimer)
    await rest(pauseMs, signal)
    clearTimeout(lostTimer)
    pauseMs = Math.min(pauseMs * 2, reconnectMs.max)
  }
}

async function readOnce(
  api: Overture,
  place: { after: string | undefined },
  { listener, begun, signal: outer }: { listener: StreamListener; begun: () => void; signal: AbortSignal },
): Promise<void> {
  const cut = new AbortController()
  const leave = (): void => cut.abort()
  outer.addEventListener('abort', leave, { once: true })
  let heardMs = realNowMs()
  const watch = setInterval(() => realNowMs() - heardMs > silentMsMax && cut.abort(), lookMs)
  try {
    const response = await api.send('GET', '/v2/events/stream', {
      query: { after: place.after },
      accept: 'text/event-stream',
      live: true,
      options: { signal: cut.signal, retries: 0 },
    })
    begun()
    const parser = createParser({
      onEvent({ event, id, data }) {
        if (event === 'clock' || event === 'reset') {
          if (event === 'reset') place.after = undefined
          listener.other(event, data)
          return
        }
        if (id !== undefined) place.after = id
        if (event !== undefined) listener.event(event)
      },
    })
    const decoder = new TextDecoder()
    for await (const chunk of response.body!) {
      heardMs = realNowMs()
      parser.feed(decoder.decode(chunk, { stream: true }))
    }
  } finally {
    clearInterval(watch)
    outer.removeEventListener('abort', leave)
    cut.abort()
  }
}

function rest(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true })
  })
}
