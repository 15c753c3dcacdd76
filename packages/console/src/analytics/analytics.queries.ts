import type { Analytics, Campaign, CampaignStats, GroupedAnalytics, Summary } from '@overture/sdk'
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

/** The numbers by hour of the week, in the time zone of the account. */
export function useHours({ campaignId, from, to }: AnalyticsRange & { campaignId?: string }) {
  const { zone } = useTenantTime()
  const range = { ...(from !== undefined && { from }), ...(to !== undefined && { to }) }
  const of = { ...range, ...(campaignId !== undefined && { campaignId }) }
  return useReading<GroupedAnalytics>({
    key: ['analytics', 'hours', of, zone],
    read: (api) => api.analytics.grouped({ groupBy: 'weekday,hour', timezone: zone, ...of }),
    keepOld: true,
  })
}

export function useSummary() {
  return useReading<Summary>({ key: ['campaigns', 'summary'], read: (api) => api.account.summary() })
}

export interface CampaignNumbers {
  campaign: Campaign
  stats: CampaignStats
}

/** Each campaign needs its own request, and a session may send thirty per second. */
const comparedMax = 12

/** The most recently changed campaigns, side by side. */
export function useComparedCampaigns() {
  return useReading<CampaignNumbers[]>({
    key: ['campaigns', 'compared'],
    async read(api) {
      const { results } = await api.campaigns.list({ limit: comparedMax }).page()
      return Promise.all(results.map(async (campaign) => ({ campaign, stats: await api.campaigns.stats(campaign.id) })))
    },
  })
}
