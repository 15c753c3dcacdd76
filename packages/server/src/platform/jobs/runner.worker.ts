import { byAccount } from '@overture/ground/by-account.ts'
import { minuteMs } from '@overture/ground/time/spans.ts'
import type { App } from '../app.ts'
import { sleep } from '../clock.ts'
import type { Worker } from '../lifecycle/worker.ts'
import { jobLanes, type JobHandler, type JobLane } from './job.ts'
import { createLane, type LanePlaces, type RunningJob } from './job-lane.shell.ts'
import { renewJobLeases } from './jobs.sql.ts'

interface JobRunnerOptions {
  app: App
  handlers: readonly JobHandler[]
  lanes?: Partial<Record<JobLane, LanePlaces>>
  /** At most a minute, so that jobs of a killed worker run again soon. */
  leaseMs?: number
  pollMs?: number
}

const defaults = { leaseMs: minuteMs, pollMs: 1_000 }
const lanePlaces: Record<JobLane, LanePlaces> = {
  quick: { places: 8, perAccountMax: 6 },
  rows: { places: 4, perAccountMax: 3 },
  mail: { places: 8, perAccountMax: 3 },
  models: { places: 10, perAccountMax: 8 },
}
const drainMs = 10_000
const abortedDrainMs = 5_000

/** Runs the due jobs of every account, in parallel lanes. Any number of processes may run them. */
export function createJobRunner(options: JobRunnerOptions): Worker {
  const { app, handlers } = options
  const { leaseMs, pollMs } = { ...defaults, ...options }
  const lanes = jobLanes.flatMap((name) => {
    const own = handlers.filter(({ lane = 'quick' }) => lane === name)
    const places = options.lanes?.[name] ?? lanePlaces[name]
    return own.length === 0 ? [] : [createLane({ app, name, handlers: own, ...places, leaseMs, pollMs })]
  })
  let renewals: NodeJS.Timeout | null = null

  const running = (): RunningJob[] => lanes.flatMap((lane) => [...lane.running])

  async function renew(): Promise<void> {
    const held = running()
    for (const [accountId, own] of byAccount(held.map((one) => ({ ...one, accountId: one.job.accountId })))) {
      try {
        const jobs = own.map((one) => one.job)
        const ours = new Set(await renewJobLeases(app.db, accountId, jobs, leaseMs))
        for (const { job, abort } of own) if (!ours.has(job.id)) abort.abort(new Error('The lease was lost.'))
      } catch (error) {
        app.log.warn({ event: 'jobs.renewal_failed', reason: (error as Error).message })
      }
    }
  }

  return {
    name: 'jobs',
    async start() {
      renewals = setInterval(() => void renew(), leaseMs / 3)
      await Promise.all(lanes.map((lane) => lane.start()))
    },
    async stop() {
      await Promise.all(lanes.map((lane) => lane.stop()))
      const ended = Promise.allSettled(running().map((one) => one.ended))
      await Promise.race([ended, sleep(drainMs)])
      const unfinished = running()
      for (const { abort } of unfinished) abort.abort(new Error('The process is stopping.'))
      await Promise.race([ended, sleep(unfinished.length === 0 ? 0 : abortedDrainMs)])
      if (renewals !== null) clearInterval(renewals)
    },
  }
}
