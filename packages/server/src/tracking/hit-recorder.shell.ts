import { sleep } from '../platform/clock.ts'
import type { App } from '../platform/app.ts'
import { isUnavailable } from '../platform/db/errors.ts'
import { errorFacts } from '../platform/log.shell.ts'
import { recordHit, type TrackedHit } from './tracking.commands.ts'

/** How long a reader waits for the record at most. */
const waitMsMax = 1_000
const pendingMax = 10_000
/** So that hits never take more of the database's connections than this. */
const concurrencyMax = 4
const pauseMs = { min: 1_000, max: 30_000 }

interface HitRecorder {
  /** Resolves when the hit is recorded, and soon in any case: the reader's page does not depend on it. */
  record(hit: TrackedHit): Promise<void>
}

interface Pending {
  hit: TrackedHit
  done: () => void
}

/** Records hits as soon as the database takes them; those of an outage wait here, as many as there is room for. */
export function createHitRecorder(app: App): HitRecorder {
  const pending: Pending[] = []
  let running = 0
  let paused = false
  let delayMs = pauseMs.min

  async function record(item: Pending): Promise<void> {
    try {
      await recordHit(app, item.hit)
      delayMs = pauseMs.min
      item.done()
    } catch (error) {
      if (isUnavailable(error)) {
        pending.unshift(item)
        void pause()
        return
      }
      app.log.error({ event: 'tracking.hit_failed', ...errorFacts(error as Error) })
      item.done()
    }
  }

  async function pause(): Promise<void> {
    if (paused) return
    paused = true
    await sleep(delayMs)
    delayMs = Math.min(delayMs * 2, pauseMs.max)
    paused = false
    work()
  }

  function work(): void {
    while (!paused && running < concurrencyMax) {
      const item = pending.shift()
      if (item === undefined) return
      running++
      void record(item).then(() => {
        running--
        work()
      })
    }
  }

  return {
    async record(hit) {
      if (pending.length >= pendingMax) {
        app.log.warn({ event: 'tracking.hit_dropped' })
        return
      }
      const recorded = new Promise<void>((resolve) => void pending.push({ hit, done: resolve }))
      work()
      const late = new AbortController()
      await Promise.race([recorded, sleep(waitMsMax, late.signal)])
      late.abort()
    },
  }
}
