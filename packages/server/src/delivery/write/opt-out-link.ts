import type { Environment } from '@overture/contract/endpoint.ts'
import { packId, unpackId } from '@overture/ground/text/id-form.ts'
import type { Secrets } from '../../platform/crypto/secrets.shell.ts'

/** The content of an opt-out link. It is enough for an opt-out after the lead and the campaign were deleted. */
export interface OptOutToken {
  accountId: string
  environment: Environment
  /** Null if the message went to a person who is no lead. */
  leadId: string | null
  /** The address that got the message. */
  email: string
}

export type TokenSeal = Pick<Secrets, 'sealToken'>

const purpose = 'unsubscribe'
const noLead = 'A'.repeat(15)

/**
 * The token of an opt-out link. With `/u/` before it, it has at most 90 characters for an address of up to 39; each further
 * character of the address adds one.
 */
export function signOptOut({ sealToken }: TokenSeal, { accountId, environment, leadId, email }: OptOutToken): string {
  const account = packId('acc', accountId)
  if (account === null) throw new Error('The account has no id of our form.')
  const lead = (leadId === null ? null : packId('led', leadId)) ?? noLead
  return sealToken(purpose, {
    shown: `${environment === 'live' ? 'l' : 't'}${account}${lead}`,
    hidden: encodeDigits(email),
  })
}

/** The opt-out link of a recipient. */
export function optOutUrl(secrets: TokenSeal, publicUrl: string, token: OptOutToken): string {
  return `${publicUrl}/u/${signOptOut(secrets, token)}`
}

/** The end of a sentence or the bracket around a link, also escaped. Many programs make it a part of the link. */
const linkEnd = /(?:%[0-9a-f]{2}|[^\w%-]){1,20}$/i

/** Null unless we made the token. */
export function readOptOut({ openToken }: Pick<Secrets, 'openToken'>, token: string): OptOutToken | null {
  const parts = openToken(purpose, token.replace(linkEnd, ''))
  const [, environment, account = '', lead = ''] = /^([lt])([\w-]{15})([\w-]{15})$/.exec(parts?.shown ?? '') ?? []
  if (parts === null || environment === undefined) return null
  return {
    accountId: unpackId('acc', account),
    environment: environment === 'l' ? 'live' : 'test',
    leadId: lead === noLead ? null : unpackId('led', lead),
    email: decodeDigits(parts.hidden),
  }
}

const shortForms: Record<string, string> = { '.': 'A', '@': 'B', '+': 'C' }
const longForm = 'D'
const meanings = new Map(Object.entries(shortForms).map(([char, short]) => [short, char]))

/** Writes an address in the 64 characters of a URL: frequent ones as one character, each other UTF-16 unit as five. */
function encodeDigits(text: string): string {
  return text.replaceAll(
    /[^a-z0-9_-]/g,
    (char) => shortForms[char] ?? `${longForm}${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

function decodeDigits(digits: string): string {
  return digits.replaceAll(
    /[ABC]|D([0-9a-f]{4})/g,
    (short, code: string | undefined) => meanings.get(short) ?? String.fromCharCode(Number.parseInt(code!, 16)),
  )
}
