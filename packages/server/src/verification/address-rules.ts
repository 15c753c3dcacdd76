import { normalizeEmail } from '@overture/contract/addresses.ts'
import { email as emailSchema } from '@overture/contract/common.ts'
import type { VerificationReason, VerificationResult } from '@overture/contract/verification/verification.ts'
import { isSharedDomain } from '@overture/ground/company-domain.ts'
import type { Verdict } from './verdict.ts'
import { isRoleAddress } from './role-names.ts'
import { meantDomain } from './typos.ts'

/** The answer of the name servers about the mail of a domain. `unknown` means that no name server replied. */
export type MailRoute = 'exists' | 'none' | 'refused' | 'unknown'

/** The domain of an address to look up, or null if the text is not an address. */
export function domainToAsk(given: string): string | null {
  if (!emailSchema.safeParse(given).success) return null
  const { domain } = normalizeEmail(given)
  return isHostName(domain) ? domain : null
}

/**
 * Judges an address by its text and the name servers. The result is `unknown` if the rules prove nothing: only the mail server of the
 * recipient knows whether a mailbox exists.
 */
export function judgeByRules(
  given: string,
  { route, isDisposable }: { route: MailRoute; isDisposable: boolean },
): Verdict {
  const domain = domainToAsk(given)
  if (domain === null) return { result: 'undeliverable', reasons: ['syntax'], suggestion: null }
  const { email } = normalizeEmail(given)
  const meant = meantDomain(domain)
  const suggestion = meant === null ? null : `${email.slice(0, email.lastIndexOf('@'))}@${meant}`
  const reasons: VerificationReason[] = []
  if (route === 'none') reasons.push('no_mx')
  if (route === 'refused') reasons.push('null_mx')
  if (isDisposable) reasons.push('disposable')
  if (meant !== null) reasons.push('typo')
  const result = resultBy(reasons)
  return { result, reasons: [...reasons, ...facts(email, domain)], suggestion }
}

function resultBy(reasons: readonly VerificationReason[]): VerificationResult {
  if (reasons.includes('no_mx') || reasons.includes('null_mx')) return 'undeliverable'
  return reasons.length > 0 ? 'risky' : 'unknown'
}

/** Reasons that change no result: a mailbox of a function or at a provider of free mail may be the right one. */
function facts(email: string, domain: string): VerificationReason[] {
  return [...(isRoleAddress(email) ? ['role' as const] : []), ...(isSharedDomain(domain) ? ['free_mail' as const] : [])]
}

const label = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/
const hostNameLengthMax = 253

/** Whether a domain in ASCII can have records. An ending of digits alone is part of an IP address. */
function isHostName(domain: string): boolean {
  const labels = domain.split('.')
  return (
    domain.length <= hostNameLengthMax &&
    labels.length > 1 &&
    labels.every((one) => label.test(one)) &&
    !/^\d+$/.test(labels.at(-1) ?? '')
  )
}
