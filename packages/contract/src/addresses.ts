import { domainToASCII } from 'node:url'

export interface NormalizedAddress {
  /** Lower case, the domain in ASCII (IDNA): what addresses are compared by. */
  email: string
  domain: string
}

/** The one form in which addresses are compared and stored beside the form given. Source: docs/contract.md, "Leads". */
export function normalizeEmail(given: string): NormalizedAddress {
  const trimmed = given.trim()
  const at = trimmed.lastIndexOf('@')
  const domain = normalizeDomain(trimmed.slice(at + 1))
  return { email: `${trimmed.slice(0, at).toLowerCase()}@${domain}`, domain }
}

export function normalizeDomain(given: string): string {
  const lower = given.trim().toLowerCase().replace(/\.$/, '')
  return domainToASCII(lower) || lower
}
