/** The outcome of one try. */
export type Outcome =
  | { kind: 'answer'; status: number; code: string | null; retryAfterSeconds: number | null }
  | { kind: 'lost' }
  | { kind: 'timeout' }

export interface Tries {
  /** The number of tries before this one. */
  before: number
  retriesMax: number
  retryAfterMsMax: number
  /** False for a body that can be read only once. */
  repeatable: boolean
}

const firstDelayMs = 500
const delayMsMax = 8_000
const unavailableRetriesMax = 1
const passing: ReadonlySet<number> = new Set([500, 502, 504])

/**
 * How long to wait before the next try, or null if there is none. A rate-limited request waits at least as long as the server said, since
 * an earlier one counts against the limit. From its second refusal on it waits longer, because callers at the same time refuse each other
 * for ever if they all return after the same time. `chance` is between 0 and 1.
 */
export function delayBeforeRetry(outcome: Outcome, tries: Tries, chance: number): number | null {
  if (!tries.repeatable || tries.before >= tries.retriesMax) return null
  if (outcome.kind !== 'answer') return backoffMs(tries.before, chance)
  const { status, code, retryAfterSeconds } = outcome
  if (code === 'QUOTA_EXCEEDED') return null
  if (status === 429 || status === 409) {
    if (retryAfterSeconds === null) return null
    const delayMs = retryAfterSeconds * 1000
    if (delayMs > tries.retryAfterMsMax) return null
    return Math.min(tries.retryAfterMsMax, delayMs * (1 + tries.before * chance))
  }
  if (status === 503) return tries.before < unavailableRetriesMax ? backoffMs(tries.before, chance) : null
  return passing.has(status) ? backoffMs(tries.before, chance) : null
}

/** Doubles the delay and takes between half of it and all of it, so that clients that failed together don't retry together. */
function backoffMs(before: number, chance: number): number {
  const whole = Math.min(delayMsMax, firstDelayMs * 2 ** before)
  return (whole * (1 + chance)) / 2
}
