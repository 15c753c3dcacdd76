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
