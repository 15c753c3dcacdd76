/** Tags on campaigns, people and sending accounts. */
export { addressHasTag, campaignOrSenderHasTag, hasTag, leadHasTag, tagIdsColumn } from './tagged.sql.ts'
export { giveTags, presentTag } from './tags.commands.ts'
export { findTag, listTags, listTagsById } from './tags.sql.ts'
export { tagRoutes } from './tags.routes.ts'
