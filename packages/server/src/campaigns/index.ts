/** Everything that other features may use of campaigns and their leads. */
export { blockedReasonExpression, unsentReasonExpression } from './leads/blocked-reason.sql.ts'
export {
  releaseCheckedLeads,
  releaseProviderHolds,
  releasePolicyHolds,
  releaseAddressPolicyHolds,
  releaseSuppressedLeads,
  releaseSuppressionHolds,
} from './leads/suppressed-leads.commands.ts'
export { markSuppressedLeads, type SuppressedAddress } from './leads/suppressed-leads.sql.ts'
export { campaignRoutes } from './campaigns.routes.ts'
export { listCampaignDocuments } from './campaign-document.commands.ts'
export { draftsAheadJob } from './drafts-ahead.commands.ts'
export { campaignJobs } from './campaigns.jobs.ts'
export { tryCampaignChange } from './dry-run.commands.ts'
export type { ContentTools } from './campaign-start.commands.ts'
export type { CampaignChange } from './campaigns.commands.ts'
export { pauseCampaign } from './pause-campaign.commands.ts'
export { type AiStartCheck, findStartBlockers } from './campaign-start.commands.ts'
export { findSuccessor } from './steering/hand-over.sql.ts'
export { explainEntries } from './steering/explain-entries.queries.ts'
export { stopLeads } from './leads/stop-leads.commands.ts'
export { pauseStrandedCampaigns, resumeRelievedCampaigns } from './steering/stranded.commands.ts'
export { findCredit } from './leads/attribution.sql.ts'
export { findLeadWithCampaign } from './campaigns.queries.ts'
export {
  findCampaignRow as findCampaign,
  findCampaignWithSequence,
  listCampaignRows,
  listCampaignsById,
  lockCampaignRow as lockCampaign,
  type CampaignRow,
  keepsCampaignOpen,
} from './campaigns.sql.ts'
export { settingsColumn } from './stored-settings.ts'
export { type LeadRow, presentLead } from './leads/lead.ts'
export { readSurroundings } from './leads/surroundings.queries.ts'
export {
  completeFinishedCampaigns,
  deferLead,
  releaseLead,
  stopLead,
  wakePlanner,
} from './leads/lead-moves.commands.ts'
export { holdReturned, resolveReturnedLeads, restoreBouncedLead } from './leads/returned-leads.commands.ts'
export { setInterest } from './steering/interest.commands.ts'
export {
  advanceLeads,
  blockLead,
  completeLeads,
  holdLeads,
  leadAdvance,
  requeueLeads,
  takeLeadForSending,
  takeLeads,
  updateCampaignHolds,
  type LeadAdvance,
} from './leads/progress.sql.ts'
export { askBranches } from './steering/ask-branches.commands.ts'
export {
  continueAfterTask,
  dueTasksJobKind,
  recordHandTasks,
  recordTasks,
  returnBeforeTask,
  simulatedTaskJobKind,
  watchOpened,
} from './steering/tasks.commands.ts'
export { cancelSuppressedTasks, ofTask, taskData } from './paths/cancel-tasks.commands.ts'
export { listStepTasks, taskToldColumns, type ToldTask } from './paths/tasks.sql.ts'
export { recordDecisions } from './steering/decisions.commands.ts'
export { type DecisionRow, listDecisions, listSentSteps } from './paths/decisions.sql.ts'
export { listLeadFacts } from './paths/lead-facts.queries.ts'
export { listSignalsOfLeads } from './paths/lead-signals.sql.ts'
export { countOnLeads, countReply } from './leads/counts.sql.ts'
export { addLeads, addReadLeads } from './leads/leads.commands.ts'
export { followJobKind } from './followed-list.commands.ts'
export { updateLead } from './steering/update-lead.commands.ts'
export { countLeadsWithout, listCustomNames } from './leads/leads-at-once.sql.ts'
export {
  findLeadById,
  findLeadRow as findLead,
  listColleagueIds,
  listLeadRows,
  listLeadRowsByAddress as listLeadsByAddress,
  lockLeadRow as lockLead,
} from './leads/leads.sql.ts'
export type { RevealPeople } from './leads/reveal-leads.commands.ts'
export { listSteps } from './sequence/sequence.sql.ts'
export { dueAfter } from '@overture/ground/time/sending-window.ts'
export { assertOwnerExists } from './owners.commands.ts'
