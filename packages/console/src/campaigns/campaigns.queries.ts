import type { ActivityList, Campaign, CampaignStats, CampaignStatus, Diagnosis, FollowupStatus } from '@overture/sdk'
import { ApiError } from '@overture/sdk'
import { useReading, type ListReading } from '../platform/api/query.ts'

export function useCampaign(id: string) {
  return useReading<Campaign>({ key: ['campaigns', 'one', id], read: (api) => api.campaigns.get(id) })
}

export function useCampaignStats(id: string) {
  return useReading<CampaignStats>({ key: ['campaigns', 'stats', id], read: (api) => api.campaigns.stats(id) })
}

/** It takes the server a second or two of work. */
const diagnosisFreshMs = 60_000

/** An area of its own: while messages leave it is read anew now and then, for it is the forecast run several times. */
export function useDiagnosis(id: string) {
  return useReading<Diagnosis>({
    key: ['diagnosis', id],
    read: (api) => api.campaigns.diagnose(id),
    freshMs: diagnosisFreshMs,
  })
}

export function useFollowupStatus(id: string) {
  return useReading<FollowupStatus>({
    key: ['campaigns', 'followup', id],
    read: (api) => api.campaigns.followupStatus(id),
  })
}

const returnedEventsMax = 100

/** Counts the leads of a campaign that wait because a message was returned. */
export function useReturned(id: string) {
  return useReading<number>({
    key: ['leads', 'returned', id],
    read: async (api) =>
      countReturned(await api.campaigns.leads.list(id, { blockedReason: 'returned', limit: 1 }).page()),
  })
}

/** Finds campaigns with such leads among the campaigns in the last `message.returned` events. */
export function useReturnedCampaigns() {
  return useReading<{ id: string; count: number }[]>({
    key: ['leads', 'returned-campaigns'],
    async read(api) {
      const log = await api.account.activity({ type: 'message.returned', limit: returnedEventsMax }).page()
      const ids = new Set(log.results.flatMap(({ campaignId }) => campaignId ?? []))
      const found = await Promise.all(
        Array.from(ids, async (id) => ({
          id,
          count: await Promise.resolve(
            api.campaigns.leads.list(id, { blockedReason: 'returned', limit: 1 }).page(),
          ).then(countReturned, noneIfGone),
        })),
      )
      return found.filter(({ count }) => count > 0)
    },
  })
}

function countReturned({ pagination }: { pagination: { totalCount: number } }): number {
  return pagination.totalCount
}

function noneIfGone(error: unknown): number {
  if (ApiError.is(error) && error.status === 404) return 0
  throw error
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
