/** The one place that reads the machine's time. Everything else takes a clock or a time as an argument. */
export interface Clock {
  now(): Date
}

export const systemClock: Clock = { now: () => new Date() }

/** Milliseconds that only grow, for measuring durations and for leases inside one process. */
export function monotonicMs(): number {
  return performance.now()
}

/** Pauses for real time; resolves early (false) when the signal aborts. */
export function sleep(delayMs: number, signal?: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve(false)
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve(true)
    }, delayMs)
    function stop(): void {
      clearTimeout(timer)
      resolve(false)
    }
    signal?.addEventListener('abort', stop, { once: true })
  })
}

/** For a long loop: its other end of a turn, which is over after so long, is when everything else had one. */
export function createTurns(turnMsMax: number): () => Promise<void> {
  let startedMs = monotonicMs()
  return async () => {
    if (monotonicMs() - startedMs < turnMsMax) return
    await sleep(0)
    startedMs = monotonicMs()
  }
}

/**
 * Runs with a signal that aborts after `delayMs`, or with `other`, whichever comes first. In the place of `AbortSignal.any`
 * over `AbortSignal.timeout`: on Node.js 20 the garbage collector takes those, timer and all, and nothing ever aborts.
 * Nothing listens to `other` once it has run: that may be the signal of a whole process.
 */
export async function withinTime<Result>(
  delayMs: number,
  other: AbortSignal | undefined,
  run: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const controller = new AbortController()
  if (other?.aborted === true) controller.abort(other.reason)
  const timer = setTimeout(() => controller.abort(new DOMException('The time is over.', 'TimeoutError')), delayMs)
  timer.unref()
  const stop = (): void => controller.abort(other?.reason)
  other?.addEventListener('abort', stop, { once: true })
  try {
    return await run(controller.signal)
  } finally {
    clearTimeout(timer)
    other?.removeEventListener('abort', stop)
  }
}
