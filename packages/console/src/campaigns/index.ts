export { blockedReasonText } from './campaigns.messages.ts'
export { useStartCampaign, useUpdateCampaign, usePauseCampaign, useResumeCampaign } from './campaigns.actions.ts'
export {
  campaignNumbers,
  noCounts,
  useCampaign,
  useCampaigns,
  useCampaignStats,
  useFollowupStatus,
  useNumbersByCampaign,
} from './campaigns.queries.ts'
export { campaignRates } from './rates.ts'
export { returnedWords } from './returned.panel.tsx'
export { CampaignPage, StopAndGo } from './campaign-frame.panel.tsx'
export { Windows } from './schedule/schedule-windows.tsx'
export { CampaignStatusBadge } from './status-badge.tsx'
export { EffectsDialog, useChangeCheck } from './effects.panel.tsx'
export { text as effectsText } from './effects.messages.ts'
