import type { SignToken } from './tracking-token.ts'

/** The limit of RFC 5321, 4.5.3.1.1. */
const localPartOctetsMax = 64
/** Servers that deliver `name+anything@` to `name@` without configuration. */
const plusHosts =
  /^(?:smtp\.(?:gmail|googlemail)\.com|smtp-relay\.gmail\.com|smtp\.office365\.com|smtp-mail\.outlook\.com)$/i

export interface OptOutSender {
  email: string
  provider?: 'smtp' | 'google' | 'microsoft' | 'sandbox'
  smtpHost?: string | null
}

/**
 * The mailto of `List-Unsubscribe`. Its subject carries the token of the opt-out link, so that the mail counts from any
 * address and with any text. Where the sender's provider keeps plus addresses, the address names the lead too, since some
 * mail programs leave the subject out.
 */
export function optOutMailto(sender: OptOutSender, link: string, addressToken: string | null): string {
  const token = link.slice(link.lastIndexOf('/') + 1)
  return `mailto:${optOutAddress(sender, addressToken)}?subject=unsubscribe%20${token}`
}

function optOutAddress({ email, provider, smtpHost }: OptOutSender, token: string | null): string {
  const at = email.lastIndexOf('@')
  const local = `${email.slice(0, at)}+${token}`
  const keepsPlus = provider === 'google' || provider === 'microsoft' || plusHosts.test(smtpHost ?? '')
  const isPlain = /^[\w.-]{1,64}$/.test(email.slice(0, at))
  if (token === null || !keepsPlus || !isPlain || local.length > localPartOctetsMax) return email
  return `${local}${email.slice(at)}`
}

const addressMark = 'a'

/** A short token that fits into an address, since it contains only the lead. */
export function signAddressToken(sign: SignToken, leadId: string): string {
  return sign('unsubscribe', [addressMark, leadId])
}

/** The lead of an address token; null for anything else. */
export function readAddressToken(
  verify: (purpose: string, token: string) => string[] | null,
  text: string,
): string | null {
  const fields = verify('unsubscribe', text)
  return fields?.length === 2 && fields[0] === addressMark ? fields[1]! : null
}
