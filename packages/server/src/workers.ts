import { creditsPeriodic } from './credits/index.ts'
import type { App } from './platform/app.ts'
import { createPeriodicWorker } from './platform/lifecycle/polling-worker.ts'
import type { Worker } from './platform/lifecycle/worker.ts'
import type { Services } from './services.ts'

/** Everything that runs beside the requests, on nodes whose role is `worker` or `all`. */
export function createWorkers(app: App, _services: Services): Worker[] {
  return creditsPeriodic.map((task) => createPeriodicWorker(app, task))
}
