import { creditsPeriodic } from './credits/index.ts'
import type { App } from './platform/app.ts'
import { deleteExpiredAnswersAcrossAccounts } from './platform/http/idempotency.sql.ts'
import { createPeriodicWorker, type PeriodicTask } from './platform/lifecycle/polling-worker.ts'
import type { Worker } from './platform/lifecycle/worker.ts'
import type { Services } from './services.ts'

const hourMs = 3_600_000
const expiredAnswersMax = 10_000

/** Everything that runs beside the requests, on nodes whose role is `worker` or `all`. */
export function createWorkers(app: App, _services: Services): Worker[] {
  return [...creditsPeriodic, forgetAnswers].map((task) => createPeriodicWorker(app, task))
}

const forgetAnswers: PeriodicTask = {
  name: 'idempotency.forget_expired',
  everyMs: hourMs,
  async run({ db }, now) {
    await deleteExpiredAnswersAcrossAccounts(db, now, expiredAnswersMax)
  },
}
