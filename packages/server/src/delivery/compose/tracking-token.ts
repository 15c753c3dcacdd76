import type { Environment } from '@overture/contract/endpoint.ts'

/** The platform's signer: purposes keep one kind of token from passing for another. */
export type SignToken = (purpose: string, fields: readonly string[]) => string
export type VerifyToken = (purpose: string, token: string) => string[] | null

export type TrackingPurpose = 'unsubscribe' | 'open' | 'click'

/** Longer targets are left as they are rather than wrapped in a link that mail clients cut. */
export const trackedUrlLengthMax = 1000

/**
 * What the public links of a message carry, signed. They name lead and step, not the message, so that a preview shows
 * the very links that will be sent. `url` (clicks only) is the target.
 */
export interface TrackingToken {
  accountId: string
  environment: Environment
  campaignId: string
  leadId: string
  stepId: string
  url: string | null
}

export function signTrackingToken(sign: SignToken, purpose: TrackingPurpose, token: TrackingToken): string {
  const { accountId, environment, campaignId, leadId, stepId, url } = token
  return sign(purpose, [accountId, environment, campaignId, leadId, stepId, ...(url === null ? [] : [url])])
}

/** Null for anything that was not signed by us for this purpose. */
export function readTrackingToken(verify: VerifyToken, purpose: TrackingPurpose, text: string): TrackingToken | null {
  const fields = verify(purpose, text)
  if (fields === null || fields.length < 5) return null
  const [accountId = '', environment, campaignId = '', leadId = '', stepId = '', url = null] = fields
  return { accountId, environment: environment === 'live' ? 'live' : 'test', campaignId, leadId, stepId, url }
}
