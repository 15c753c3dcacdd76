import { retryAfterMs } from '@overture/ground/time/retry-after.ts'
import { secondMs, minuteMs, hourMs } from '@overture/ground/time/spans.ts'
import { createHash } from 'node:crypto'

/**
 * The waits before retries, from the Standard Webhooks specification: about 76 hours in total. Source: docs/contract.md,
 * "Events and webhooks".
 */
export const retryDelaysMs = [
  5 * secondMs,
  5 * minuteMs,
  30 * minuteMs,
  2 * hourMs,
  5 * hourMs,
  10 * hourMs,
  14 * hourMs,
  20 * hourMs,
  24 * hourMs,
]
const jitterShareMax = 0.1
const retryAfterMsMax = 24 * hourMs
/** An endpoint that has failed for this long is disabled. */
export const disableAfterMs = 5 * 24 * hourMs

export type PostResult =
  | { kind: 'answered'; status: number; retryAfter: string | null; excerpt: string; durationMs: number }
  | { kind: 'failed'; error: string; durationMs: number }

export type Decision =
  | { kind: 'succeeded' }
  | { kind: 'retry'; delayMs: number }
  | { kind: 'failed' }
  /** 410: the receiver wants no more events. */
  | { kind: 'gone' }

interface DeliveryAttempt {
  deliveryId: string
  /** Attempts made, including this one. */
  attempts: number
  /** Real time. */
  now: Date
}

/** Decides by the response: 2xx is success, 410 disables the endpoint, and everything else, including redirects, is retried. */
export function decide(result: PostResult, attempted: DeliveryAttempt): Decision {
  if (result.kind === 'answered' && isSuccess(result.status)) return { kind: 'succeeded' }
  if (result.kind === 'answered' && result.status === 410) return { kind: 'gone' }
  const delayMs = retryDelaysMs[attempted.attempts - 1]
  if (delayMs === undefined) return { kind: 'failed' }
  const requestedMs = result.kind === 'answered' ? askedWaitMs(result.retryAfter, attempted.now) : 0
  return { kind: 'retry', delayMs: Math.max(Math.round(delayMs * (1 + jitter(attempted))), requestedMs) }
}

export function isSuccess(status: number): boolean {
  return status >= 200 && status < 300
}

function askedWaitMs(header: string | null, now: Date): number {
  return Math.min(retryAfterMs(header, now) ?? 0, retryAfterMsMax)
}

// The jitter is derived from the delivery: it spreads retries as well as a random number, and is the same each time it is computed.
function jitter({ deliveryId, attempts }: DeliveryAttempt): number {
  const digest = createHash('sha256').update(`${deliveryId} ${attempts}`).digest()
  return (digest.readUInt32BE(0) / 0xffffffff) * jitterShareMax
}
