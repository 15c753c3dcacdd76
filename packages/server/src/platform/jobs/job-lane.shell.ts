import { randomUUID } from 'node:crypto'
import type { App } from '../app.ts'
import { createPollingWorker } from '../lifecycle/polling.worker.ts'
import type { Worker } from '../lifecycle/worker.ts'
import { claimDueJobs } from './claim-jobs.shell.ts'
import type { JobHandler } from './job.ts'
import type { ClaimedJob } from './jobs.sql.ts'
import { jobsChannel } from './jobs.shell.ts'
import { runJob } from './run-job.shell.ts'

export interface LanePlaces {
  places: number
  /** Less than `places`, so that an account with many jobs leaves places to the others. */
  perAccountMax: number
}

interface LaneOptions extends LanePlaces {
  app: App
  name: string
  handlers: readonly JobHandler[]
  leaseMs: number
  pollMs: number
}

export interface RunningJob {
  job: ClaimedJob
  abort: AbortController
  ended: Promise<void>
}

/** Claims due jobs from its start to its stop. The caller of `stop` decides about the jobs that still run. */
interface Lane extends Worker {
  running: ReadonlySet<RunningJob>
}

/** Runs jobs of some kinds, of every account, in a limited number of places. */
export function createLane(options: LaneOptions): Lane {
  const { app } = options
  const places = new Places(options)
  const polling = createPollingWorker({
    name: `jobs, ${options.name}`,
    log: app.log,
    heartbeats: app.heartbeats,
    pollMs: options.pollMs,
    run: () => places.fill(),
    listen: (raise) => {
      places.onFree = raise
      return app.db.listen(jobsChannel, raise)
    },
  })
  return { ...polling, running: places.running }
}

class Places {
  readonly running = new Set<RunningJob>()
  onFree = (): void => undefined
  readonly #options: LaneOptions
  readonly #byKind: ReadonlyMap<string, JobHandler>

  constructor(options: LaneOptions) {
    this.#options = options
    this.#byKind = new Map(options.handlers.map((handler) => [handler.kind, handler]))
  }

  // The claimed jobs may be all that one account may have, and jobs of other accounts may follow, so it returns true for another round.
  async fill(): Promise<boolean> {
    const free = this.#options.places - this.running.size
    if (free <= 0) return false
    let begun = 0
    for await (const job of this.#claim(free)) {
      this.#begin(job)
      begun++
    }
    return begun > 0
  }

  #claim(limit: number): AsyncIterable<ClaimedJob> {
    const { app, perAccountMax, leaseMs } = this.#options
    return claimDueJobs(app.db, {
      kinds: [...this.#byKind.keys()],
      now: app.clock.now(),
      limit,
      perAccountMax,
      underWay: this.#underWay(),
      leaseMs,
      leaseToken: randomUUID(),
    })
  }

  #underWay(): Map<string, number> {
    const counts = new Map<string, number>()
    for (const { job } of this.running) counts.set(job.accountId, (counts.get(job.accountId) ?? 0) + 1)
    return counts
  }

  #begin(job: ClaimedJob): void {
    const abort = new AbortController()
    const running: RunningJob = { job, abort, ended: Promise.resolve() }
    this.running.add(running)
    running.ended = this.#run(job, abort.signal).finally(() => {
      this.running.delete(running)
      this.onFree()
    })
  }

  // If the database is away when the outcome is stored, the lease expires and the job runs again.
  async #run(job: ClaimedJob, signal: AbortSignal): Promise<void> {
    const { app } = this.#options
    const handler = this.#byKind.get(job.kind) as JobHandler
    try {
      const tenant = { accountId: job.accountId, environment: job.environment }
      const now = job.clock === 'real' ? app.clock.now() : await app.clocks.now(app.db, tenant)
      await runJob({ app, job, handler, now, signal })
    } catch (error) {
      app.log.warn({ event: 'job.outcome_lost', kind: job.kind, jobId: job.id, reason: (error as Error).message })
    }
  }
}
