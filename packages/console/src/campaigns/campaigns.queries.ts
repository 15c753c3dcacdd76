import type {
  ActivityList,
  Campaign,
  CampaignStats,
  CampaignStatus,
  Diagnosis,
  FollowupStatus,
  GroupedAnalytics,
  HolidayCalendars,
  Stats,
} from '@overture/sdk'
import { useMemo } from 'react'
import { useReading, type ListReading, type ReadOptions } from '../platform/api/query.ts'

/** A campaign. Nothing is read while its id is null. */
export function useCampaign(id: string | null) {
  return useReading<Campaign>({
    key: ['campaigns', 'one', id],
    enabled: id !== null,
    read: (api, signal) => api.campaigns.get(id ?? '', { signal }),
  })
}

export function useCampaignStats(id: string) {
  return useReading<CampaignStats>({ key: ['campaigns', 'stats', id], read: (api) => api.campaigns.stats(id) })
}

export type CampaignCounts = Pick<
  Stats,
  'contacted' | 'sent' | 'uniqueReplied' | 'interested' | 'unsubscribed' | 'bounced'
>
export type NumbersByCampaign = ReadonlyMap<string, CampaignCounts>

export const noCounts: CampaignCounts = {
  contacted: 0,
  sent: 0,
  uniqueReplied: 0,
  interested: 0,
  unsubscribed: 0,
  bounced: 0,
}

/** The numbers of all campaigns by one request. The API lists the thousand campaigns with the most messages. */
export function campaignNumbers(tagId?: string): Pick<ReadOptions<GroupedAnalytics>, 'key' | 'read'> {
  return {
    key: ['campaigns', 'numbers', tagId],
    read: (api) => api.analytics.grouped({ groupBy: 'campaign', ...(tagId !== undefined && { tagId }) }),
  }
}

export function useNumbersByCampaign(tagId?: string) {
  const reading = useReading({ ...campaignNumbers(tagId), keepOld: true })
  const { data } = reading
  const byCampaign: NumbersByCampaign | undefined = useMemo(
    () => data && new Map(data.groups.flatMap((group) => (group.key[0] ? [[group.key[0], group] as const] : []))),
    [data],
  )
  return { ...reading, data: byCampaign }
}

/** The server needs a second or two of work for it. */
const diagnosisFreshMs = 60_000

/**
 * Has its own area, which is read again only now and then while messages are sent, since the server runs the forecast several times for it.
 */
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

/** Every country that has public holidays, with its regions. */
export function useHolidayCalendars() {
  return useReading<HolidayCalendars>({
    key: ['holidays', 'calendars'],
    read: (api) => api.holidays.calendars(),
    freshMs: Infinity,
  })
}

/** Counts the leads of a campaign that wait because a message was returned. */
export function useReturned(id: string) {
  return useReading<number>({
    key: ['leads', 'returned', id],
    async read(api) {
      const { pagination } = await api.campaigns.leads.list(id, { blockedReason: 'returned', limit: 1 }).page()
      return pagination.totalCount
    },
  })
}

export interface MissingValues {
  /** The number of leads that get no message until a variable has a value. */
  leads: number
  names: string[]
  /** A sentence for each variable that no lead has. */
  advice: string[]
}

/** The names are only known to the review before a launch, so it is read if some lead is held. */
export function useMissingValues(id: string, enabled: boolean) {
  return useReading<MissingValues>({
    key: ['leads', 'missing', id],
    async read(api) {
      const { pagination } = await api.campaigns.leads.list(id, { blockedReason: 'missing_variable', limit: 1 }).page()
      const leads = pagination.totalCount
      if (leads === 0) return { leads, names: [], advice: [] }
      const { warnings } = await api.campaigns.preflight(id)
      return {
        leads,
        names: warnings.flatMap(({ code, ref }) => (code === 'missing_variable' && ref !== null ? [ref] : [])),
        advice: warnings.flatMap(({ code, message }) => (code === 'unknown_variable' ? [message] : [])),
      }
    },
    enabled,
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
  tagId?: string | undefined
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
