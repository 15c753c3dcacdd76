/** The only module that reads the machine's time. All others get a clock or a time as an argument. */
export interface Clock {
  now(): Date
}

export const systemClock: Clock = { now: () => new Date() }

/** Milliseconds of a clock that never goes back, for durations and for leases inside one process. */
export function monotonicMs(): number {
  return performance.now()
}

/** Pauses for real time. Resolves early, to false, if the signal aborts. */
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

/** For long loops: the returned function yields to the event loop if more than `turnMsMax` has passed since the last yield. */
export function createTurns(turnMsMax: number): () => Promise<void> {
  let startedMs = monotonicMs()
  return async () => {
    if (monotonicMs() - startedMs < turnMsMax) return
    await sleep(0)
    startedMs = monotonicMs()
  }
}

/**
 * Runs with a signal that aborts after `delayMs` or together with `other`, whichever comes first. It replaces `AbortSignal.any`
 * over `AbortSignal.timeout`: on Node.js 20 the garbage collector removes those with their timer, so they never abort. Afterwards
 * no listener is left on `other`, which may live as long as the process.
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
