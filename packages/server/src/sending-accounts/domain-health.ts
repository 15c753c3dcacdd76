import type { HealthCheck, HealthReport, HealthSummary } from '@overture/contract/sending-accounts/domain-health.ts'
import type { DmarcLookup } from './domains/dmarc.ts'
import { readTags, type Answer } from './domains/dns-answer.ts'
import { judgeDmarc } from './domains/judge-dmarc.ts'
import { judgeSpf, type SpfInput } from './domains/judge-spf.ts'

export interface HealthInput extends SpfInput {
  dkim: { selector: string; answer: Answer }[]
  /** The records of the domain and its parents, the domain's own first. */
  dmarc: DmarcLookup[]
  mx: Answer
  tracking: { name: string; answer: Answer; target: string } | null
}

export type Checks = Pick<HealthReport, 'spf' | 'dkim' | 'dmarc' | 'mx' | 'tracking'>

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
    dmarc: judgeDmarc(input.domain, input.dmarc),
    mx: judgeMx(input),
    tracking: judgeTracking(input),
  }
}

export function summarizeChecks(checks: Checks, checkedAt: string): HealthSummary {
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
  const unanswered = dkim.find(({ answer }) => answer.kind === 'unknown')
  if (unanswered?.answer.kind === 'unknown') return unknown(unanswered.answer.message)
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

function unknown(message: string): HealthCheck {
  return { status: 'unknown', records: [], message: `The DNS lookup failed: ${message}.`, put: null }
}
