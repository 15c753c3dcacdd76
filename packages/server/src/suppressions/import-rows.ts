import { normalizeEmail } from '@overture/contract/addresses.ts'
import { calendarDate, email as emailSchema, timestampInput } from '@overture/contract/common.ts'
import { suppressedDomain, suppressionReason } from '@overture/contract/suppressions/suppressions.ts'
import { invalid } from '@overture/contract/errors.ts'
import { unguardCell } from '@overture/ground/text/spreadsheet-cell.ts'
import { dayMs } from '@overture/ground/time/spans.ts'
import type { z } from 'zod'
import { errorColumns, isErrorFile } from '@overture/ground/text/refused-rows.ts'

const fields = ['email', 'domain', 'sha256', 'reason', 'expiresAt'] as const
type Field = (typeof fields)[number]

/** The position of each field in a row. A field is absent if the file has no such column. */
type EntryColumns = Partial<Record<Field, number>>

const aliases: Readonly<Record<string, Field>> = { emailaddress: 'email', mail: 'email' }
const fieldOfTitle = new Map<string, Field>([
  ...fields.map((field) => [simple(field), field] as const),
  ...Object.entries(aliases),
])

/** Reads the first row of a file. Throws if it names no column that identifies an entry, or one column twice. */
export function readEntryColumns(header: readonly string[]): EntryColumns {
  const first = isErrorFile(header) ? errorColumns.length : 0
  const columns: EntryColumns = {}
  for (const [index, title] of header.entries()) {
    const field = index < first ? undefined : fieldOfTitle.get(simple(title))
    if (field === undefined) continue
    if (columns[field] !== undefined)
      throw invalid({ path: field, rule: 'duplicate', message: `The first row has two columns for "${field}".` })
    columns[field] = index
  }
  if (columns.email !== undefined || columns.domain !== undefined || columns.sha256 !== undefined) return columns
  const message = 'A column "email", "domain" or "sha256" is required in the first row.'
  throw invalid({ path: 'email', rule: 'required', message })
}

/** A row of a file. Exactly one of `email`, `domain` and `sha256` is set. */
interface ReadEntry {
  kind: 'entry'
  email: string | null
  domain: string | null
  sha256: string | null
  reason: string | null
  expiresAt: Date | null
}

interface RefusedEntry {
  kind: 'refused'
  /** As in the file of refused rows. */
  reason: string
}

/** Reads a row as an entry, or returns why it is refused. */
export function readEntry(columns: EntryColumns, cells: readonly string[]): ReadEntry | RefusedEntry {
  const cell = (field: Field): string => {
    const index = columns[field]
    return index === undefined ? '' : unguardCell(cells[index]?.trim() ?? '').trim()
  }
  const [email, domain, sha256] = [cell('email'), cell('domain'), cell('sha256').toLowerCase()]
  const given = [email, domain, sha256].filter((value) => value !== '').length
  if (given === 0) return refused('no_entry: Fill in email, domain or sha256.')
  if (given > 1) return refused('several_entries: Fill in only one of email, domain and sha256.')
  const fault = identityFault({ email, domain, sha256 })
  if (fault !== null) return refused(fault)
  const reason = suppressionReason.safeParse(cell('reason'))
  if (!reason.success) return refused(invalidField('reason', errorMessage(reason.error)))
  const expiresAt = readEnd(cell('expiresAt'))
  if (expiresAt === 'invalid')
    return refused(invalidField('expiresAt', 'Not a date or time in ISO 8601. Use 2027-01-31 or 2027-01-31T12:00:00Z.'))
  return {
    kind: 'entry',
    email: email === '' ? null : normalizeEmail(email).email,
    domain: domain === '' ? null : normalizeEmail(`postmaster@${domain.replace(/^@/, '')}`).domain,
    sha256: sha256 === '' ? null : sha256,
    reason: reason.data === '' ? null : reason.data,
    expiresAt,
  }
}

function identityFault({ email, domain, sha256 }: { email: string; domain: string; sha256: string }): string | null {
  if (sha256 !== '') return /^[0-9a-f]{64}$/.test(sha256) ? null : invalidField('sha256', 'Not 64 hexadecimal digits.')
  if (domain !== '') {
    const read = suppressedDomain.safeParse(domain)
    return read.success ? null : invalidField('domain', errorMessage(read.error))
  }
  const read = emailSchema.safeParse(email)
  if (read.success) return null
  const message = errorMessage(read.error)
  return message === 'Not an email address.' ? 'invalid_email' : `invalid_email: ${message}`
}

/** The last time that responses can contain. */
const latestMs = Date.parse('9999-12-31T23:59:59.999Z')

/** A date ends with its day in UTC. Many lists have 9999-12-31 for no end. */
function readEnd(text: string): Date | null | 'invalid' {
  if (text === '') return null
  if (calendarDate.safeParse(text).success) return new Date(Math.min(Date.parse(text) + dayMs, latestMs))
  return timestampInput.safeParse(text).success ? new Date(text) : 'invalid'
}

function refused(reason: string): RefusedEntry {
  return { kind: 'refused', reason }
}

function invalidField(field: Field, message: string): string {
  return `invalid_field: ${field}: ${message}`
}

function errorMessage(error: z.ZodError): string {
  return error.issues[0]?.message ?? 'Not valid.'
}

function simple(title: string): string {
  return title.toLowerCase().replace(/[^a-z0-9]/g, '')
}
