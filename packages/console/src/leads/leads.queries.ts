import type {
  BlockedReason,
  Explanation,
  Interest,
  Lead,
  LeadOnPath,
  LeadStatus,
  LeadThread,
  Signal,
} from '@overture/sdk'
import { ApiError } from '@overture/sdk'
import { useReading, type ListReading } from '../platform/api/query.ts'

export interface LeadFilter {
  q?: string
  status?: LeadStatus
  interest?: Interest
  blockedReason?: BlockedReason
  verification?: NonNullable<Lead['verification']>['result'] | 'none'
  tagId?: string
}

export function leadList(campaignId: string, filter: LeadFilter): ListReading<Lead> {
  return {
    key: ['leads', 'list', campaignId, filter],
    page: (api, place) => api.campaigns.leads.list(campaignId, { ...filter, ...place }).page(),
    isCapped: filter.q !== undefined,
  }
}

const someMax = 20

/** The first leads of a campaign, or the first that match a search, for previews. */
export function useSomeLeads(campaignId: string, q = '') {
  return useReading({
    key: ['leads', 'some', campaignId, q],
    read: (api) => api.campaigns.leads.list(campaignId, { limit: someMax, ...(q !== '' && { q }) }).page(),
    keepOld: true,
  })
}

export function useLead(campaignId: string, leadId: string) {
  return useReading<LeadOnPath>({
    key: ['leads', 'one', leadId],
    read: (api) => api.campaigns.leads.get(campaignId, leadId),
  })
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

const decisionsMax = 100
const signalsMax = 50

/** The latest decision of each branch that a lead has passed, by step. */
export function useDecisions(campaignId: string, leadId: string) {
  return useReading<ReadonlyMap<string, string>>({
    key: ['leads', 'decisions', leadId],
    async read(api) {
      const query = { leadId, type: 'branch.decided', order: 'asc', limit: decisionsMax } as const
      const { results } = await api.campaigns.activity(campaignId, query).page()
      return new Map(
        results.flatMap(({ stepId, data }): [string, string][] =>
          stepId !== null && typeof data['evidence'] === 'string' ? [[stepId, data['evidence']]] : [],
        ),
      )
    },
  })
}

/** Signals from other systems about a lead, its address or its company. */
export function useSignals(leadId: string) {
  return useReading<Signal[]>({
    key: ['leads', 'signals', leadId],
    read: async (api) => (await api.signals.list({ leadId, limit: signalsMax }).page()).results,
  })
}

const doubtsMax = 20
const uncertainEventsMax = 100

export interface DoubtList {
  leads: Lead[]
  /** The number of all such leads, including those that are not in `leads`. */
  totalCount: number
}

/** Leads whose last message may or may not have been sent, in every campaign that has such an event in the log. */
export function useInDoubt() {
  return useReading<DoubtList>({
    key: ['leads', 'in-doubt'],
    async read(api) {
      const log = await api.account.activity({ type: 'message.uncertain', limit: uncertainEventsMax }).page()
      const campaignIds = new Set(log.results.flatMap(({ campaignId }) => campaignId ?? []))
      const found = await Promise.all(
        Array.from(campaignIds, (id) =>
          Promise.resolve(
            api.campaigns.leads.list(id, { blockedReason: 'delivery_uncertain', limit: doubtsMax }).page(),
          ).catch(nothingIfGone),
        ),
      )
      return {
        leads: found.flatMap(({ results }) => results).slice(0, doubtsMax),
        totalCount: found.reduce((sum, { pagination }) => sum + pagination.totalCount, 0),
      }
    },
  })
}

function nothingIfGone(error: unknown): { results: Lead[]; pagination: { totalCount: number } } {
  if (ApiError.is(error) && error.status === 404) return { results: [], pagination: { totalCount: 0 } }
  throw error
}
