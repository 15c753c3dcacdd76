/** The public interface of placement tests for the composition root. */
export { placementJobs } from './placement.jobs.ts'
export { placementRoutes } from './placement.routes.ts'
export type { TestReader } from './read-placements.shell.ts'
export { seedSecretContext } from './seed-secrets.shell.ts'
