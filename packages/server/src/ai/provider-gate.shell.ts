import { monotonicMs, sleep } from '../platform/clock.ts'
import type { AiConfig } from '../platform/config.ts'
import type { ProviderName } from './models.ts'
import { begun, ended, type Pace, paused, restingPace, waitOf } from './provider-pace.ts'

/** Calls that may stand in line for one provider; the next is told at once to come back. */
const lineMax = 200
const lookEveryMs = 20

/** The provider can't be asked within the caller's patience; nothing was sent. */
export class ProviderBusyError extends Error {
  readonly retryAfterMs: number
  constructor(retryAfterMs: number) {
    super('The provider is at its limit.')
    this.name = 'ProviderBusyError'
    this.retryAfterMs = retryAfterMs
  }
}

export interface Gate {
  /** Waits for a place, in order, for `patienceMs` at most; answers how to leave. Throws ProviderBusyError. */
  enter(wait: { signal: AbortSignal; patienceMs: number }): Promise<() => void>
  /** Nobody enters for this long. */
  pause(delayMs: number): void
}

// One gate a provider and process, whichever request or job comes through it.
const gates = new WeakMap<AiConfig, Map<ProviderName, Gate>>()

export function gateOf(ai: AiConfig, provider: ProviderName): Gate {
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
      const waitMs = waitOf(pace, limits, nowMs)
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
      if (line.length >= lineMax) throw new ProviderBusyError(waitOf(pace, limits, monotonicMs()) ?? lookEveryMs)
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
