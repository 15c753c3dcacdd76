import { hourMs } from '@overture/ground/time/spans.ts'
import type { Executor, Transaction } from '../db/database.ts'
import type { NewJob } from './job.ts'
import { insertJob } from './jobs.sql.ts'

export const jobsChannel = 'overture_jobs'

export async function enqueueJob(tx: Executor, job: NewJob): Promise<void> {
  await insertJob(tx, job)
  if ('wake' in tx) (tx as Transaction).wake(jobsChannel)
}

const firstWaitMs = 5_000
const longestWaitMs = hourMs

/** The pause before the next try: 5 s, 15 s, 45 s … an hour. `attempt` counts from 1. */
export function retryWaitMs(attempt: number): number {
  return Math.min(firstWaitMs * 3 ** (attempt - 1), longestWaitMs)
}
