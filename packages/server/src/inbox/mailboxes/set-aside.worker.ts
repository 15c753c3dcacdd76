import { hourMs } from '../../ground/time/spans.ts'
import type { PeriodicTask } from '../../platform/lifecycle/polling.worker.ts'
import { deleteExpiredSetAsideAcrossAccounts } from './set-aside.sql.ts'

const keptMs = 90 * 24 * hourMs
const deletedAtOnce = 10_000

/** Who has not asked for a message in three months does not miss it. */
export const inboxPeriodic: readonly PeriodicTask[] = [
  {
    name: 'inbox.forget_set_aside',
    everyMs: hourMs,
    async run({ db }, now) {
      const before = new Date(now.getTime() - keptMs)
      while ((await deleteExpiredSetAsideAcrossAccounts(db, before, deletedAtOnce)) === deletedAtOnce);
    },
  },
]
