import { retryAfterMs } from '@overture/ground/time/retry-after.ts'
import { minuteMs, secondMs } from '@overture/ground/time/spans.ts'
/** The limits of one node for one provider. */
interface PaceLimits {
  concurrency: number
  requestsPerMinute: number | null
}

/** Times are milliseconds of a monotonic clock. */
export interface Pace {
  running: number
  /** When the calls of the last minute began, oldest first. */
  startedMs: readonly number[]
  /** The provider asked for a pause until then. */
  pausedUntilMs: number
}

export const restingPace: Pace = { running: 0, startedMs: [], pausedUntilMs: 0 }

/** Milliseconds until a call may begin: 0 means now, null means after another call has ended. */
export function paceWaitMs(pace: Pace, limits: PaceLimits, nowMs: number): number | null {
  if (pace.running >= limits.concurrency) return null
  const pause = Math.max(0, pace.pausedUntilMs - nowMs)
  if (limits.requestsPerMinute === null) return pause
  const recent = pace.startedMs.filter((startedMs) => startedMs > nowMs - minuteMs)
  // The call that must be older than a minute before another one may start.
  const leaving = recent[recent.length - limits.requestsPerMinute]
  return Math.max(pause, leaving === undefined ? 0 : leaving + minuteMs - nowMs)
}

export function begun(pace: Pace, nowMs: number): Pace {
  const recent = pace.startedMs.filter((startedMs) => startedMs > nowMs - minuteMs)
  return { ...pace, running: pace.running + 1, startedMs: [...recent, nowMs] }
}

export function ended(pace: Pace): Pace {
  return { ...pace, running: pace.running - 1 }
}

export function paused(pace: Pace, untilMs: number): Pace {
  return { ...pace, pausedUntilMs: Math.max(pace.pausedUntilMs, untilMs) }
}

/** The HTTP status and headers of a failed call. */
interface CallFailure {
  /** Null if there was no response. */
  status: number | null
  headers: Readonly<Record<string, string>>
  body?: string | undefined
}

/** `busy` is the provider's limit, `broken` is worth another try, and `refused` would fail again. */
type FailureKind = { kind: 'busy' | 'broken'; waitMs: number } | { kind: 'refused' }

const busyWaitMs = 2_000
const brokenWaitMs = 500
const overloaded = new Set([429, 503, 529])

/** Classifies a failed call. `now` is the machine's time, for a Retry-After with a date. */
export function failureKind({ status, headers, body = '' }: CallFailure, now: Date): FailureKind {
  if (status === null) return { kind: 'broken', waitMs: brokenWaitMs }
  // OpenAI uses the status of a rate limit for an account without money.
  if (status === 429 && body.includes('"insufficient_quota"')) return { kind: 'refused' }
  if (overloaded.has(status))
    return { kind: 'busy', waitMs: askedWaitMs(headers, now) ?? googleWaitMs(body) ?? busyWaitMs }
  return status >= 500 || status === 408 ? { kind: 'broken', waitMs: brokenWaitMs } : { kind: 'refused' }
}

/** Google sends no header, but the details of its error have a `RetryInfo`. */
function googleWaitMs(body: string): number | null {
  const seconds = /"retryDelay": ?"(\d{1,6}(?:\.\d{1,9})?)s"/.exec(body)?.[1]
  return seconds === undefined ? null : Number(seconds) * secondMs
}

/** Reads a standard Retry-After, or OpenAI's more precise `retry-after-ms`. */
function askedWaitMs(headers: Readonly<Record<string, string>>, now: Date): number | null {
  const exactMs = Number(headers['retry-after-ms'] ?? Number.NaN)
  return Number.isFinite(exactMs) ? Math.max(0, exactMs) : retryAfterMs(headers['retry-after'], now)
}
