import type { Analytics, Stats } from '@overture/sdk'
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

export interface AnalyticsGroup extends Stats {
  key: (string | null)[]
}

export interface GroupedAnalytics {
  groups: AnalyticsGroup[]
  totals: Stats
  timezone?: string
}

/** The dictionary of statistics, grouped by something of what was sent. */
export function useGroupedAnalytics(groupBy: string, filter: AnalyticsRange & { campaignId?: string } = {}) {
  const { zone } = useTenantTime()
  return useReading<GroupedAnalytics>({
    key: ['analytics', 'groups', groupBy, filter, zone],
    read: (api) =>
      api.call<GroupedAnalytics>('GET', '/v2/analytics', { query: { groupBy, timezone: zone, ...filter } }),
    keepOld: true,
  })
}
