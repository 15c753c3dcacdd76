/** Tags on campaigns, people and sending accounts. */
export { hasTag, tagIdsColumn } from './tagged.sql.ts'
export { presentTag } from './tags.commands.ts'
export { listTags } from './tags.sql.ts'
export { tagRoutes } from './tags.routes.ts'
