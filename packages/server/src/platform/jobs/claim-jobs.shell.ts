import { byAccount } from '@overture/ground/by-account.ts'
import type { Executor } from '../db/database.ts'
import {
  claimJobs,
  listDueJobsAcrossAccounts,
  listDueTestClocksAcrossAccounts,
  listDueTestJobs,
  type ClaimOptions,
} from './claims.sql.ts'
import { chooseJobs, fullAccounts, type JobPlaces, type WaitingJob } from './job-places.ts'
import type { ClaimedJob } from './jobs.sql.ts'

/** How often due jobs are listed again if other workers claimed all chosen ones. */
const looksMax = 4

interface PlacedClaimOptions extends ClaimOptions, JobPlaces {
  kinds: readonly string[]
}

/**
 * Claims due jobs of all accounts, the oldest first, but per account no more than it has places. Live and real-time jobs are due
 * by `now`, the others by the clock of their test environment. Due jobs are listed over all accounts and claimed account by
 * account. Each job is yielded as soon as it is claimed, so that the failure of a later claim leaves no claimed job waiting for
 * its lease to end.
 */
export async function* claimDueJobs(db: Executor, options: PlacedClaimOptions): AsyncGenerator<ClaimedJob, void> {
  const lost = new Set<string>()
  for (let poll = 0; poll < looksMax; poll++) {
    const chosen = chooseJobs(await listDueJobs(db, options, lost), options)
    let taken = 0
    for (const [accountId, own] of byAccount(chosen)) {
      const ids = own.map((job) => job.id)
      const jobs = await claimJobs(db, accountId, ids, options)
      taken += jobs.length
      yield* jobs
    }
    if (taken > 0 || chosen.length === 0) return
    for (const job of chosen) lost.add(jobName(job))
  }
}

// Lists additional jobs for those lost to other workers: these are still listed until their claims commit.
async function listDueJobs(
  db: Executor,
  options: PlacedClaimOptions,
  lost: ReadonlySet<string>,
): Promise<WaitingJob[]> {
  const { kinds, now } = options
  const query = { kinds, now, limit: options.limit + lost.size, full: fullAccounts(options) }
  const due = await listDueJobsAcrossAccounts(db, query)
  for (const accountId of await listDueTestClocksAcrossAccounts(db, query))
    due.push(...(await listDueTestJobs(db, accountId, query)))
  return due.filter((job) => !lost.has(jobName(job)))
}

function jobName({ accountId, id }: WaitingJob): string {
  return `${accountId} ${id}`
}
