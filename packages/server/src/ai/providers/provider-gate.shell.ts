import { dayMs, hourMs } from '@overture/ground/time/spans.ts'
import { monotonicMs, sleep } from '../../platform/clock.ts'
import type { AiConfig } from '../../platform/config.ts'
import type { Tenant } from '../../platform/tenant.ts'
import type { ProviderName } from './models.ts'
import { begun, ended, type Pace, paused, restingPace, paceWaitMs } from './provider-pace.ts'

/** The largest number of calls that wait for one provider. Further calls are refused at once with a time to retry. */
const lineMax = 200
const lookEveryMs = 20
/** How long a job waits for a busy provider before it is postponed, so that other jobs can run. */
const jobPatienceMs = 2_000
const jobWaitMs = { min: 5_000, max: hourMs }
/** A job is given up if its provider was busy for this long. */
const jobGivesUpAfterMs = dayMs

/** The provider can't be called within the caller's patience; nothing was sent. */
export class ProviderBusyError extends Error {
  readonly retryAfterMs: number
  constructor(retryAfterMs: number) {
    super('The provider is at its limit.')
    this.name = 'ProviderBusyError'
    this.retryAfterMs = retryAfterMs
  }
}

/** The tenant of a waiting job and the time since which it waits. */
export interface WaitingJob {
  tenant: Tenant
  since: Date
  now: Date
}

/** The patience of a job. It is the whole time of a call in the test environment, whose clock doesn't move during the wait. */
export function jobPatience({ environment }: Tenant): { patienceMs?: number } {
  return environment === 'live' ? { patienceMs: jobPatienceMs } : {}
}

/** When a job is retried whose provider was busy. Null if it isn't: after another error, after a day, or in the test environment. */
export function comesBackAt(error: unknown, waiting: WaitingJob): Date | null {
  if (!(error instanceof ProviderBusyError) || waiting.tenant.environment !== 'live' || isOverdue(waiting)) return null
  const waitMs = Math.min(jobWaitMs.max, Math.max(jobWaitMs.min, error.retryAfterMs))
  return new Date(waiting.now.getTime() + waitMs)
}

export function isOverdue({ since, now }: Pick<WaitingJob, 'since' | 'now'>): boolean {
  return now.getTime() - since.getTime() > jobGivesUpAfterMs
}

interface Gate {
  /** Waits up to `patienceMs` for a place, in order of arrival. Returns the function that frees the place. Throws ProviderBusyError. */
  enter(wait: { signal: AbortSignal; patienceMs: number }): Promise<() => void>
  /** Lets no call start for this long. */
  pause(delayMs: number): void
}

// One gate per provider and process, shared by all requests and jobs.
const gates = new WeakMap<AiConfig, Map<ProviderName, Gate>>()

export function findGate(ai: AiConfig, provider: ProviderName): Gate {
  const own = gates.get(ai) ?? new Map<ProviderName, Gate>()
  gates.set(ai, own)
  const gate = own.get(provider) ?? createGate(ai)
  own.set(provider, gate)
  return gate
}

function createGate(limits: AiConfig): Gate {
  let pace: Pace = restingPace
  const line: symbol[] = []

  async function wait(place: symbol, { signal, patienceMs }: { signal: AbortSignal; patienceMs: number }) {
    const untilMs = monotonicMs() + patienceMs
    for (;;) {
      signal.throwIfAborted()
      const nowMs = monotonicMs()
      const waitMs = paceWaitMs(pace, limits, nowMs)
      if (waitMs === 0 && line[0] === place) {
        pace = begun(pace, nowMs)
        return
      }
      const leftMs = untilMs - nowMs
      if (leftMs <= 0 || (waitMs ?? 0) > leftMs) throw new ProviderBusyError(waitMs ?? lookEveryMs)
      await sleep(Math.min(leftMs, Math.max(lookEveryMs, line[0] === place ? (waitMs ?? 0) : 0)), signal)
    }
  }

  return {
    async enter(patience) {
      if (line.length >= lineMax) throw new ProviderBusyError(paceWaitMs(pace, limits, monotonicMs()) ?? lookEveryMs)
      const place = Symbol('place')
      line.push(place)
      try {
        await wait(place, patience)
      } finally {
        line.splice(line.indexOf(place), 1)
      }
      let inside = true
      return () => {
        if (inside) pace = ended(pace)
        inside = false
      }
    },
    pause(delayMs) {
      pace = paused(pace, monotonicMs() + delayMs)
    },
  }
}
