import { readTags, type Answer } from './dns-answer.ts'

const dmarcPolicies = ['none', 'quarantine', 'reject'] as const
export type DmarcPolicy = (typeof dmarcPolicies)[number]

/** A DMARC policy record (RFC 9989). A missing or faulty tag has its default. */
interface DmarcRecord {
  text: string
  /** Null if the record has no valid `p`. Receivers then apply `none`. */
  p: DmarcPolicy | null
  sp: DmarcPolicy | null
  np: DmarcPolicy | null
  /** `t=y`: the owner asks receivers not to apply the policy. */
  testing: boolean
  psd: 'y' | 'n' | 'u'
  /** The value of `p` as it was written, if it is not a policy. */
  faultyPolicy: string | null
  reports: boolean
  /** Tags of RFC 7489 that have no meaning any more, with their values. */
  obsolete: { name: string; value: string }[]
}

export type DmarcLookup = { name: string; answer: Answer }

/** The policy that receivers apply to a domain, or the reason why they find none. */
export type DmarcDiscovery =
  | {
      kind: 'found'
      /** The domain that has the record. */
      at: string
      record: DmarcRecord
      applied: DmarcPolicy
      organizationalDomain: string
    }
  | { kind: 'none' }
  | { kind: 'several'; at: string; records: string[] }
  | { kind: 'misspelt'; at: string; record: string }
  | { kind: 'unknown'; message: string }

const queriesMax = 8
const obsoleteTags = ['pct', 'rf', 'ri']

/**
 * The domains whose records receivers query for a domain, nearest first (RFC 9989, 4.10). A domain of eight or more labels
 * continues with its last seven, so that a sender can't make receivers query without end.
 */
export function dmarcDomains(domain: string): string[] {
  const labels = domain.split('.').filter(Boolean)
  const first = labels.length < queriesMax ? 1 : labels.length - (queriesMax - 1)
  const parents = labels.slice(first).map((_label, index) => labels.slice(first + index).join('.'))
  return [labels.join('.'), ...parents]
}

/** Finds the policy of the first domain in the list from the records of the whole list (RFC 9989, 4.10.1 and 4.10.2). */
export function discoverDmarc(lookups: readonly DmarcLookup[]): DmarcDiscovery {
  const [own, ...parents] = lookups.map((lookup) => ({ ...lookup, ...recordsIn(lookup.answer) }))
  if (own === undefined) return { kind: 'none' }
  if (own.answer.kind === 'unknown') return { kind: 'unknown', message: own.answer.message }
  if (own.several.length > 0) return { kind: 'several', at: own.name, records: own.several }
  if (own.record === null && own.misspelt !== null) return { kind: 'misspelt', at: own.name, record: own.misspelt }
  const found = [own, ...parents].flatMap(({ name, record }) => (record === null ? [] : [{ name, record }]))
  if (found.length === 0) return withoutPolicy(parents)
  return { kind: 'found', ...findPolicy(own.name, found) }
}

function withoutPolicy(parents: readonly (DmarcLookup & { several: string[] })[]): DmarcDiscovery {
  const several = parents.find((parent) => parent.several.length > 0)
  if (several !== undefined) return { kind: 'several', at: several.name, records: several.several }
  const silent = parents.find(({ answer }) => answer.kind === 'unknown')
  return silent?.answer.kind === 'unknown' ? { kind: 'unknown', message: silent.answer.message } : { kind: 'none' }
}

type FoundRecord = { name: string; record: DmarcRecord }

function findPolicy(domain: string, found: readonly FoundRecord[]) {
  const { organizationalDomain, suffix } = findOrganization(domain, found)
  const own = found.find(({ name }) => name === domain)
  if (own !== undefined)
    return { at: domain, record: own.record, applied: own.record.p ?? 'none', organizationalDomain } as const
  // The organization's record counts. If it has none, that of the public suffix above it does.
  const { name, record } = found.find((one) => one.name === organizationalDomain) ?? suffix
  return { at: name, record, applied: record.sp ?? record.p ?? 'none', organizationalDomain } as const
}

/** The organizational domain, and the record of the public suffix above it or else the highest record that was found. */
function findOrganization(
  domain: string,
  found: readonly FoundRecord[],
): { organizationalDomain: string; suffix: FoundRecord } {
  for (const record of found) {
    if (record.record.psd === 'n') return { organizationalDomain: record.name, suffix: record }
    if (record.record.psd === 'y' && record.name !== domain) {
      const labels = record.name.split('.').length + 1
      return { organizationalDomain: domain.split('.').slice(-labels).join('.'), suffix: record }
    }
  }
  const highest = found.at(-1)!
  return { organizationalDomain: highest.name, suffix: highest }
}

/** Several records at one name cancel each other. A record with another version, or with `v` in another place, does not count. */
function recordsIn(answer: Answer): { record: DmarcRecord | null; several: string[]; misspelt: string | null } {
  const values = answer.kind === 'found' ? answer.values : []
  const valid = values.filter((value) => /^\s*v\s*=\s*DMARC1\s*(?:;|$)/.test(value))
  const [text] = valid
  if (valid.length > 1) return { record: null, several: valid, misspelt: null }
  const misspelt = values.find((value) => /\bv\s*=\s*DMARC\s*1?/i.test(value)) ?? null
  return { record: text === undefined ? null : readDmarc(text), several: [], misspelt }
}

function readDmarc(text: string): DmarcRecord {
  const tags = readTags(text)
  const p = tags.get('p')
  const psd = tags.get('psd')?.toLowerCase()
  return {
    text,
    p: policy(p),
    sp: policy(tags.get('sp')),
    np: policy(tags.get('np')),
    testing: tags.get('t')?.toLowerCase() === 'y',
    psd: psd === 'y' || psd === 'n' ? psd : 'u',
    faultyPolicy: p !== undefined && policy(p) === null ? p : null,
    reports: /(?:^|,)\s*mailto:[^\s,]+@/i.test(tags.get('rua') ?? ''),
    obsolete: obsoleteTags.flatMap((name) => {
      const value = tags.get(name)
      return value === undefined ? [] : [{ name, value }]
    }),
  }
}

function policy(value: string | undefined): DmarcPolicy | null {
  return dmarcPolicies.find((one) => one === value?.toLowerCase()) ?? null
}
