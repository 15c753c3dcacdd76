import ipaddr from 'ipaddr.js'

export type Address = ipaddr.IPv4 | ipaddr.IPv6
type SpfQualifier = '+' | '-' | '~' | '?'
/** A term of an SPF record (RFC 7208). `value` is the domain or the network after the colon, in lower case, or null. */
export interface SpfTerm {
  text: string
  kind: 'all' | 'include' | 'a' | 'mx' | 'ptr' | 'exists' | 'ip4' | 'ip6' | 'redirect' | 'other' | 'faulty'
  qualifier: SpfQualifier
  value: string | null
  /** The lengths of the networks of `a` and `mx`. */
  prefix: { ip4: number; ip6: number }
}

export const spfLookupsMax = 10
export const spfVoidsMax = 2
/** The kinds of terms that cost receivers a DNS lookup. */
const withLookup = new Set<SpfTerm['kind']>(['include', 'a', 'mx', 'ptr', 'exists', 'redirect'])
const kinds = ['all', 'include', 'a', 'mx', 'ptr', 'exists', 'ip4', 'ip6'] as const
const termsMax = 200

/** The result of following the includes of a domain's SPF record. */
export interface SpfWalk {
  lookups: number
  /** The lookups of each term of the domain's own record. */
  costs: { term: string; lookups: number }[]
  /** The names that have no record, although a term names them. */
  voids: string[]
  /** Every domain that a term of the tree names. */
  names: string[]
  fault: SpfFault | null
  /** Whether the record allows an address of the sending host. Null if it could not be decided. */
  covered: boolean | null
}

export type SpfFault =
  | { kind: 'loop'; name: string }
  | { kind: 'no_record'; name: string }
  | { kind: 'two_records'; name: string }
  | { kind: 'syntax'; name: string; term: string }
  | { kind: 'unanswered'; name: string; message: string }

export function isSpfRecord(text: string): boolean {
  return /^v=spf1(?:\s|$)/i.test(text)
}

export function readSpf(record: string): SpfTerm[] {
  return record.split(/\s+/).slice(1, termsMax).filter(Boolean).map(readTerm)
}

export function costsLookup(term: SpfTerm): boolean {
  return withLookup.has(term.kind)
}

function readTerm(text: string): SpfTerm {
  const prefix = { ip4: 32, ip6: 128 }
  const modifier = /^([a-z][a-z0-9_.-]*)=(.*)$/i.exec(text)
  if (modifier !== null) {
    const kind = modifier[1]?.toLowerCase() === 'redirect' ? 'redirect' : 'other'
    return { text, kind, qualifier: '+', value: modifier[2]?.toLowerCase() ?? null, prefix }
  }
  const [, sign = '', name = '', value] = /^([+\-~?]?)([a-z0-9]+)(?=$|[:/])(.*)$/is.exec(text) ?? []
  const kind = kinds.find((one) => one === name.toLowerCase())
  const qualifier = (sign === '' ? '+' : sign) as SpfQualifier
  const faulty: SpfTerm = { text, kind: 'faulty', qualifier, value: null, prefix }
  if (kind === undefined) return faulty
  const rest = (value ?? '').toLowerCase()
  if (kind === 'ip4' || kind === 'ip6')
    return readNetwork(rest.slice(1), kind) === null ? faulty : { text, kind, qualifier, value: rest.slice(1), prefix }
  const [, domain, four = '32', six = '128'] = /^(?::([^/]+))?(?:\/(\d{1,2}))?(?:\/\/(\d{1,3}))?$/.exec(rest) ?? []
  const isWhole = rest === '' || domain !== undefined || rest.startsWith('/')
  if (!isWhole || Number(four) > 32 || Number(six) > 128) return faulty
  if ((kind === 'include' || kind === 'exists') && domain === undefined) return faulty
  return { text, kind, qualifier, value: domain ?? null, prefix: { ip4: Number(four), ip6: Number(six) } }
}

function readNetwork(text: string, kind: 'ip4' | 'ip6'): [Address, number] | null {
  const [address = ''] = text.split('/')
  const isWanted = kind === 'ip4' ? ipaddr.IPv4.isValidFourPartDecimal(address) : ipaddr.IPv6.isValid(address)
  if (!isWanted) return null
  if (address === text) return [ipaddr.parse(address), kind === 'ip4' ? 32 : 128]
  return ipaddr.isValidCIDR(text) ? ipaddr.parseCIDR(text) : null
}

/** Whether a term `ip4` or `ip6` contains an address. */
export function networkContains({ kind, value }: SpfTerm, address: Address): boolean {
  if ((kind !== 'ip4' && kind !== 'ip6') || value === null) return false
  const network = readNetwork(value, kind)
  return network !== null && network[0].kind() === address.kind() && address.match(network)
}

/** Whether the addresses of a term `a` or `mx` contain an address, with the lengths of its networks. */
export function hostsContain({ prefix }: SpfTerm, hosts: readonly Address[], address: Address): boolean {
  const length = address.kind() === 'ipv4' ? prefix.ip4 : prefix.ip6
  return hosts.some((host) => host.kind() === address.kind() && address.match([host, length]))
}

/** The addresses in a list of texts. A text that is no address is left out. */
export function readAddresses(texts: readonly string[]): Address[] {
  return texts.flatMap((text) => (ipaddr.isValid(text) ? [ipaddr.process(text)] : []))
}
