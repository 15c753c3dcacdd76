import type { BlockedReason, Explanation, Interest, Lead, LeadStatus, LeadThread } from '@overture/sdk'
import { useReading, type ListReading } from '../platform/api/query.ts'

export interface LeadFilter {
  q?: string
  status?: LeadStatus
  interest?: Interest
  blockedReason?: BlockedReason
}

export function leadList(campaignId: string, filter: LeadFilter): ListReading<Lead> {
  return {
    key: ['leads', 'list', campaignId, filter],
    page: (api, place) => api.campaigns.leads.list(campaignId, { ...filter, ...place }).page(),
  }
}

/** The first leads of a campaign, to preview with. */
export function useSomeLeads(campaignId: string, limit = 20) {
  return useReading({
    key: ['leads', 'some', campaignId, limit],
    read: (api) => api.campaigns.leads.list(campaignId, { limit }).page(),
    keepOld: true,
  })
}

export function useLead(campaignId: string, leadId: string) {
  return useReading<Lead>({ key: ['leads', 'one', leadId], read: (api) => api.campaigns.leads.get(campaignId, leadId) })
}

export function useThread(campaignId: string, leadId: string) {
  return useReading<LeadThread>({
    key: ['leads', 'thread', leadId],
    read: (api) => api.campaigns.leads.thread(campaignId, leadId),
  })
}

export function useExplanation(campaignId: string, leadId: string) {
  return useReading<Explanation>({
    key: ['leads', 'explain', leadId],
    read: (api) => api.campaigns.leads.explain(campaignId, leadId),
  })
}

const doubtsMax = 20

/** Leads whose last message may or may not have left, anywhere in the environment. */
export function useInDoubt() {
  return useReading<Lead[]>({
    key: ['leads', 'in-doubt'],
    async read(api) {
      const log = await api.account.activity({ type: 'message.uncertain', limit: 100 }).page()
      const places = new Map(
        log.results.flatMap(({ campaignId, leadId }) =>
          campaignId === null || leadId === null ? [] : [[leadId, campaignId] as const],
        ),
      )
      const found = await Promise.all(
        Array.from(places)
          .slice(0, doubtsMax)
          .map(([leadId, campaignId]) =>
            Promise.resolve(api.campaigns.leads.get(campaignId, leadId)).catch(() => null),
          ),
      )
      return found.filter((lead) => lead !== null && lead.blockedReason === 'delivery_uncertain') as Lead[]
    },
  })
}
