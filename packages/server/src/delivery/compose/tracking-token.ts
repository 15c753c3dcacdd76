import type { Environment } from '@overture/contract/endpoint.ts'

/** The platform's signer: purposes keep one kind of token from passing for another. */
export type SignToken = (purpose: string, fields: readonly string[]) => string
type VerifyToken = (purpose: string, token: string) => string[] | null

export type TrackingPurpose = 'unsubscribe' | 'open' | 'click'

/** Longer targets are left as they are rather than wrapped in a link that mail clients cut. */
export const trackedUrlLengthMax = 1000

/**
 * What the public links of a message carry, signed. They name lead and step, not the message, so that a preview shows
 * the very links that will be sent.
 */
export interface TrackingToken {
  accountId: string
  environment: Environment
  campaignId: string
  leadId: string
  stepId: string
  /**
   * Of a click the target; of an opt-out the sealed address, so that it counts when lead and campaign are long deleted.
   * Null for a pixel, and in opt-outs of before there were addresses in them.
   */
  target: string | null
}

export function signTrackingToken(sign: SignToken, purpose: TrackingPurpose, token: TrackingToken): string {
  const { accountId, environment, campaignId, leadId, stepId, target } = token
  return sign(purpose, [accountId, environment, campaignId, leadId, stepId, ...(target === null ? [] : [target])])
}

/** Null for anything that was not signed by us for this purpose. */
export function readTrackingToken(verify: VerifyToken, purpose: TrackingPurpose, text: string): TrackingToken | null {
  const fields = verify(purpose, text)
  if (fields === null || fields.length < 5) return null
  const [accountId = '', environment, campaignId = '', leadId = '', stepId = '', target = null] = fields
  return { accountId, environment: environment === 'live' ? 'live' : 'test', campaignId, leadId, stepId, target }
}
