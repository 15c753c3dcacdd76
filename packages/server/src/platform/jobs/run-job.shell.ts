import { Counter } from 'prom-client'
import { foreignText } from '@overture/ground/text/foreign-text.ts'
import type { App } from '../app.ts'
import { isUnavailable } from '../db/errors.ts'
import { deleteFinishedJob, updateFailedJob, updateJobToRunAgain, type ClaimedJob } from './jobs.sql.ts'
import { metrics } from '../metrics.shell.ts'
import { plainMessage } from '../error-message.ts'
import type { Tenant } from '../tenant.ts'
import { traced } from '../traces/traces.shell.ts'
import type { JobHandler } from './job.ts'
import { retryWaitMs } from './jobs.shell.ts'

interface RunJobOptions {
  app: App
  job: ClaimedJob
  handler: JobHandler
  /** The time on the job's own clock. */
  now: Date
  signal: AbortSignal
}

type JobOutcome = 'done' | 'retried' | 'dead'

const errorLengthMax = 500

const jobsRun = new Counter({
  name: 'overture_jobs_total',
  help: 'Jobs run, by kind and outcome.',
  labelNames: ['kind', 'outcome'],
  registers: [metrics],
})

/** Runs one claimed job and stores its outcome. Errors of the job are caught here. */
export async function runJob(options: RunJobOptions): Promise<JobOutcome> {
  const { accountId, kind, id, attempts, trace } = options.job
  const attributes = { 'overture.account_id': accountId, 'overture.job_id': id, 'overture.attempt': attempts }
  return traced(`job ${kind}`, { kind: 'consumer', attributes, cause: trace }, async (span) => {
    const outcome = await attempt(options)
    span?.set({ 'overture.outcome': outcome })
    jobsRun.inc({ kind, outcome })
    return outcome
  })
}

/** Runs a job inside the caller's transaction, which hides it from other workers. An error goes to the caller and rolls everything back. */
export async function runUnclaimedJob(options: Omit<RunJobOptions, 'job' | 'signal'> & UnclaimedJob): Promise<void> {
  const { app, job, tenant, handler, now } = options
  await handler.run({ app, tenant, now, attempt: job.attempts + 1, signal: new AbortController().signal }, job.payload)
  jobsRun.inc({ kind: job.kind, outcome: 'done' })
}

interface UnclaimedJob {
  tenant: Tenant
  job: Pick<ClaimedJob, 'kind' | 'payload' | 'attempts'>
}

async function attempt(options: RunJobOptions): Promise<JobOutcome> {
  const { app, job, handler, now, signal } = options
  const tenant = { accountId: job.accountId, environment: job.environment }
  try {
    // A job that killed its workers again and again gets no further try.
    if (job.attempts > handler.maxAttempts) throw new Error('Its worker ended before the job did, every time.')
    await handler.run({ app, tenant, now, attempt: job.attempts, signal }, job.payload)
  } catch (error) {
    return recordFailure(options, error as Error)
  }
  if (!(await deleteFinishedJob(app.db, job))) await updateJobToRunAgain(app.db, job)
  return 'done'
}

async function recordFailure({ app, job, handler, now }: RunJobOptions, error: Error): Promise<JobOutcome> {
  const reason = foreignText(`${error.name}: ${plainMessage(error)}`, errorLengthMax)
  const isLast = job.attempts >= handler.maxAttempts && !isUnavailable(error)
  const retryAt = isLast ? null : new Date(now.getTime() + retryWaitMs(job.attempts))
  const facts = { kind: job.kind, jobId: job.id, accountId: job.accountId, attempt: job.attempts }
  app.log[isLast ? 'error' : 'warn']({ event: isLast ? 'job.dead' : 'job.failed', ...facts, reason })
  const { payload } = job
  const tenant = { accountId: job.accountId, environment: job.environment }
  await app.db.transaction(async (tx) => {
    const isDead = await updateFailedJob(tx, { ...job, error: reason, retryAt })
    if (isDead) await handler.giveUp?.(tx, tenant, { payload, now })
  })
  return isLast ? 'dead' : 'retried'
}
