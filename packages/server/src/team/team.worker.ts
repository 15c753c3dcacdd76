import { minuteMs } from '@overture/ground/time/spans.ts'
import { forgetByAccount } from '../platform/lifecycle/forget.ts'
import type { PeriodicTask } from '../platform/lifecycle/polling.worker.ts'
import { deleteOldAttemptsAcrossAccounts } from './attempts.sql.ts'
import { deleteOldLinks, listOldLinksAcrossAccounts } from './links.sql.ts'
import { deleteEndedSessions, listEndedSessionsAcrossAccounts } from './sessions.sql.ts'
import { attemptsKeptMs } from './attempts.ts'

const forgetEveryMs = 10 * minuteMs
const rowsMax = 1_000
const forgetSessions = forgetByAccount(listEndedSessionsAcrossAccounts, deleteEndedSessions)
const forgetLinks = forgetByAccount(listOldLinksAcrossAccounts, deleteOldLinks)

/** Deletes ended sessions, old links and sign-in tries that no longer count. */
export const teamPeriodic: PeriodicTask = {
  name: 'team.forget',
  everyMs: forgetEveryMs,
  async run({ db }, now) {
    const before = new Date(now.getTime() - attemptsKeptMs)
    for (const forget of [
      () => forgetSessions(db, now, rowsMax),
      () => forgetLinks(db, now, rowsMax),
      () => deleteOldAttemptsAcrossAccounts(db, before, rowsMax),
    ])
      for (let gone = rowsMax; gone === rowsMax;) gone = await forget()
  },
}
