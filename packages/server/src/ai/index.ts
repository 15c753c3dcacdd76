/** The public interface of AI writing for other features. */
export { aiRoutes } from './ai.routes.ts'
export { approvalRoutes } from './approvals.routes.ts'
export { createAiChecks } from './generations/ai-start.queries.ts'
export { decideDraft, type DraftTools, requestDrafts, storeHandTexts } from './drafts/drafts.commands.ts'
export { draftJobs } from './drafts/drafts.jobs.ts'
export {
  type DraftNow,
  type DraftRequest,
  type HandText,
  listDraftsOfLeads,
  markTextsSpent,
} from './drafts/drafts.sql.ts'
export { sumAiCost } from './generations/generations.queries.ts'
export { requestTriage, type TriageTools, triageJobs } from './triage/triage.jobs.ts'
export { factsDigest, isStale } from './texts/stale.ts'
export { modelUrls } from './providers/provider-urls.ts'
export { modelLines } from './providers/model-file.shell.ts'
export { replyDraftRoutes } from './reply-drafts.routes.ts'
export {
  closeReplyDraft,
  type ReplyDraftTools,
  showReplyDraft,
  takeReplyDraft,
} from './reply-drafts/reply-drafts.commands.ts'
export { replyDraftJobs } from './reply-drafts/reply-drafts.jobs.ts'
export { reopenReplyDraft } from './reply-drafts/reply-drafts.sql.ts'
