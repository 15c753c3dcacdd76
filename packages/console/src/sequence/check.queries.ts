import { ApiError, type MessagePreview, type Overture } from '@overture/sdk'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { errorText } from '../platform/ui/index.ts'
import { useApi, useEnvironment } from '../platform/api/environment.tsx'

export interface TextCheck {
  issues: { field: 'subject' | 'body'; line: number; column: number; message: string }[]
  hints: { code: string; severity: string; field: string; message: string; at: [number, number] | null }[]
  variables: { name: string; missing: number; of: number }[]
  previews: {
    leadId: string
    subject: string | null
    text: string | null
    html: string | null
    missing: string[]
    /** Why nothing could be sent to this lead. */
    problem: string | null
  }[]
}

export interface TextToCheck {
  campaignId: string
  /** As the server has it: a preview is of what is saved. */
  savedAt: string
  stepId: string | null
  variantId: string | null
  leadId: string | null
}

/** The variant as this lead would get it, made by the code that sends. It follows each saving. */
export function useTextCheck(asked: TextToCheck) {
  const api = useApi()
  const environment = useEnvironment()
  return useQuery({
    queryKey: [environment, 'checks', asked],
    queryFn: async () => previewOf(api, asked),
    enabled: asked.stepId !== null && asked.variantId !== null && asked.leadId !== null,
    placeholderData: keepPreviousData,
    gcTime: 0,
  })
}

async function previewOf(api: Overture, { campaignId, stepId, variantId, leadId }: TextToCheck): Promise<TextCheck> {
  const place = { leadId: leadId ?? '', ...(stepId !== null && { stepId }), ...(variantId !== null && { variantId }) }
  try {
    return checked(place.leadId, await api.campaigns.preview(campaignId, place), null)
  } catch (error) {
    // A lead without a value is nothing that went wrong here: it is what one wants to see.
    if (!ApiError.is(error, 'CONFLICT')) throw error
    return checked(place.leadId, null, error)
  }
}

function checked(leadId: string, preview: MessagePreview | null, refusal: ApiError | null): TextCheck {
  const { subject = '', text = '', html = null } = preview ?? {}
  const problem = refusal === null ? null : errorText(refusal)
  return { issues: [], hints: [], variables: [], previews: [{ leadId, subject, text, html, missing: [], problem }] }
}
