import { pause } from './product-caller.ts'

/** Watches something until it is stopped. `stop` returns what it recorded. */
export interface Watcher<Seen> {
  seen: Seen
  stop(): Promise<Seen>
}

interface Watched {
  url: string
  key: string
}

const callTimeoutMs = 15_000
const followPauseMs = 100
const probePauseMs = 100
const pageSize = 100

/** Reads the event log by cursor, page by page, from whichever node responds. Failed pages are requested again. */
export function followLog(target: Watched): Watcher<string[]> {
  const seen: string[] = []
  return watch(seen, async () => {
    const after = seen.length === 0 ? '' : `&after=${seen.at(-1)}`
    const { status, body } = await ask(target, `/v2/events?limit=${pageSize}${after}`)
    if (status === 200) for (const { id } of (body as { results: { id: string }[] }).results) seen.push(id)
    await pause(followPauseMs)
  })
}

/** Compares the followed events with the whole log. Returns events that the follower missed, got twice or got in a different order. */
export function logFaults(followed: readonly string[], whole: readonly string[]): string[] {
  const places = new Map(whole.map((id, place) => [id, place]))
  const got = new Set(followed)
  const twice = followed.filter((id, index) => followed.indexOf(id) !== index)
  const missed = whole.filter((id) => !got.has(id))
  const moved = followed.filter((id, index) => {
    const before = followed[index - 1]
    return !places.has(id) || (before !== undefined && (places.get(before) ?? -1) >= (places.get(id) ?? -1))
  })
  return [
    ...twice.map((id) => `${id} twice`),
    ...missed.map((id) => `${id} missed`),
    ...moved.map((id) => `${id} out of order`),
  ]
}

/** An admitted request: when it was sent and when the response arrived, in ms. */
export interface Admitted {
  fromMs: number
  toMs: number
}

/** Sends requests as fast as the rate limit allows, and waits as long as `Retry-After` says. */
export function useUp(target: Watched): Watcher<Admitted[]> {
  const seen: Admitted[] = []
  return watch(seen, async () => {
    const fromMs = performance.now()
    const { status, retryAfterSeconds } = await ask(target, '/v2/account')
    if (status === 200) seen.push({ fromMs, toMs: performance.now() })
    if (status === 429) await pause(retryAfterSeconds * 1000)
  })
}

/** The largest number of requests that were certainly admitted within one window, whatever the network delays. */
export function mostWithin(admitted: readonly Admitted[], windowMs: number): number {
  const starts = admitted.map(({ fromMs }) => fromMs)
  return starts.reduce((most, fromMs) => {
    const inside = admitted.filter((one) => one.fromMs >= fromMs && one.toMs < fromMs + windowMs).length
    return Math.max(most, inside)
  }, 0)
}

export interface Probes {
  /** Response times in ms. A 502 for a stopped node and broken connections are failures. */
  tookMs: number[]
  failed: number
}

/** Requests a page of leads at a steady rate, like a user who views a campaign. */
export function probe(target: Watched, path: string): Watcher<Probes> {
  const seen: Probes = { tookMs: [], failed: 0 }
  return watch(seen, async () => {
    const beganAtMs = performance.now()
    const { status } = await ask(target, path)
    if (status === 200) seen.tookMs.push(performance.now() - beganAtMs)
    else seen.failed++
    await pause(probePauseMs)
  })
}

function watch<Seen>(seen: Seen, round: () => Promise<void>): Watcher<Seen> {
  let stopped = false
  const done = (async () => {
    while (!stopped) await round()
  })()
  return {
    seen,
    async stop() {
      stopped = true
      await done
      return seen
    },
  }
}

async function ask(
  { url, key }: Watched,
  path: string,
): Promise<{ status: number; body: unknown; retryAfterSeconds: number }> {
  try {
    const answer = await fetch(url + path, {
      headers: { authorization: `Bearer ${key}` },
      signal: AbortSignal.timeout(callTimeoutMs),
    })
    const body: unknown = await answer.json()
    return { status: answer.status, body, retryAfterSeconds: Number(answer.headers.get('retry-after') ?? 1) }
  } catch {
    await pause(followPauseMs)
    return { status: 0, body: null, retryAfterSeconds: 0 }
  }
}
