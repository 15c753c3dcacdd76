import type { Analytics, AnalyticsGroup, GroupedAnalytics, Stats } from '@overture/sdk'
import { campaignNumbers } from '../campaigns/index.ts'
import { useReading } from '../platform/api/query.ts'
import { datesUntil } from './days.ts'
import { localDay } from '../platform/time/format.ts'
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
export function useHours({ campaignId, tagId, from, to }: AnalyticsRange & { campaignId?: string; tagId?: string }) {
  const { zone } = useTenantTime()
  const range = { ...(from !== undefined && { from }), ...(to !== undefined && { to }) }
  const of = { ...range, ...(campaignId !== undefined && { campaignId }), ...(tagId !== undefined && { tagId }) }
  return useReading<GroupedAnalytics>({
    key: ['analytics', 'hours', of, zone],
    read: (api) => api.analytics.grouped({ groupBy: 'weekday,hour', timezone: zone, ...of }),
    keepOld: true,
  })
}

const shownDays = 30

export interface DayCounts extends Pick<AnalyticsGroup, 'sent' | 'uniqueReplied' | 'bounced'> {
  date: string
}

/** The numbers of the last thirty days, today included, with a row for each day. */
export function useLastDays() {
  const { now, zone } = useTenantTime()
  const to = localDay(now, zone)
  return useReading<DayCounts[]>({
    key: ['analytics', 'days', to, zone],
    async read(api) {
      const dates = datesUntil(to, shownDays)
      const { groups } = await api.analytics.grouped({ groupBy: 'day', timezone: zone, from: dates[0]!, to })
      const byDate = new Map(groups.map((group) => [group.key[0], group]))
      return dates.map((date) => ({ ...noDay, ...byDate.get(date), date }))
    },
    keepOld: true,
  })
}

const noDay = { sent: 0, uniqueReplied: 0, bounced: 0 }

/** The numbers of the account, or of the campaigns and sending accounts with a tag. Other parts of the console read the same. */
export function useTotals(tagId: string | undefined) {
  return useReading<{ totals: Stats }>(
    tagId === undefined
      ? { key: ['campaigns', 'summary'], read: (api) => api.account.summary() }
      : campaignNumbers(tagId),
  )
}
