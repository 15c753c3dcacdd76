import type { Campaign, CampaignStats, FollowupStatus, Summary } from '@overture/sdk'
import { useReading } from '../platform/api/query.ts'
import { localDay } from '../platform/time/format.ts'
import { useTenantTime } from '../platform/time/now.tsx'

export function useSummary() {
  return useReading<Summary>({ key: ['campaigns', 'summary'], read: (api) => api.account.summary() })
}

const todaysTypes = ['reply.received', 'message.bounced', 'meeting.booked'] as const

/** How many events of each type happened today, counted from the log. */
export function useToday() {
  const { now, zone } = useTenantTime()
  const from = localDay(now, zone)
  return useReading({
    key: ['events', 'today', from],
    async read(api) {
      const pages = await Promise.all(todaysTypes.map((type) => api.account.activity({ type, from, limit: 1 }).page()))
      const [replied = 0, bounced = 0, booked = 0] = pages.map(({ pagination }) => pagination.totalCount)
      return { replied, bounced, booked }
    },
    keepOld: true,
  })
}

/** Each campaign needs two more requests, and a session may send thirty per second. */
const runningMax = 5

export interface RunningCampaign {
  campaign: Campaign
  stats: CampaignStats
  followup: FollowupStatus
}

export function useRunning() {
  return useReading<RunningCampaign[]>({
    key: ['campaigns', 'running'],
    async read(api) {
      const { results } = await api.campaigns.list({ status: 'active', limit: runningMax }).page()
      return Promise.all(
        results.map(async (campaign) => {
          const [stats, followup] = await Promise.all([
            api.campaigns.stats(campaign.id),
            api.campaigns.followupStatus(campaign.id),
          ])
          return { campaign, stats, followup }
        }),
      )
    },
  })
}
