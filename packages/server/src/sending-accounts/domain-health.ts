import type {
  HealthCheck,
  HealthReport,
  HealthSummary,
  SenderProvider,
} from '@overture/contract/sending-accounts/sending-accounts.ts'

/** The DNS response. `unknown` if no server responded. */
export type Answer = { kind: 'found'; values: string[] } | { kind: 'none' } | { kind: 'unknown'; message: string }

export interface HealthInput {
  domain: string
  provider: SenderProvider
  smtpHost: string | null
  spf: Answer
  dkim: { selector: string; answer: Answer }[]
  /** The records of the domain and its parents, the domain's own first. */
  dmarc: { name: string; answer: Answer }[]
  mx: Answer
  tracking: { name: string; answer: Answer; target: string } | null
}

export type Checks = Pick<HealthReport, 'spf' | 'dkim' | 'dmarc' | 'mx' | 'tracking'>

const spfIncludes: Partial<Record<SenderProvider, string>> = {
  google: '_spf.google.com',
  microsoft: 'spf.protection.outlook.com',
}

/** Common selectors of mail providers, tried in addition to those found in mail. */
export const usualSelectors = [
  'google',
  'selector1',
  'selector2',
  'default',
  'dkim',
  'mail',
  's1',
  's2',
  'k1',
  'k2',
  'smtp',
  'mta',
  'zoho',
  'fm1',
  'fm2',
  'protonmail',
]

export function judgeHealth(input: HealthInput): Checks {
  return {
    spf: judgeSpf(input),
    dkim: judgeDkim(input),
    dmarc: judgeDmarc(input),
    mx: judgeMx(input),
    tracking: judgeTracking(input),
  }
}

export function summaryOf(checks: Checks, checkedAt: string): HealthSummary {
  return {
    spf: checks.spf.status,
    dkim: checks.dkim.status,
    dmarc: checks.dmarc.status,
    mx: checks.mx.status,
    checkedAt,
  }
}

/** The DKIM selectors with which a domain signed its mail, from headers of raw mail that quotes them. */
export function findDkimSelectors(raw: string, domain: string): string[] {
  const found = new Set<string>()
  for (const match of raw.replace(/\r?\n[ \t]+/g, ' ').matchAll(/^[> ]*dkim-signature:([^\r\n]*)$/gim)) {
    const tags = readTags(match[1] ?? '')
    if (tags.get('d')?.toLowerCase() !== domain.toLowerCase()) continue
    const selector = tags.get('s')
    if (selector !== undefined && /^[\w.-]{1,63}$/.test(selector)) found.add(selector)
  }
  return [...found]
}

/** The names to query for a DMARC policy: the domain and its parents down to two labels, nearest first. */
export function dmarcNames(domain: string): string[] {
  const labels = domain.split('.')
  return labels
    .slice(0, Math.max(labels.length - 1, 1))
    .map((_label, index) => `_dmarc.${labels.slice(index).join('.')}`)
}

function judgeSpf({ domain, provider, smtpHost, spf }: HealthInput): HealthCheck {
  if (spf.kind === 'unknown') return unknown(spf.message)
  const records = spf.kind === 'found' ? spf.values.filter((value) => /^v=spf1(\s|$)/i.test(value)) : []
  const include = spfIncludes[provider]
  const mechanism = include !== undefined ? `include:${include}` : smtpMechanism(smtpHost)
  const put = (value: string): HealthCheck['put'] => ({ type: 'TXT', name: domain, value })
  const [record] = records
  if (record === undefined) {
    return {
      status: 'missing',
      records,
      message: "There is no SPF record, so receivers can't check who may send for this domain.",
      put: put(`v=spf1 ${mechanism} ~all`),
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
  const fault = spfFault(record, provider)
  if (fault === null) return { status: 'pass', records, message: 'SPF is in place.', put: null }
  const { status, message, better } = fault
  return { status, records, message, put: better === null ? null : put(better) }
}

/** The term of an SPF record that allows a server to send, by its address if it has no name (RFC 7208, 5.6). */
function smtpMechanism(host: string | null): string {
  if (host === null) return 'mx'
  if (host.includes(':')) return `ip6:${host}`
  return /^\d+(?:\.\d+){3}$/.test(host) ? `ip4:${host}` : `a:${host}`
}

/** Merges several SPF records into one that allows all their senders. */
function mergedSpf(records: readonly string[]): string {
  const terms = new Set(records.flatMap((one) => one.split(/\s+/).slice(1)))
  return `v=spf1 ${[...terms].filter((term) => !/^[-~?+]?all$/i.test(term)).join(' ')} ~all`
}

interface SpfFault {
  status: 'invalid' | 'warning'
  message: string
  /** The corrected record, or null if a person must decide. */
  better: string | null
}

function spfFault(record: string, provider: SenderProvider): SpfFault | null {
  const terms = record.split(/\s+/).slice(1).filter(Boolean)
  const include = spfIncludes[provider]
  if (terms.some((term) => /^\+?all$/i.test(term))) {
    const better = record.replace(/\+?\ball\b/i, '~all')
    return { status: 'invalid', message: '+all allows everyone to send for this domain.', better }
  }
  if (terms.filter((term) => /^[-~?+]?(include:|a\b|mx\b|ptr\b|exists:)|^redirect=/i.test(term)).length > 10)
    return {
      status: 'invalid',
      message: 'The record needs more than ten lookups, so receivers ignore it (RFC 7208).',
      better: null,
    }
  if (include !== undefined && !terms.some((term) => term.toLowerCase().includes(include))) {
    const better = record.replace(/^v=spf1/i, `v=spf1 include:${include}`)
    return { status: 'invalid', message: `The record does not allow ${provider} to send.`, better }
  }
  if (!terms.some((term) => /^[-~]all$|^redirect=/i.test(term))) {
    const better = `${record.replace(/\s*\?all\s*$/i, '')} ~all`
    return { status: 'warning', message: 'The record does not say how to treat other senders.', better }
  }
  return null
}

function judgeDkim({ domain, dkim }: HealthInput): HealthCheck {
  const keys = dkim.flatMap(({ selector, answer }) =>
    answer.kind === 'found'
      ? answer.values.filter((value) => /(^|;)\s*p\s*=/i.test(value)).map((value) => ({ selector, value }))
      : [],
  )
  const records = keys.map(({ selector, value }) => `${selector}._domainkey.${domain}: ${value}`)
  const live = keys.filter(({ value }) => (readTags(value).get('p') ?? '') !== '')
  if (live.length > 0) {
    if (live.every(({ value }) => keyBytes(value) < rsa1024Bytes))
      return {
        status: 'invalid',
        records,
        message: 'The key is shorter than 1,024 bits, so receivers ignore it.',
        put: null,
      }
    if (live.every(({ value }) => keyBytes(value) < rsa2048Bytes))
      return { status: 'warning', records, message: 'The key is shorter than 2,048 bits.', put: null }
    return { status: 'pass', records, message: 'DKIM is in place.', put: null }
  }
  if (keys.length > 0) return { status: 'invalid', records, message: 'The key was revoked (empty p=).', put: null }
  const asked = dkim.find(({ answer }) => answer.kind === 'unknown')
  if (asked?.answer.kind === 'unknown') return unknown(asked.answer.message)
  return {
    status: 'missing',
    records,
    message:
      `No key was found under the ${dkim.length} selectors that were tried. Turn on DKIM at the mail provider and add the ` +
      'key that it shows here.',
    put: {
      type: 'TXT',
      name: `selector._domainkey.${domain}`,
      value: 'v=DKIM1; k=rsa; p=<the key that your mail provider shows>',
    },
  }
}

function judgeDmarc({ domain, dmarc }: HealthInput): HealthCheck {
  const put: HealthCheck['put'] = {
    type: 'TXT',
    name: `_dmarc.${domain}`,
    value: `v=DMARC1; p=none; rua=mailto:dmarc@${domain}`,
  }
  for (const { name, answer } of dmarc) {
    if (answer.kind === 'unknown') return unknown(answer.message)
    const policies = answer.kind === 'found' ? answer.values.filter((value) => /^v=DMARC1\b/i.test(value)) : []
    const [record] = policies
    if (record === undefined) continue
    if (policies.length > 1)
      return {
        status: 'invalid',
        records: policies,
        message: `More than one DMARC record at ${name}. Keep one.`,
        put: null,
      }
    const policy = readTags(record).get('p')?.toLowerCase()
    if (policy === undefined || !['none', 'quarantine', 'reject'].includes(policy)) {
      return {
        status: 'invalid',
        records: policies,
        message: 'The policy (p=) must be none, quarantine or reject.',
        put,
      }
    }
    const message =
      policy === 'none'
        ? 'DMARC is in place, but p=none only monitors. Use quarantine when the reports show no problems.'
        : 'DMARC is in place.'
    return { status: 'pass', records: policies, message, put: null }
  }
  return {
    status: 'missing',
    records: [],
    message: 'No DMARC record: Google, Yahoo and Microsoft ask for one from those who send much.',
    put,
  }
}

function judgeMx({ domain, provider, mx }: HealthInput): HealthCheck {
  if (mx.kind === 'unknown') return unknown(mx.message)
  if (mx.kind === 'found' && mx.values.some((value) => value !== '' && value !== '.')) {
    return { status: 'pass', records: mx.values, message: 'Replies can be delivered.', put: null }
  }
  const put: HealthCheck['put'] =
    provider === 'google' ? { type: 'MX', name: domain, value: '1 smtp.google.com' } : null
  if (mx.kind === 'found')
    return {
      status: 'invalid',
      records: mx.values,
      message: 'The domain accepts no mail (null MX), so replies are lost.',
      put,
    }
  return { status: 'missing', records: [], message: "There is no MX record, so replies can't be delivered.", put }
}

function judgeTracking({ tracking }: HealthInput): HealthCheck | null {
  if (tracking === null) return null
  const { name, answer, target } = tracking
  const put: HealthCheck['put'] = { type: 'CNAME', name, value: target }
  if (answer.kind === 'unknown') return unknown(answer.message)
  if (answer.kind === 'none')
    return { status: 'missing', records: [], message: `${name} does not point to this server.`, put }
  const right = answer.values.some((value) => value.replace(/\.$/, '').toLowerCase() === target.toLowerCase())
  if (right)
    return { status: 'pass', records: answer.values, message: 'The tracking domain points to this server.', put: null }
  return { status: 'invalid', records: answer.values, message: `${name} points to another server.`, put }
}

// Public keys in DER: 162 bytes for RSA 1024, 294 for 2048. Ed25519 keys are short and strong.
const rsa1024Bytes = 160
const rsa2048Bytes = 290

function keyBytes(record: string): number {
  const tags = readTags(record)
  if (tags.get('k')?.toLowerCase() === 'ed25519') return rsa2048Bytes
  return Math.floor(((tags.get('p') ?? '').replace(/[\s=]/g, '').length * 3) / 4)
}

function readTags(text: string): Map<string, string> {
  const pairs = text.split(';').map((part) => part.split(/=(.*)/s))
  return new Map(pairs.map(([name = '', value = '']) => [name.trim().toLowerCase(), value.trim()]))
}

function unknown(message: string): HealthCheck {
  return { status: 'unknown', records: [], message: `The DNS lookup failed: ${message}.`, put: null }
}
