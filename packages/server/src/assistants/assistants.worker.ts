import { minuteMs } from '@overture/ground/time/spans.ts'
import type { PeriodicTask } from '../platform/lifecycle/polling.worker.ts'
import { endGrantBySystem } from './grants.commands.ts'
import { listUnusableGrantsAcrossAccounts } from './grants.sql.ts'
import { deleteOldRecordsAcrossAccounts } from './records.sql.ts'

const forgetEveryMs = 10 * minuteMs
const rowsMax = 1_000
/** Longer than a code and an access token last, so that a client always has the time to fetch and to refresh its tokens. */
const unusableAfterMs = 30 * minuteMs

/**
 * Deletes tokens, codes, requests and unused clients that are over, and those of ended grants. Ends grants that nothing can use any
 * more: the client never fetched its tokens, they are over, or a process stopped after it had stored the grant.
 */
export const assistantsPeriodic: PeriodicTask = {
  name: 'assistants.forget',
  everyMs: forgetEveryMs,
  async run({ db }, now) {
    const before = new Date(now.getTime() - unusableAfterMs)
    for (const id of await listUnusableGrantsAcrossAccounts(db, before, rowsMax)) await endGrantBySystem(db, id, now)
    for (let gone = rowsMax; gone === rowsMax;) gone = await deleteOldRecordsAcrossAccounts(db, now, rowsMax)
  },
}
