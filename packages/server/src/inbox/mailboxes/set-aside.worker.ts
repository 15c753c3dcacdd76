import { hourMs } from '@overture/ground/time/spans.ts'
import { forgetByAccount } from '../../platform/lifecycle/forget.ts'
import type { PeriodicTask } from '../../platform/lifecycle/polling.worker.ts'
import { deleteExpiredSetAside, listExpiredSetAsideAcrossAccounts } from './set-aside.sql.ts'

const keptMs = 90 * 24 * hourMs
const deletedAtOnce = 10_000

export const forgetSetAside = forgetByAccount(listExpiredSetAsideAcrossAccounts, deleteExpiredSetAside)

/** Deletes messages that were set aside long ago: if no user asked for one within three months, it is not missed. */
export const inboxPeriodic: readonly PeriodicTask[] = [
  {
    name: 'inbox.forget_set_aside',
    everyMs: hourMs,
    async run({ db }, now) {
      const before = new Date(now.getTime() - keptMs)
      while ((await forgetSetAside(db, before, deletedAtOnce)) === deletedAtOnce);
    },
  },
]
