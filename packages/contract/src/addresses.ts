export interface NormalizedAddress {
  /** Lower case, the domain in ASCII (IDNA): what addresses are compared by. */
  email: string
  domain: string
}

/** Some host to change the name of; a name that can't be one leaves it as it was. */
const unchanged = 'unchanged.invalid'

/** The one form in which addresses are compared and stored beside the form given. Source: docs/contract.md, "Leads". */
export function normalizeEmail(given: string): NormalizedAddress {
  const trimmed = given.trim()
  const at = trimmed.lastIndexOf('@')
  const domain = normalizeDomain(trimmed.slice(at + 1))
  return { email: `${trimmed.slice(0, at).toLowerCase()}@${domain}`, domain }
}

export function normalizeDomain(given: string): string {
  const lower = given.trim().toLowerCase().replace(/\.$/, '')
  return domainToAscii(lower) || lower
}

// The one way to IDNA that browsers have too. The empty string for what is no name of a host.
function domainToAscii(name: string): string {
  const url = new URL(`ws://${unchanged}`)
  url.hostname = name
  return url.hostname === unchanged && name !== unchanged ? '' : url.hostname
}
