import { minuteMs } from '@overture/ground/time/spans.ts'
import type { PeriodicTask } from '../platform/lifecycle/polling.worker.ts'
import { deleteOldRecordsAcrossAccounts } from './records.sql.ts'

const forgetEveryMs = 10 * minuteMs
const rowsMax = 1_000

/** Deletes tokens, codes, requests and unused clients that are over, and those of ended grants. */
export const assistantsPeriodic: PeriodicTask = {
  name: 'assistants.forget',
  everyMs: forgetEveryMs,
  async run({ db }, now) {
    for (let gone = rowsMax; gone === rowsMax;) gone = await deleteOldRecordsAcrossAccounts(db, now, rowsMax)
  },
}
