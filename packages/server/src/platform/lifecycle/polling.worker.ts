import type { App } from '../app.ts'
import { hourMs, minuteMs } from '@overture/ground/time/spans.ts'
import { monotonicMs, sleep } from '../clock.ts'
import { isUnavailable } from '../db/errors.ts'
import { errorFacts, type Logger } from '../log.shell.ts'
import type { Heartbeats } from './heartbeats.ts'
import type { Worker } from './worker.ts'

interface PollingOptions {
  name: string
  log: Logger
  heartbeats: Heartbeats
  pollMs: number
  /** The longest time of a normal round. A longer one counts as hung, and the process reports itself as not alive. */
  roundMsMax?: number
  /** One round. Resolves to true if more work may be ready at once. It ends early when the signal aborts. */
  run: (signal: AbortSignal) => Promise<boolean>
  /** Registers a function that makes the worker poll at once; returns a function that unregisters it. */
  listen?: (wake: () => void) => () => void
}

/** Statements end after two minutes, and a round of a loop waits for few of them. */
const roundMsMaxDefault = 10 * minuteMs
/** Periodic tasks run rarely and may have much work. */
const taskMsMax = 2 * hourMs
const errorPauseMs = { min: 500, max: 30_000 }
/** The longest pause while the database is away, so that all workers continue soon after it is back. */
const databasePauseMsMax = 2_000

/** Runs rounds one after the other. Errors of a worker are caught here: each is logged, and the pause after it grows. */
export function createPollingWorker(options: PollingOptions): Worker {
  const { name, log, heartbeats, pollMs, roundMsMax = roundMsMaxDefault, run, listen } = options
  const stopping = new AbortController()
  const wake = createSignal()
  let loop: Promise<void> | null = null
  let stopListening = (): void => undefined

  async function rounds(): Promise<void> {
    let pauseMs = errorPauseMs.min
    while (!stopping.signal.aborted) {
      wake.reset()
      const end = heartbeats.begin(name, { atMs: monotonicMs(), msMax: roundMsMax })
      try {
        const more = await run(stopping.signal).finally(end)
        heartbeats.note(name, true)
        pauseMs = errorPauseMs.min
        if (!more) await wake.wait(pollMs, stopping.signal)
      } catch (error) {
        if (stopping.signal.aborted) return
        heartbeats.note(name, false)
        log.error({ event: 'worker.failed', worker: name, ...errorFacts(error as Error) })
        await sleep(isUnavailable(error) ? Math.min(pauseMs, databasePauseMsMax) : pauseMs, stopping.signal)
        pauseMs = Math.min(pauseMs * 2, errorPauseMs.max)
      }
    }
  }

  return {
    name,
    async start() {
      if (listen !== undefined) stopListening = listen(() => wake.raise())
      loop = rounds()
    },
    async stop() {
      stopping.abort()
      stopListening()
      await loop
    },
  }
}

/** Work without a request, on every worker node: it must be safe to run on several nodes at the same time. */
export interface PeriodicTask {
  name: string
  everyMs: number
  run: (app: App, now: Date) => Promise<unknown>
}

/** Runs a task at the start and then at its interval. */
export function createPeriodicWorker(app: App, task: PeriodicTask): Worker {
  return createPollingWorker({
    name: task.name,
    log: app.log,
    heartbeats: app.heartbeats,
    pollMs: task.everyMs,
    roundMsMax: taskMsMax,
    async run() {
      await task.run(app, app.clock.now())
      return false
    },
  })
}

/** A flag that one side raises and the other waits for. A raise between `reset` and `wait` is not lost. */
export function createSignal() {
  let raised = false
  let notify = (): void => undefined
  return {
    raise(): void {
      raised = true
      notify()
    },
    reset(): void {
      raised = false
    },
    // Thousands of mailboxes wait this way, so it uses no controller per wait: each abort would create an error with a stack.
    wait(timeoutMs: number, signal?: AbortSignal): Promise<void> {
      return new Promise((resolve) => {
        if (raised || signal?.aborted === true) return resolve()
        const timer = setTimeout(end, timeoutMs)
        signal?.addEventListener('abort', end, { once: true })
        notify = end
        function end(): void {
          clearTimeout(timer)
          signal?.removeEventListener('abort', end)
          notify = () => undefined
          resolve()
        }
      })
    },
  }
}
