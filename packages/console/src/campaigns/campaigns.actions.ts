import type {
  Campaign,
  CampaignDocument,
  CopyCampaignInput,
  CreateCampaignInput,
  ImportedCampaign,
  ResolveReturnedResult,
  UpdateCampaignInput,
} from '@overture/sdk'
import { useAction } from '../platform/api/action.ts'
import { numberText } from '../platform/time/format.ts'
import { say } from '../platform/ui/index.ts'
import { text } from './campaigns.messages.ts'

const stale = () => [['campaigns'], ['leads'], ['diagnosis']]

export function useCreateCampaign(done: (campaign: Campaign) => void) {
  return useAction<CreateCampaignInput, Campaign>({ act: (api, body) => api.campaigns.create(body), stale, done })
}

export function useUpdateCampaign(id: string) {
  return useAction<UpdateCampaignInput, Campaign>({ act: (api, body) => api.campaigns.update(id, body), stale })
}

export function usePauseCampaign(id: string) {
  return useAction<void, Campaign>({
    act: (api) => api.campaigns.pause(id),
    stale,
    done: ({ name }) => say(text.paused(name)),
  })
}

export function useResumeCampaign(id: string) {
  return useAction<void, Campaign>({
    act: (api) => api.campaigns.resume(id),
    stale,
    done: ({ name }) => say(text.resumed(name)),
  })
}

export function useResolveReturned(id: string, done: () => void) {
  return useAction<'send_again' | 'skip', ResolveReturnedResult>({
    act: (api, action) => api.campaigns.returned.resolve(id, { action, all: true }),
    stale,
    done({ resolved }) {
      say(text.resolvedReturned(numberText(resolved)))
      done()
    },
  })
}

export function useStartCampaign(id: string, done: () => void) {
  return useAction<void, Campaign>({ act: (api) => api.campaigns.start(id), stale, done })
}

export function useDeleteCampaign(id: string, done: () => void) {
  return useAction({ act: (api) => api.campaigns.delete(id), deletes: id, stale, done })
}

/** Copies steps, schedule, senders and settings into a new draft. Leads are copied if requested. */
export function useCopyCampaign(id: string, done: (campaign: Campaign) => void) {
  return useAction<CopyCampaignInput, Campaign>({ act: (api, body) => api.campaigns.copy(id, body), stale, done })
}

export function useImportCampaign() {
  return useAction<CampaignDocument, ImportedCampaign>({
    act: (api, document) => api.campaigns.import({ document }),
    stale,
    answerFirst: true,
  })
}
