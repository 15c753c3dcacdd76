import type { HealthCheck } from '@overture/contract/sending-accounts/domain-health.ts'
import { discoverDmarc, type DmarcDiscovery, type DmarcLookup, type DmarcPolicy } from './dmarc.ts'

type FoundPolicy = Extract<DmarcDiscovery, { kind: 'found' }>

/** Judges the DMARC policy that receivers apply to mail from a domain, and names the record to publish if one is wrong. */
export function judgeDmarc(domain: string, lookups: readonly DmarcLookup[]): HealthCheck {
  const found = discoverDmarc(lookups)
  const suggested = put(domain, `v=DMARC1; p=none; rua=mailto:dmarc@${domain}`)
  switch (found.kind) {
    case 'unknown':
      return {
        status: 'unknown',
        records: [],
        message: `The DNS lookup failed: ${found.message}.`,
        put: null,
      }
    case 'none':
      return {
        status: 'missing',
        records: [],
        message: 'There is no DMARC record. Google, Yahoo and Microsoft require one from domains that send much mail.',
        put: suggested,
      }
    case 'several':
      return {
        status: 'invalid',
        records: found.records,
        message: `There is more than one DMARC record at _dmarc.${found.at}, so receivers ignore all of them. Keep one.`,
        put: null,
      }
    case 'misspelt':
      return {
        status: 'invalid',
        records: [found.record],
        message: 'Receivers ignore this record, because it does not begin with v=DMARC1 in exactly this spelling.',
        put: put(found.at, `v=DMARC1; ${withoutTags(found.record, ['v'])}`),
      }
    case 'found':
      return judgeFound(domain, found)
  }
}

function judgeFound(domain: string, found: FoundPolicy): HealthCheck {
  const { record } = found
  const fault = faultIn(found)
  const message = [...(fault === null ? [] : [fault.message]), ...remarks(domain, found)].join(' ')
  const better = fault === null ? null : put(found.at, fault.better)
  return { status: fault?.status ?? 'pass', records: [record.text], message, put: better }
}

interface DmarcFault {
  status: 'invalid' | 'warning'
  message: string
  better: string
}

function faultIn({ record }: FoundPolicy): DmarcFault | null {
  const { text, faultyPolicy } = record
  const clean = withoutTags(text, ['v', 'p', 'pct', 'rf', 'ri'])
  const withPolicy = `v=DMARC1; p=none${clean === '' ? '' : `; ${clean}`}`
  if (faultyPolicy !== null)
    return {
      status: 'invalid',
      message: `The policy p=${faultyPolicy} must be none, quarantine or reject.`,
      better: withPolicy,
    }
  if (record.p === null)
    return {
      status: 'warning',
      message: 'The record has no policy (p=). New receivers read it as p=none, older ones ignore the record.',
      better: withPolicy,
    }
  const percent = record.obsolete.find(({ name }) => name === 'pct')
  if (percent === undefined || percent.value === '100' || record.p === 'none') return null
  return {
    status: 'warning',
    message: `The tag pct=${percent.value} has no meaning any more: the policy applies to all mail. For a trial, use t=y.`,
    better: `v=DMARC1; ${withoutTags(text, ['v', 'pct', 'rf', 'ri', 't'])}; t=y`,
  }
}

/** The sentences about a policy that is in force. */
function remarks(domain: string, found: FoundPolicy): string[] {
  const { at, applied, record } = found
  const place = at === domain ? 'DMARC is in place' : `DMARC is in place, by the record of ${at}`
  const sentences = [applied === 'none' ? `${place}, but p=none only monitors.` : `${place}: ${consequence[applied]}.`]
  if (at !== domain && record.sp !== null) sentences.push(`The tag sp=${record.sp} sets the policy of subdomains.`)
  if (applied !== 'none' && record.testing)
    sentences.push('The tag t=y asks receivers not to apply it. Remove t=y when the reports show no problems.')
  if (applied === 'none' && record.reports) sentences.push('Use quarantine when the reports show no problems.')
  if (!record.reports) sentences.push(`Without rua=mailto:… no reports show who sends in the name of ${at}.`)
  return sentences
}

const consequence: Record<Exclude<DmarcPolicy, 'none'>, string> = {
  quarantine: 'receivers treat mail that fails as spam',
  reject: 'receivers reject mail that fails',
}

function put(domain: string, value: string): HealthCheck['put'] {
  return { type: 'TXT', name: `_dmarc.${domain}`, value }
}

function withoutTags(text: string, names: readonly string[]): string {
  return text
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part !== '' && !names.includes(part.split('=')[0]!.trim().toLowerCase()))
    .join('; ')
}
