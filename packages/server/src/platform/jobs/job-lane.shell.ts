import { randomUUID } from 'node:crypto'
import type { App } from '../app.ts'
import { sleep } from '../clock.ts'
import { createSignal } from '../lifecycle/polling.worker.ts'
import type { JobHandler } from './job.ts'
import { claimDueJobsAcrossAccounts, type ClaimedJob } from './jobs.sql.ts'
import { runJob } from './run-job.shell.ts'

export interface LanePlaces {
  places: number
  /** Fewer than there are: an account that brings much leaves some to the others. */
  perAccountMax: number
}

export interface LaneOptions extends LanePlaces {
  app: App
  handlers: readonly JobHandler[]
  leaseMs: number
  pollMs: number
  stopping: AbortSignal
}

export interface RunningJob {
  job: ClaimedJob
  abort: AbortController
  ended: Promise<void>
}

export interface Lane {
  running: ReadonlySet<RunningJob>
  /** Looks for jobs at once. */
  wake(): void
  /** Takes what is due until it is to stop. */
  work(): Promise<void>
}

const errorPauseMs = 1_000

/** The places of some kinds of jobs, of every account. */
export function createLane(options: LaneOptions): Lane {
  const { app, handlers, places, pollMs, stopping } = options
  const byKind = new Map(handlers.map((handler) => [handler.kind, handler]))
  const running = new Set<RunningJob>()
  const wake = createSignal()

  async function work(): Promise<void> {
    while (!stopping.aborted) {
      wake.reset()
      const jobs = running.size < places ? await claim(places - running.size) : []
      for (const job of jobs) begin(job)
      // What was taken may have been all that one account may have: others' jobs stand behind it.
      if (jobs.length === 0) await wake.wait(pollMs, stopping)
    }
  }

  async function claim(limit: number): Promise<ClaimedJob[]> {
    const { leaseMs, perAccountMax } = options
    try {
      const now = app.clock.now()
      const kinds = [...byKind.keys()]
      const lease = { leaseMs, leaseToken: randomUUID() }
      return await claimDueJobsAcrossAccounts(app.db, {
        kinds,
        now,
        limit,
        perAccountMax,
        underWay: underWay(),
        ...lease,
      })
    } catch (error) {
      app.log.warn({ event: 'jobs.claim_failed', reason: (error as Error).message })
      await sleep(errorPauseMs, stopping)
      return []
    }
  }

  function underWay(): Map<string, number> {
    const counts = new Map<string, number>()
    for (const { job } of running) counts.set(job.accountId, (counts.get(job.accountId) ?? 0) + 1)
    return counts
  }

  function begin(job: ClaimedJob): void {
    const abort = new AbortController()
    const one: RunningJob = { job, abort, ended: Promise.resolve() }
    running.add(one)
    one.ended = runOne(job, abort.signal).finally(() => {
      running.delete(one)
      wake.raise()
    })
  }

  // A database that is away when the outcome is to be written leaves the lease to run out: the job runs again.
  async function runOne(job: ClaimedJob, signal: AbortSignal): Promise<void> {
    const handler = byKind.get(job.kind) as JobHandler
    try {
      const tenant = { accountId: job.accountId, environment: job.environment }
      const now = job.clock === 'real' ? app.clock.now() : await app.clocks.now(app.db, tenant)
      await runJob({ app, job, handler, now, signal })
    } catch (error) {
      app.log.warn({ event: 'job.outcome_lost', kind: job.kind, jobId: job.id, reason: (error as Error).message })
    }
  }

  return { running, wake: () => wake.raise(), work }
}
