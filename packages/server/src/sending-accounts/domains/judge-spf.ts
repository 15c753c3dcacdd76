import type { HealthCheck } from '@overture/contract/sending-accounts/domain-health.ts'
import type { SenderProvider } from '@overture/contract/sending-accounts/sending-accounts.ts'
import { providerOfServers } from '@overture/contract/vocabularies.ts'
import { sharedDomains } from '@overture/ground/company-domain.ts'
import type { Answer } from './dns-answer.ts'
import { isSpfRecord, readSpf, spfLookupsMax, spfVoidsMax, type SpfFault, type SpfWalk } from './spf.ts'

export interface SpfInput {
  domain: string
  provider: SenderProvider
  smtpHost: string | null
  spf: Answer
  /** The result of following the includes; null if they were not followed. */
  spfWalk: SpfWalk | null
}

type Judgement = { status: HealthCheck['status']; message: string; better: string | null }

const costsShownMax = 5

/** Judges the SPF record of a domain and what its includes contain, and names the record to publish if one is wrong. */
export function judgeSpf(input: SpfInput): HealthCheck {
  const { domain, spf } = input
  if (spf.kind === 'unknown') return unknown(spf.message)
  const records = spfRecords(spf)
  const [record] = records
  const put = (value: string): HealthCheck['put'] => ({ type: 'TXT', name: domain, value })
  if (record === undefined) {
    return {
      status: 'missing',
      records,
      message: "There is no SPF record, so receivers can't check who may send for this domain.",
      put: put(`v=spf1 ${allowing(input)} ~all`),
    }
  }
  if (records.length > 1) {
    return {
      status: 'invalid',
      records,
      message: 'There is more than one SPF record, which makes all of them invalid. Keep one.',
      put: put(mergedSpf(records)),
    }
  }
  const { status, message, better } = judgeRecord(record, input)
  return { status, records, message, put: better === null ? null : put(better) }
}

/** The SPF records among the text records of a domain. */
export function spfRecords(answer: Answer): string[] {
  return answer.kind === 'found' ? answer.values.filter(isSpfRecord) : []
}

function judgeRecord(record: string, input: SpfInput): Judgement {
  const { spfWalk } = input
  return (
    ownFault(record) ??
    (spfWalk === null ? null : walkFault(spfWalk)) ??
    coverFault(record, input) ??
    endFault(record) ?? { status: 'pass', message: passMessage(spfWalk), better: null }
  )
}

function ownFault(record: string): Judgement | null {
  const terms = readSpf(record)
  const faulty = terms.find(({ kind }) => kind === 'faulty')
  if (faulty !== undefined) {
    const better = ['v=spf1', ...terms.filter((term) => term !== faulty).map(({ text }) => text)].join(' ')
    return {
      status: 'invalid',
      message: `The term ${faulty.text} is not an SPF term, which makes the record invalid.`,
      better,
    }
  }
  if (!terms.some(({ kind, qualifier }) => kind === 'all' && qualifier === '+')) return null
  const better = record.replace(/(^|\s)\+?all\b/i, '$1~all')
  return { status: 'invalid', message: '+all allows everyone to send for this domain.', better }
}

/** The reason why receivers can't evaluate the record. They treat such a record like a missing one. */
function walkFault({ lookups, costs, voids, fault }: SpfWalk): Judgement | null {
  if (fault?.kind === 'loop') return invalid(`The include of ${fault.name} leads back to itself. Remove it.`)
  if (lookups > spfLookupsMax) {
    const most = costs.toSorted((a, b) => b.lookups - a.lookups).slice(0, costsShownMax)
    const list = most.map((cost) => `${cost.term} needs ${cost.lookups}`).join(', ')
    return invalid(
      `The record needs ${lookups} lookups, and receivers ignore a record that needs more than ${spfLookupsMax} ` +
        `(RFC 7208): ${list}. Remove the terms of services that you no longer use.`,
    )
  }
  if (fault !== null) return judgeFault(fault)
  if (voids.length <= spfVoidsMax) return null
  return invalid(
    `The record names ${voids.length} domains that do not exist, and receivers ignore a record with more than ` +
      `${spfVoidsMax} (RFC 7208): ${voids.slice(0, costsShownMax).join(', ')}. Remove their terms.`,
  )
}

function judgeFault(fault: Exclude<SpfFault, { kind: 'loop' }>): Judgement {
  switch (fault.kind) {
    case 'no_record':
      return invalid(`The record includes ${fault.name}, which has no SPF record. Remove the term.`)
    case 'two_records':
      return invalid(`The record includes ${fault.name}, which has more than one SPF record. Remove the term.`)
    case 'syntax':
      return invalid(`The record includes ${fault.name}, whose term ${fault.term} is invalid. Remove the include.`)
    case 'unanswered':
      return { status: 'unknown', message: `The DNS lookup of ${fault.name} failed: ${fault.message}.`, better: null }
  }
}

function invalid(message: string): Judgement {
  return { status: 'invalid', message, better: null }
}

const providerIncludes: Partial<Record<SenderProvider, string>> = {
  google: '_spf.google.com',
  microsoft: 'spf.protection.outlook.com',
}

/** Whether the record allows the servers that send the mail of the account. */
function coverFault(record: string, input: SpfInput): Judgement | null {
  const { domain, smtpHost, spfWalk } = input
  const better = record.replace(/^v=spf1/i, `v=spf1 ${allowing(input)}`)
  const provider = mailProvider(input)
  const include = providerIncludes[provider]
  if (include !== undefined) {
    const names = [...readSpf(record).map(({ value }) => value ?? ''), ...(spfWalk?.names ?? [])]
    if (names.includes(include)) return null
    return { status: 'invalid', message: `The record does not allow ${provider} to send.`, better }
  }
  if (spfWalk?.covered !== false || smtpHost === null || sharedDomains.has(domain)) return null
  // A provider's submission server hands mail to its other servers. Its record names those, under the same domain.
  if (spfWalk.names.some((name) => name !== domain && ownerDomain(name) === ownerDomain(smtpHost))) return null
  return {
    status: 'warning',
    message:
      `The record does not allow ${smtpHost}, the server of this sending account. If its provider sends from other servers, ` +
      'use the record that the provider shows.',
    better,
  }
}

/** The provider that sends, also if the account logs in to its server with a password. */
function mailProvider({ provider, smtpHost }: SpfInput): SenderProvider {
  const smtp = smtpHost === null ? null : { host: smtpHost.toLowerCase() }
  return providerOfServers({ provider, smtp }) ?? provider
}

/** The domain of the owner of a host: its last two labels, or three below registries such as `co.uk`. */
function ownerDomain(host: string): string {
  const labels = host.toLowerCase().replace(/\.$/, '').split('.')
  const isRegistry = (labels.at(-1)?.length ?? 0) === 2 && (labels.at(-2)?.length ?? 0) <= 3
  return labels.slice(isRegistry ? -3 : -2).join('.')
}

/** The term of an SPF record that allows the account's server to send, by its address if it has no name (RFC 7208, 5.6). */
function allowing(input: SpfInput): string {
  const include = providerIncludes[mailProvider(input)]
  const { smtpHost } = input
  if (include !== undefined) return `include:${include}`
  if (smtpHost === null) return 'mx'
  if (smtpHost.includes(':')) return `ip6:${smtpHost}`
  return /^\d+(?:\.\d+){3}$/.test(smtpHost) ? `ip4:${smtpHost}` : `a:${smtpHost}`
}

/** Merges several SPF records into one that allows all their senders. */
function mergedSpf(records: readonly string[]): string {
  const terms = new Set(records.flatMap((one) => one.split(/\s+/).slice(1)))
  return `v=spf1 ${[...terms].filter((term) => !/^[-~?+]?all$/i.test(term)).join(' ')} ~all`
}

function endFault(record: string): Judgement | null {
  const terms = readSpf(record)
  if (terms.some(({ kind, qualifier }) => kind === 'redirect' || (kind === 'all' && qualifier !== '?'))) return null
  const better = `${record.replace(/\s*\?all\s*$/i, '')} ~all`
  return { status: 'warning', message: 'The record does not say how to treat other senders.', better }
}

function passMessage(walk: SpfWalk | null): string {
  if (walk === null) return 'SPF is in place.'
  return `SPF is in place. It needs ${walk.lookups} of the ${spfLookupsMax} lookups that receivers allow.`
}

function unknown(message: string): HealthCheck {
  return { status: 'unknown', records: [], message: `The DNS lookup failed: ${message}.`, put: null }
}
