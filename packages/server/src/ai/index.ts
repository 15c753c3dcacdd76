/** All that other features may know of AI writing. */
export { aiRoutes } from './ai.routes.ts'
export { approvalRoutes } from './approvals.routes.ts'
export { type AiTools, type FindLeadFacts } from './generate.commands.ts'
export { checkAiStart } from './ai-start.queries.ts'
export { draftJobs, type DraftRequest, type DraftTools, requestDrafts } from './drafts.commands.ts'
export { type DraftRow, listDraftsOfLeads } from './drafts.sql.ts'
export { insertStarterPresets } from './presets.commands.ts'
