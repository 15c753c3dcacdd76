import { byAccount } from '../../ground/by-account.ts'
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

/** How often it looks while all that it chose goes to others. */
const looksMax = 4

interface PlacedClaimOptions extends ClaimOptions, JobPlaces {
  kinds: readonly string[]
}

/**
 * Takes the jobs that are due in any account, the oldest first, and of no account more than it has places. Live and
 * real-time jobs go by `now`, the rest by their test environment's clock. What is due is listed over all accounts and taken
 * account by account; each is told as soon as it is taken, so that none waits for its lease to end where a later one fails.
 */
export async function* claimDueJobs(db: Executor, options: PlacedClaimOptions): AsyncGenerator<ClaimedJob, void> {
  const lost = new Set<string>()
  for (let look = 0; look < looksMax; look++) {
    const chosen = chooseJobs(await listDueJobs(db, options, lost), options)
    let taken = 0
    for (const [accountId, own] of byAccount(chosen)) {
      const ids = own.map((job) => job.id)
      const jobs = await claimJobs(db, accountId, ids, options)
      taken += jobs.length
      yield* jobs
    }
    if (taken > 0 || chosen.length === 0) return
    for (const job of chosen) lost.add(nameOf(job))
  }
}

// As many more as went to others: while their claim commits, what they took is listed still.
async function listDueJobs(
  db: Executor,
  options: PlacedClaimOptions,
  lost: ReadonlySet<string>,
): Promise<WaitingJob[]> {
  const { kinds, now } = options
  const asked = { kinds, now, limit: options.limit + lost.size, full: fullAccounts(options) }
  const due = await listDueJobsAcrossAccounts(db, asked)
  for (const accountId of await listDueTestClocksAcrossAccounts(db, asked))
    due.push(...(await listDueTestJobs(db, accountId, asked)))
  return due.filter((job) => !lost.has(nameOf(job)))
}

function nameOf({ accountId, id }: WaitingJob): string {
  return `${accountId} ${id}`
}
