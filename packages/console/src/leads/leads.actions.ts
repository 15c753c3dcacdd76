import type { AddLeadsResults, Interest, Lead, LeadItem, Message, UpdateLeadInput } from '@overture/sdk'
import { useAction } from '../platform/api/action.ts'

const stale = () => [['leads'], ['campaigns'], ['people'], ['conversations']]

export interface LeadPlace {
  campaignId: string
  leadId: string
}

export function useAddLeads(campaignId: string, done: (results: AddLeadsResults) => void) {
  return useAction<LeadItem[], AddLeadsResults>({
    act: (api, leads) => api.campaigns.leads.add(campaignId, { leads }),
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
