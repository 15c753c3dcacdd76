/** Lists of people outside of campaigns, and the campaigns that follow them. */
export { presentLists } from './lists.commands.ts'
export { listLists } from './lists.sql.ts'
export { presentMember } from './member.ts'
export { listMembers } from './members.sql.ts'
export { listJobs } from './lists.jobs.ts'
export { listRoutes } from './lists.routes.ts'
