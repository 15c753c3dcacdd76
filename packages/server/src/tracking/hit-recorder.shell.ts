import { sleep } from '../platform/clock.ts'
import type { App } from '../platform/app.ts'
import { isUnavailable } from '../platform/db/errors.ts'
import { errorFacts } from '../platform/log.shell.ts'
import { recordHit, type TrackedHit } from './hits.commands.ts'

/** The longest time that a reader's page waits until the hit is recorded. */
const waitMsMax = 1_000
const pendingMax = 10_000
/** The most database connections that hits use at once. */
const concurrencyMax = 4
const pauseMs = { min: 1_000, max: 30_000 }

interface HitRecorder {
  /** Resolves when the hit is recorded, or after `waitMsMax`: the reader's page does not depend on it. */
  record(hit: TrackedHit): Promise<void>
}

interface PendingHit {
  hit: TrackedHit
  done: () => void
}

export function createHitRecorder(app: App): HitRecorder {
  return new QueuedRecorder(app)
}

/** Records hits as soon as the database is available. Hits during an outage wait here, up to a limit. */
class QueuedRecorder implements HitRecorder {
  readonly #app: App
  readonly #pending: PendingHit[] = []
  #running = 0
  #paused = false
  #delayMs = pauseMs.min

  constructor(app: App) {
    this.#app = app
  }

  async record(hit: TrackedHit): Promise<void> {
    if (this.#pending.length >= pendingMax) {
      this.#app.log.warn({ event: 'tracking.hit_dropped' })
      return
    }
    const recorded = new Promise<void>((resolve) => void this.#pending.push({ hit, done: resolve }))
    this.#work()
    const late = new AbortController()
    await Promise.race([recorded, sleep(waitMsMax, late.signal)])
    late.abort()
  }

  #work(): void {
    while (!this.#paused && this.#running < concurrencyMax) {
      const item = this.#pending.shift()
      if (item === undefined) return
      this.#running++
      void this.#tryOne(item).then(() => {
        this.#running--
        this.#work()
      })
    }
  }

  async #tryOne(item: PendingHit): Promise<void> {
    try {
      await recordHit(this.#app, item.hit)
      this.#delayMs = pauseMs.min
      item.done()
    } catch (error) {
      if (isUnavailable(error)) {
        this.#pending.unshift(item)
        void this.#pause()
        return
      }
      this.#app.log.error({ event: 'tracking.hit_failed', ...errorFacts(error as Error) })
      item.done()
    }
  }

  async #pause(): Promise<void> {
    if (this.#paused) return
    this.#paused = true
    await sleep(this.#delayMs)
    this.#delayMs = Math.min(this.#delayMs * 2, pauseMs.max)
    this.#paused = false
    this.#work()
  }
}
