import type { Analytics, Campaign, CampaignStats, Summary } from '@overture/sdk'
import { useReading } from '../platform/api/query.ts'
import { useTenantTime } from '../platform/time/now.tsx'

export interface AnalyticsRange {
  from?: string
  to?: string
}

export function useCampaignAnalytics(id: string, query: AnalyticsRange & { interval: 'day' | 'week' | 'month' }) {
  const { zone } = useTenantTime()
  return useReading<Analytics>({
    key: ['analytics', 'campaign', id, query, zone],
    read: (api) => api.campaigns.analytics(id, { ...query, timezone: zone }),
    keepOld: true,
  })
}

const repliesMax = 1_000

/** When people replied: the newest replies of the log, each at the time it came. */
export function useReplyTimes(campaignId?: string) {
  return useReading<string[]>({
    key: ['analytics', 'reply-times', campaignId],
    async read(api) {
      const query = { type: 'reply.received' as const, limit: 100, ...(campaignId !== undefined && { campaignId }) }
      const replies = await api.account.activity(query).toArray({ max: repliesMax })
      return replies.map(({ occurredAt }) => occurredAt)
    },
  })
}

export function useSummary() {
  return useReading<Summary>({ key: ['campaigns', 'summary'], read: (api) => api.account.summary() })
}

export interface CampaignNumbers {
  campaign: Campaign
  stats: CampaignStats
}

/** Each is asked for by itself, and a session may ask thirty times a second. */
const comparedMax = 12

/** The campaigns changed last, side by side. */
export function useComparedCampaigns() {
  return useReading<CampaignNumbers[]>({
    key: ['campaigns', 'compared'],
    async read(api) {
      const { results } = await api.campaigns.list({ limit: comparedMax }).page()
      return Promise.all(results.map(async (campaign) => ({ campaign, stats: await api.campaigns.stats(campaign.id) })))
    },
  })
}
