export { peopleJobs } from './people.jobs.ts'
export { peopleRoutes } from './people.routes.ts'
export { upsertPeople } from './people.sql.ts'
