/** All that other features may know of campaigns and their leads. */
export { blockedReasonExpression } from './blocked-reason.sql.ts'
export { releaseSuppressedLeads } from './suppressed-leads.commands.ts'
export { markSuppressedLeads, type SuppressedAddress } from './suppressed-leads.sql.ts'
export { campaignRoutes, type CampaignTools } from './campaigns.routes.ts'
export { draftsAheadJob } from './drafts-ahead.commands.ts'
export { campaignJobs } from './campaigns.jobs.ts'
export type { AiStartCheck, StartTools } from './campaign-start.commands.ts'
export { pauseCampaign, type PauseCampaign } from './campaigns.commands.ts'
export { pauseStrandedCampaigns, resumeRelievedCampaigns } from './stranded.commands.ts'
export { findCredit } from './credit.sql.ts'
export { findLeadWithCampaign, getCampaign, getCampaignLead } from './campaigns.queries.ts'
export {
  findCampaignRow as findCampaign,
  findCampaignWithSequence,
  lockCampaignRow as lockCampaign,
  type CampaignRow,
} from './campaigns.sql.ts'
export { type LeadRow, presentLead } from './lead.ts'
export {
  completeFinishedCampaigns,
  deferLead,
  releaseLead,
  setInterest,
  type SetInterest,
  stopLead,
  type StopLead,
  wakePlanner,
} from './lead-moves.commands.ts'
export { deleteUnsentClaim } from './lead-moves.sql.ts'
export { addLeads, reopenCampaign, updateLead } from './leads.commands.ts'
export {
  findLeadRow as findLead,
  type LeadKey,
  listColleagueIds,
  listLeadRowsByAddress as listLeadsByAddress,
  lockLeadRow as lockLead,
} from './leads.sql.ts'
export type { RevealPeople } from './reveal-leads.commands.ts'
export { listSteps } from './sequence.sql.ts'
export { dueAfter, isOpen, nextOpening, zoneFor } from './sending-window.ts'
export { dayIn, dayNumberOf, startOfDayMs } from './time-zone.ts'
