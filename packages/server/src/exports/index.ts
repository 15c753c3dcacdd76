/** Exports of an account: the rows of its tables as files. */
export { exportJobs } from './exports.jobs.ts'
export { exportRoutes } from './exports.routes.ts'
