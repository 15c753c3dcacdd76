import { minuteMs } from '../../ground/time/spans.ts'
import type { App } from '../../platform/app.ts'
import { monotonicMs } from '../../platform/clock.ts'
import { firstReadingMs } from '../../sending-accounts/index.ts'
import {
  type ClaimedMailbox,
  insertMissingMailboxesAcrossAccounts,
  listHeldMailboxesAcrossAccounts,
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
/** What waits no longer than this for its next try counts as work to share. */
const soonMs = minuteMs
/** Nothing is sent any more from a mailbox that was not read for so long (delivery/planner/pacing.ts). */
export const unreadMs = 15 * minuteMs

/** Says that the worker lives, and answers the mailboxes that are its own: a worker that was taken for dead has none. */
export async function renewShare(app: App, token: string): Promise<ClaimedMailbox[]> {
  await upsertInboxWorker(app.db, { token, leaseMs })
  return listHeldMailboxesAcrossAccounts(app.db, token)
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
  await insertMissingMailboxesAcrossAccounts(app.db, new Date(app.clock.now().getTime() - firstReadingMs))
  const count = await countMailboxesAcrossAccounts(app.db, { soonMs, longMs: unreadMs })
  await updateMailboxCount(app.db, { ...count, goodMs: countGoodMs(monotonicMs() - beganAtMs) })
}
