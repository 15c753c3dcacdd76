import { byAccount } from '../../ground/by-account.ts'
import { minuteMs } from '../../ground/time/spans.ts'
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
/** Of senders that came without a mailbox, at each count. */
const missingAtOnce = 10_000
/** Of free mailboxes more are listed than are taken, and each worker begins at another: several seldom want the same. */
const listedPerTaken = 8
const placeDigits = 8
/** What waits no longer than this for its next try counts as work to share. */
const soonMs = minuteMs
/** Nothing is sent any more from a mailbox that was not read for so long (delivery/planner/pacing.ts). */
export const unreadMs = 15 * minuteMs

/** Says that the worker lives, and answers how many mailboxes are its own: a worker that was taken for dead has none. */
export async function renewShare(app: App, token: string): Promise<number> {
  await upsertInboxWorker(app.db, { token, leaseMs })
  return countHeldMailboxesAcrossAccounts(app.db, token)
}

/** Takes up to so many of those that nobody reads, those that were read longest ago before most others. */
export async function takeFreeMailboxes(
  db: Executor,
  { token, limit }: { token: string; limit: number },
): Promise<ClaimedMailbox[]> {
  const free = await listFreeMailboxesAcrossAccounts(db, limit * listedPerTaken)
  const taken: ClaimedMailbox[] = []
  const first = placeOf(token, free.length - limit)
  const inTurn = [...free.slice(first), ...free.slice(0, first)]
  for (let at = 0; at < free.length && taken.length < limit;) {
    const next = limit - taken.length
    const tried = inTurn.slice(at, at + next)
    at += tried.length
    for (const [accountId, own] of byAccount(tried)) taken.push(...(await claimMailboxes(db, accountId, own, token)))
  }
  return taken
}

// A worker that is alone, or has few to choose from, begins with the first.
function placeOf(token: string, above: number): number {
  return above <= 0 ? 0 : Number.parseInt(token.slice(0, placeDigits), 16) % above
}

/** What there is to share, and among how many. */
export async function findShare(app: App): Promise<WorkToShare> {
  await deleteDeadInboxWorkers(app.db)
  await countInOnePlace(app)
  return findWorkToShare(app.db)
}

// What looks at all mailboxes is done by one worker for all, and the less often the longer it takes.
async function countInOnePlace(app: App): Promise<void> {
  if (!(await claimMailboxCount(app.db, countGoodMsMax))) return
  const beganAtMs = monotonicMs()
  const firstReadingAt = new Date(app.clock.now().getTime() - firstReadingMs)
  for (const { sendingAccountId, ...tenant } of await listMissingMailboxesAcrossAccounts(app.db, missingAtOnce))
    await insertMailbox(app.db, tenant, sendingAccountId, firstReadingAt)
  const count = await countMailboxesAcrossAccounts(app.db, { soonMs, longMs: unreadMs })
  await updateMailboxCount(app.db, { ...count, goodMs: countGoodMs(monotonicMs() - beganAtMs) })
}
