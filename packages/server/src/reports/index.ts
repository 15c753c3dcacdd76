/** Scheduled reports: a question about the statistics that is mailed to users. */
export { reportJobs } from './reports.jobs.ts'
export { reportRoutes } from './reports.routes.ts'
