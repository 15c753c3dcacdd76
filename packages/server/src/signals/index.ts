/** All that other features may know of signals. */
export { signalJobs } from './signals.jobs.ts'
export { signalRoutes } from './signals.routes.ts'
