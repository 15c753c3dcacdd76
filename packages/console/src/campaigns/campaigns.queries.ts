import type { ActivityList, Campaign, CampaignStats, CampaignStatus, FollowupStatus } from '@overture/sdk'
import { useReading, type ListReading } from '../platform/api/query.ts'

export function useCampaign(id: string) {
  return useReading<Campaign>({ key: ['campaigns', 'one', id], read: (api) => api.campaigns.get(id) })
}

export function useCampaignStats(id: string) {
  return useReading<CampaignStats>({ key: ['campaigns', 'stats', id], read: (api) => api.campaigns.stats(id) })
}

export function useFollowupStatus(id: string) {
  return useReading<FollowupStatus>({
    key: ['campaigns', 'followup', id],
    read: (api) => api.campaigns.followupStatus(id),
  })
}

export function useCampaignActivity(id: string, limit: number) {
  return useReading<ActivityList>({
    key: ['campaigns', 'activity', id, limit],
    read: (api) => api.campaigns.activity(id, { limit }).page(),
    keepOld: true,
  })
}

export interface CampaignFilter {
  q?: string | undefined
  status?: CampaignStatus | undefined
}

/** A page of campaigns, for lists to choose from. */
export function useCampaigns(filter: CampaignFilter & { limit?: number } = {}) {
  return useReading({
    key: ['campaigns', 'some', filter],
    read: (api) => api.campaigns.list({ limit: 100, ...filter }).page(),
  })
}

export function campaignList(filter: CampaignFilter): ListReading<Campaign> {
  return {
    key: ['campaigns', 'list', filter],
    page: (api, place) => api.campaigns.list({ ...filter, ...place }).page(),
  }
}
