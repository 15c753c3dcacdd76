import { randomUUID } from 'node:crypto'
import type { App } from '../app.ts'
import { sleep } from '../clock.ts'
import { createSignal } from '../lifecycle/polling.worker.ts'
import type { Worker } from '../lifecycle/worker.ts'
import { claimDueJobsAcrossAccounts, renewJobLeasesAcrossAccounts, type ClaimedJob } from './jobs.sql.ts'
import type { JobHandler } from './job.ts'
import { jobsChannel } from './jobs.shell.ts'
import { runJob } from './run-job.shell.ts'

export interface JobRunnerOptions {
  app: App
  handlers: readonly JobHandler[]
  concurrency?: number
  /** At most a minute, so that what a killed worker held runs again soon. */
  leaseMs?: number
  pollMs?: number
}

const defaults = { concurrency: 8, leaseMs: 60_000, pollMs: 1_000 }
const errorPauseMs = 1_000
const drainMs = 10_000
const abortedDrainMs = 5_000

interface Running {
  job: ClaimedJob
  abort: AbortController
  ended: Promise<void>
}

/** Runs the due jobs of every account, as many at once as `concurrency` says. Any number of processes may do so. */
export function createJobRunner(options: JobRunnerOptions): Worker {
  const { app, handlers } = options
  const { concurrency, leaseMs, pollMs } = { ...defaults, ...options }
  const byKind = new Map(handlers.map((handler) => [handler.kind, handler]))
  const running = new Map<string, Running>()
  const stopping = new AbortController()
  const wake = createSignal()
  let loop: Promise<void> | null = null
  let renewals: NodeJS.Timeout | null = null
  let stopListening = (): void => undefined

  async function claimAndRun(): Promise<void> {
    while (!stopping.signal.aborted) {
      wake.reset()
      const free = concurrency - running.size
      const jobs = free === 0 ? [] : await claim(free)
      for (const job of jobs) begin(job)
      if (free === 0 || jobs.length < free) await wake.wait(pollMs, stopping.signal)
    }
  }

  async function claim(limit: number): Promise<ClaimedJob[]> {
    try {
      const now = app.clock.now()
      const kinds = [...byKind.keys()]
      return await claimDueJobsAcrossAccounts(app.db, { kinds, now, limit, leaseMs, leaseToken: randomUUID() })
    } catch (error) {
      app.log.warn({ event: 'jobs.claim_failed', reason: (error as Error).message })
      await sleep(errorPauseMs, stopping.signal)
      return []
    }
  }

  function begin(job: ClaimedJob): void {
    const abort = new AbortController()
    const key = `${job.accountId} ${job.id} ${job.leaseToken}`
    const ended = runOne(job, abort.signal).finally(() => {
      running.delete(key)
      wake.raise()
    })
    running.set(key, { job, abort, ended })
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

  async function renew(): Promise<void> {
    const held = [...running.values()]
    if (held.length === 0) return
    try {
      const ours = await renewJobLeasesAcrossAccounts(
        app.db,
        held.map((one) => one.job),
        leaseMs,
      )
      for (const { job, abort } of held) if (!ours.has(job.id)) abort.abort(new Error('The lease was lost.'))
    } catch (error) {
      app.log.warn({ event: 'jobs.renewal_failed', reason: (error as Error).message })
    }
  }

  return {
    name: 'jobs',
    async start() {
      stopListening = app.db.listen(jobsChannel, () => wake.raise())
      renewals = setInterval(() => void renew(), leaseMs / 3)
      loop = claimAndRun()
    },
    async stop() {
      stopping.abort()
      stopListening()
      await loop
      const ended = Promise.allSettled([...running.values()].map((one) => one.ended))
      await Promise.race([ended, sleep(drainMs)])
      for (const { abort } of running.values()) abort.abort(new Error('The process is stopping.'))
      await Promise.race([ended, sleep(running.size === 0 ? 0 : abortedDrainMs)])
      if (renewals !== null) clearInterval(renewals)
    },
  }
}
