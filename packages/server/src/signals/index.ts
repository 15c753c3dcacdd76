/** The public interface of signals for other features. */
export { signalJobs } from './signals.jobs.ts'
export { signalRoutes } from './signals.routes.ts'
