import type { Environment } from '@overture/contract/endpoint.ts'
import { packId, unpackId } from '@overture/ground/text/id-form.ts'

/** Signs fields. The purpose prevents one kind of token from being accepted as another. */
export type SignToken = (purpose: string, fields: readonly string[]) => string
type VerifyToken = (purpose: string, token: string) => string[] | null

export type TrackingPurpose = 'open' | 'click'

/** Longer targets are not tracked, because mail clients would cut the link. */
export const trackedUrlLengthMax = 1000

const separateFields = 6

/**
 * The signed content of the tracked links and the pixel of a message. They name lead and step, not the message, so that a preview shows
 * the very links that will be sent.
 */
export interface TrackingToken {
  accountId: string
  environment: Environment
  campaignId: string
  leadId: string
  stepId: string
  /** The target of a click. Null for a pixel. */
  target: string | null
}

/**
 * Packs the ids into one field after the letter of the environment, so that links are short.
 */
export function signTrackingToken(sign: SignToken, purpose: TrackingPurpose, token: TrackingToken): string {
  const { accountId, environment, campaignId, leadId, stepId, target } = token
  const packed = packIds(token)
  if (packed !== null) return sign(purpose, [packed, target ?? ''])
  return sign(purpose, [accountId, environment, campaignId, leadId, stepId, target ?? ''])
}

/** Null unless we signed the text for this purpose. */
export function readTrackingToken(verify: VerifyToken, purpose: TrackingPurpose, text: string): TrackingToken | null {
  const fields = verify(purpose, text)
  if (fields === null) return null
  if (fields.length === 2) return unpackIds(fields[0] ?? '', fields[1] ?? '')
  if (fields.length !== separateFields) return null
  const [accountId = '', environment, campaignId = '', leadId = '', stepId = '', target = ''] = fields
  return {
    accountId,
    environment: environment === 'live' ? 'live' : 'test',
    campaignId,
    leadId,
    stepId,
    target: target === '' ? null : target,
  }
}

function packIds({ accountId, environment, campaignId, leadId, stepId }: TrackingToken): string | null {
  const ids = [packId('acc', accountId), packId('cmp', campaignId), packId('led', leadId), packId('stp', stepId)]
  return ids.includes(null) ? null : `${environment === 'live' ? 'l' : 't'}${ids.join('')}`
}

function unpackIds(packed: string, target: string): TrackingToken | null {
  const [, environment, account = '', campaign = '', lead = '', step = ''] =
    /^([lt])([\w-]{15})([\w-]{15})([\w-]{15})([\w-]{15})$/.exec(packed) ?? []
  if (environment === undefined) return null
  return {
    accountId: unpackId('acc', account),
    environment: environment === 'l' ? 'live' : 'test',
    campaignId: unpackId('cmp', campaign),
    leadId: unpackId('led', lead),
    stepId: unpackId('stp', step),
    target: target === '' ? null : target,
  }
}
