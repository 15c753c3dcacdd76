export { peopleRoutes } from './people.routes.ts'
export type { PeopleDeps } from './people.commands.ts'
