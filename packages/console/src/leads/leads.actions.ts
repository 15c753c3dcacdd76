import type { AddLeadsResults, Interest, Lead, LeadItem, Message, UpdateLeadInput } from '@overture/sdk'
import { useAction } from '../platform/api/action.ts'

const stale = () => [['leads'], ['campaigns'], ['people'], ['conversations']]

export interface LeadPlace {
  campaignId: string
  leadId: string
}

/** The number of leads that one call can add. */
const leadsAtOnceMax = 1_000

export function useAddLeads(campaignId: string, done: (results: AddLeadsResults) => void) {
  return useAction<readonly LeadItem[], AddLeadsResults>({
    async act(api, leads) {
      const all: AddLeadsResults = { added: 0, updated: 0, skipped: 0, invalid: 0, results: [] }
      for (let first = 0; first < leads.length; first += leadsAtOnceMax) {
        const part = await api.campaigns.leads.add(campaignId, { leads: leads.slice(first, first + leadsAtOnceMax) })
        for (const name of ['added', 'updated', 'skipped', 'invalid'] as const) all[name] += part[name]
        all.results.push(...part.results.map((result) => ({ ...result, index: result.index + first })))
      }
      return all
    },
    stale,
    done,
  })
}

export function useUpdateLead({ campaignId, leadId }: LeadPlace, done?: (lead: Lead) => void) {
  return useAction<UpdateLeadInput, Lead>({
    act: (api, body) => api.campaigns.leads.update(campaignId, leadId, body),
    stale,
    ...(done && { done }),
  })
}

export function useStopLead({ campaignId, leadId }: LeadPlace, done: () => void) {
  return useAction<void, Lead>({
    act: (api) => api.campaigns.leads.update(campaignId, leadId, { status: 'stopped' }),
    stale,
    done,
  })
}

export function useLabelLead() {
  return useAction<LeadPlace & { interest: Interest | null }, Lead>({
    act: (api, { campaignId, leadId, interest }) => api.campaigns.leads.update(campaignId, leadId, { interest }),
    stale,
  })
}

export function useSendNow({ campaignId, leadId }: LeadPlace, done: () => void) {
  return useAction<void, Message>({ act: (api) => api.campaigns.leads.sendNow(campaignId, leadId), stale, done })
}

export function useResolve({ campaignId, leadId }: LeadPlace, done: () => void) {
  return useAction<'sent' | 'not_sent', Lead>({
    act: (api, outcome) => api.campaigns.leads.resolve(campaignId, leadId, { outcome }),
    stale,
    done,
  })
}
