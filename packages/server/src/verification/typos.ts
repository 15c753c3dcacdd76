import { isSharedDomain } from '@overture/ground/company-domain.ts'

/** Domains with so many mailboxes that a domain one edit away is more likely a typing error than a company. */
const mistypedDomains = [
  'gmail.com',
  'googlemail.com',
  'hotmail.com',
  'hotmail.co.uk',
  'hotmail.fr',
  'outlook.com',
  'outlook.de',
  'yahoo.com',
  'yahoo.co.uk',
  'yahoo.de',
  'yahoo.fr',
  'icloud.com',
  'protonmail.com',
  'comcast.net',
  'verizon.net',
  'wanadoo.fr',
  'laposte.net',
] as const

/** Domains of real companies that are one edit away from a domain of `mistypedDomains`, and so are no typing errors. */
const ownDomains: ReadonlySet<string> = new Set(['cloud.com', 'email.com', 'gail.com', 'hmail.com', 'xgmail.com'])

/** Endings that do not exist. Each is `com` with a typing error. */
const absentEndings: ReadonlySet<string> = new Set(['con', 'cmo', 'ocm', 'comm', 'coom', 'vom', 'xom', 'clm'])

/** Existing endings at which the providers of mailboxes above have no mailboxes. */
const foreignEndings: ReadonlySet<string> = new Set(['co', 'cm', 'om', 'cim', 'cpm', 'net', 'org'])

/** The domain that was probably meant, or null. Both domains are in ASCII and in lower case. */
export function meantDomain(domain: string): string | null {
  if (isSharedDomain(domain) || ownDomains.has(domain)) return null
  const [name, ending] = parts(domain)
  if (absentEndings.has(ending)) return meantDomain(`${name}.com`) ?? `${name}.com`
  for (const known of mistypedDomains) {
    const [knownName, knownEnding] = parts(known)
    if (ending === knownEnding && isOneEditAway(name, knownName)) return known
    if (name === knownName && knownEnding === 'com' && foreignEndings.has(ending)) return known
  }
  return null
}

function parts(domain: string): [name: string, ending: string] {
  const dot = domain.indexOf('.')
  return [domain.slice(0, dot), domain.slice(dot + 1)]
}

/** Whether one inserted, missing or wrong letter, or two swapped neighbours, is the difference. */
function isOneEditAway(a: string, b: string): boolean {
  if (a === b || Math.abs(a.length - b.length) > 1) return false
  let same = 0
  while (same < a.length && a[same] === b[same]) same++
  const [restA, restB] = [a.slice(same), b.slice(same)]
  if (a.length > b.length) return restA.slice(1) === restB
  if (a.length < b.length) return restA === restB.slice(1)
  const isSwapped = restA[0] === restB[1] && restA[1] === restB[0] && restA.slice(2) === restB.slice(2)
  return isSwapped || restA.slice(1) === restB.slice(1)
}
