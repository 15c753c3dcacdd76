import { normalizeDomain } from '@overture/contract/addresses.ts'
import { foreignText } from '@overture/ground/text/foreign-text.ts'
import { dayMs, hourMs, secondMs } from '@overture/ground/time/spans.ts'
import ipaddr from 'ipaddr.js'
import { ReportElements } from './report-elements.ts'
import { RefusedReport, reportLimits, type ReportFault } from './report-limits.ts'
import { unpackReport } from './unpack.ts'

const dispositions = ['none', 'quarantine', 'reject'] as const
export type Disposition = (typeof dispositions)[number]

/** Messages of one address with the same result. */
export interface ReportRow {
  /** The domain in From. */
  domain: string
  ip: string
  disposition: Disposition
  spfAligned: boolean
  dkimAligned: boolean
  messages: number
}

/** An aggregate report of RFC 9990 or of RFC 7489, appendix C. */
export interface DmarcReport {
  orgName: string
  reportId: string
  /** The domain whose policy applied. The domain in From is this one or one below it. */
  policyDomain: string
  policy: Disposition
  beginsAtMs: number
  endsAtMs: number
  rows: ReportRow[]
}

export type DmarcReading =
  | { outcome: 'read'; report: DmarcReport }
  | { outcome: 'refused'; fault: ReportFault; field: string | null }

/** Reads a report as XML, gzip or ZIP. Its work and memory are bounded by `reportLimits`, whatever the bytes are. */
export function readDmarcReport(raw: Uint8Array, nowMs: number): DmarcReading {
  const builder = new ReportBuilder()
  try {
    const elements = new ReportElements(builder)
    unpackReport(raw, (piece) => elements.write(piece))
    elements.close()
    return { outcome: 'read', report: builder.build(nowMs) }
  } catch (error) {
    if (!(error instanceof RefusedReport)) throw error
    return { outcome: 'refused', fault: error.fault, field: error.field }
  }
}

const headFields = [
  'report_metadata/org_name',
  'report_metadata/report_id',
  'report_metadata/date_range/begin',
  'report_metadata/date_range/end',
  'policy_published/domain',
  'policy_published/p',
] as const
/** Drafts of RFC 7489 name the identifiers `identities`. */
const fromFields = ['record/identifiers/header_from', 'record/identities/header_from'] as const
const rowFields = [
  'record/row/source_ip',
  'record/row/count',
  'record/row/policy_evaluated/disposition',
  'record/row/policy_evaluated/spf',
  'record/row/policy_evaluated/dkim',
  ...fromFields,
] as const
type Field = (typeof headFields)[number] | (typeof rowFields)[number]

const known: ReadonlySet<string> = new Set([...headFields, ...rowFields])
const inRecord = 'record/'

class ReportBuilder {
  readonly #head = new Map<string, string>()
  readonly #rows = new Map<string, ReportRow>()
  #record = new Map<string, string>()
  #records = 0

  value(path: string, text: string): void {
    if (path === 'record') this.#endRecord()
    if (!known.has(path)) return
    const fields = path.startsWith(inRecord) ? this.#record : this.#head
    if (!fields.has(path)) fields.set(path, text)
  }

  end(path: string): void {
    if (path === 'record') this.#endRecord()
  }

  build(nowMs: number): DmarcReport {
    const policyDomain = readDomain(this.#head, 'policy_published/domain')
    const beginsAtMs = readSeconds(this.#head, 'report_metadata/date_range/begin') * secondMs
    const endsAtMs = readSeconds(this.#head, 'report_metadata/date_range/end') * secondMs
    refusePeriod(beginsAtMs, endsAtMs, nowMs)
    const rows = [...this.#rows.values()]
      .map((row) => (row.domain === '' ? { ...row, domain: policyDomain } : row))
      .filter(({ domain }) => domain === policyDomain || domain.endsWith(`.${policyDomain}`))
    if (rows.length === 0) throw new RefusedReport('missing', 'record')
    return {
      orgName: readText(this.#head, 'report_metadata/org_name', reportLimits.nameCharacters),
      reportId: readText(this.#head, 'report_metadata/report_id', reportLimits.idCharacters),
      policyDomain,
      policy: toDisposition(this.#head.get('policy_published/p')),
      beginsAtMs,
      endsAtMs,
      rows,
    }
  }

  #endRecord(): void {
    if (++this.#records > reportLimits.rows) throw new RefusedReport('too_many_rows')
    addRow(this.#rows, readRow(this.#record))
    this.#record = new Map()
  }
}

/** Adds a row to the one with the same result, so that a report keeps few of them. */
export function addRow(rows: Map<string, ReportRow>, row: ReportRow): void {
  const key = JSON.stringify([row.domain, row.ip, row.disposition, row.spfAligned, row.dkimAligned])
  const messages = (rows.get(key)?.messages ?? 0) + row.messages
  rows.set(key, { ...row, messages })
}

function readRow(record: ReadonlyMap<string, string>): ReportRow {
  const from = fromFields.find((field) => (record.get(field) ?? '') !== '')
  return {
    domain: from === undefined ? '' : readDomain(record, from),
    ip: readAddress(record),
    disposition: toDisposition(record.get('record/row/policy_evaluated/disposition')),
    spfAligned: record.get('record/row/policy_evaluated/spf')?.toLowerCase() === 'pass',
    dkimAligned: record.get('record/row/policy_evaluated/dkim')?.toLowerCase() === 'pass',
    messages: readMessageCount(record),
  }
}

/** `pass` of RFC 9990 means that no policy applied, as does a word that is not known. */
function toDisposition(text: string | undefined): Disposition {
  return dispositions.find((one) => one === text?.toLowerCase()) ?? 'none'
}

function readAddress(record: ReadonlyMap<string, string>): string {
  const text = given(record, 'record/row/source_ip')
  if (!ipaddr.IPv4.isValidFourPartDecimal(text) && !ipaddr.IPv6.isValid(text)) throw invalid('record/row/source_ip')
  return ipaddr.process(text).toString()
}

function readMessageCount(record: ReadonlyMap<string, string>): number {
  const text = given(record, 'record/row/count')
  const messages = Number(text)
  if (!/^\d{1,10}$/.test(text) || messages > reportLimits.messages) throw invalid('record/row/count')
  return messages
}

function readSeconds(fields: ReadonlyMap<string, string>, field: Field): number {
  const text = given(fields, field)
  if (!/^\d{1,11}(?:\.\d{1,9})?$/.test(text)) throw invalid(field)
  return Math.floor(Number(text))
}

function refusePeriod(beginsAtMs: number, endsAtMs: number, nowMs: number): void {
  if (endsAtMs < beginsAtMs) throw new RefusedReport('ends_before_begin', dotted('report_metadata/date_range/end'))
  if (endsAtMs > nowMs + reportLimits.aheadHours * hourMs)
    throw new RefusedReport('in_the_future', dotted('report_metadata/date_range/end'))
  if (endsAtMs - beginsAtMs > reportLimits.periodDays * dayMs)
    throw new RefusedReport('longer_than_a_year', dotted('report_metadata/date_range/begin'))
}

const domainForm = /^(?=.{1,253}$)[a-z0-9_](?:[a-z0-9_-]{0,62})(?:\.[a-z0-9_][a-z0-9_-]{0,62})+$/

function readDomain(fields: ReadonlyMap<string, string>, field: Field): string {
  const domain = normalizeDomain(given(fields, field))
  if (!domainForm.test(domain)) throw invalid(field)
  return domain
}

function readText(fields: ReadonlyMap<string, string>, field: Field, lengthMax: number): string {
  const text = given(fields, field)
  if (text.length > lengthMax) throw invalid(field)
  const clean = foreignText(text, lengthMax).replaceAll(/\s+/g, ' ').trim()
  if (clean === '') throw new RefusedReport('missing', dotted(field))
  return clean
}

function given(fields: ReadonlyMap<string, string>, field: Field): string {
  const text = fields.get(field) ?? ''
  if (text === '') throw new RefusedReport('missing', dotted(field))
  return text
}

function invalid(field: Field): RefusedReport {
  return new RefusedReport('invalid', dotted(field))
}

function dotted(field: Field): string {
  return field.replaceAll('/', '.')
}
