import { byAccount } from '@overture/ground/by-account.ts'
import { minuteMs } from '@overture/ground/time/spans.ts'
import type { App } from '../../platform/app.ts'
import { monotonicMs } from '../../platform/clock.ts'
import type { Executor } from '../../platform/db/database.ts'
import { firstReadingMs, insertMailbox } from '../../sending-accounts/index.ts'
import {
  claimMailboxes,
  type ClaimedMailbox,
  countHeldMailboxesAcrossAccounts,
  listFreeMailboxesAcrossAccounts,
  listMissingMailboxesAcrossAccounts,
} from './mailboxes.sql.ts'
import {
  claimMailboxCount,
  countMailboxesAcrossAccounts,
  deleteDeadInboxWorkers,
  findWorkToShare,
  updateMailboxCount,
  upsertInboxWorker,
} from './sharing.sql.ts'
import { countGoodMs, countGoodMsMax, type WorkToShare } from './sharing.ts'

const leaseMs = 45_000
/** How many senders without a mailbox get one at each count. */
const missingAtOnce = 10_000
/**
 * More free mailboxes are listed than claimed, and each worker starts at another position. So workers rarely try to claim the
 * same ones.
 */
const listedPerTaken = 8
const placeDigits = 8
/** A mailbox whose next try is at most this far ahead counts as work to share. */
const soonMs = minuteMs
/** Nothing is sent from a mailbox that has not been read for this long (packages/planner/src/pacing.ts). */
export const unreadMs = 15 * minuteMs

/** Renews the worker's lease and returns the number of its mailboxes. A worker that was taken for dead has none. */
export async function renewShare(app: App, token: string): Promise<number> {
  await upsertInboxWorker(app.db, { token, leaseMs })
  return countHeldMailboxesAcrossAccounts(app.db, token)
}

/** Claims up to `limit` free mailboxes, roughly the least recently read first. */
export async function takeFreeMailboxes(
  db: Executor,
  { token, limit }: { token: string; limit: number },
): Promise<ClaimedMailbox[]> {
  const free = await listFreeMailboxesAcrossAccounts(db, limit * listedPerTaken)
  const taken: ClaimedMailbox[] = []
  const first = startPlace(token, free.length - limit)
  const inTurn = [...free.slice(first), ...free.slice(0, first)]
  for (let at = 0; at < free.length && taken.length < limit;) {
    const next = limit - taken.length
    const tried = inTurn.slice(at, at + next)
    at += tried.length
    for (const [accountId, own] of byAccount(tried)) taken.push(...(await claimMailboxes(db, accountId, own, token)))
  }
  return taken
}

// A worker that is alone, or has few mailboxes to choose from, starts at the first one.
function startPlace(token: string, above: number): number {
  return above <= 0 ? 0 : Number.parseInt(token.slice(0, placeDigits), 16) % above
}

/** Returns how much work there is and how many workers share it. */
export async function findShare(app: App): Promise<WorkToShare> {
  await deleteDeadInboxWorkers(app.db)
  await countInOnePlace(app)
  return findWorkToShare(app.db)
}

// One worker counts for all, because the count reads all mailboxes. It runs the less often the longer it takes.
async function countInOnePlace(app: App): Promise<void> {
  if (!(await claimMailboxCount(app.db, countGoodMsMax))) return
  const beganAtMs = monotonicMs()
  const firstReadingAt = new Date(app.clock.now().getTime() - firstReadingMs)
  for (const { sendingAccountId, ...tenant } of await listMissingMailboxesAcrossAccounts(app.db, missingAtOnce))
    await insertMailbox(app.db, tenant, sendingAccountId, firstReadingAt)
  const count = await countMailboxesAcrossAccounts(app.db, { soonMs, longMs: unreadMs })
  await updateMailboxCount(app.db, { ...count, goodMs: countGoodMs(monotonicMs() - beganAtMs) })
}
