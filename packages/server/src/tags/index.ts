/** Tags on campaigns, people and sending accounts. */
export { hasTag, tagIdsColumn } from './tagged.sql.ts'
export { tagRoutes } from './tags.routes.ts'
