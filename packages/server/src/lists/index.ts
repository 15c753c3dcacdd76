/** Lists of people outside of campaigns, and the campaigns that follow them. */
export { listJobs } from './lists.jobs.ts'
export { listRoutes } from './lists.routes.ts'
