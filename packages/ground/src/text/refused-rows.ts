import type { InspectedFile } from '@overture/contract/campaigns/imports.ts'
import type { CsvRow } from './csv-text.ts'

/** The first columns of a file of refused rows. With them the file can be fixed and uploaded as it is. */
export const errorColumns = ['row', 'reason'] as const

/** Returns whether a file with this first row is a file of refused rows. */
export function isErrorFile(header: readonly string[]): boolean {
  return errorColumns.every((title, index) => header[index] === title)
}

/** Why a row of a file is refused. The inspection of a file and the import both use it, so that they report the same. */
export type Refusal = Omit<InspectedFile['issues'][number], 'row'>

const reasonCharsMax = 500
const titleCharsMax = 100

/** Returns the problem of a row before its values are read as a lead, or null. */
export function rowRefusal({ cells, fault }: CsvRow, header: readonly string[]): Refusal | null {
  if (fault !== null) return { code: 'not_readable', ...titled(header, fault.column), message: fault.message }
  if (cells.some((cell) => cell.includes('\0'))) return { code: 'null_character' }
  if (isUneven(cells, header)) return { code: 'uneven_columns', message: unevenMessage(cells, header) }
  return null
}

/** A row with one separator too many or too few has values under the wrong titles. Blank cells at the end are harmless. */
function isUneven(cells: readonly string[], header: readonly string[]): boolean {
  return cells.length < filled(header) || filled(cells) > header.length
}

function filled(cells: readonly string[]): number {
  return cells.findLastIndex((cell) => cell.trim() !== '') + 1
}

function unevenMessage(cells: readonly string[], header: readonly string[]): string {
  const count = cells.length === 1 ? '1 cell' : `${cells.length} cells`
  return `The row has ${count} and the header ${header.length}. Put a value with a separator in quotes.`
}

/** Returns the title of a column as part of a refusal. */
export function titled(header: readonly string[], column: number): { column?: string } {
  const title = header[column]?.trim().slice(0, titleCharsMax)
  return title === undefined || title === '' ? {} : { column: title }
}

const plainReasons: readonly string[] = ['Not an email address.', 'Required.']

/** All refusals of a row as its `reason`: the code of the first, then each column and message. */
export function refusalReasons([first, ...others]: readonly [Refusal, ...Refusal[]]): string {
  if (others.length === 0) return refusalReason(first)
  const places = [first, ...others].map(({ code, column, message = '' }) =>
    column === undefined || code === 'invalid_email' ? message : `${column}: ${message}`,
  )
  return `${first.code}: ${places.join(' ')}`.slice(0, reasonCharsMax).replaceAll('\0', '\ufffd')
}

/** A refusal as the `reason` in the file of refused rows: its code, and the details that the code does not contain. */
export function refusalReason({ code, column, message }: Refusal): string {
  if (code === 'null_character') return 'invalid_field'
  if (message === undefined || (code === 'invalid_email' && plainReasons.includes(message))) return code
  const place = column === undefined || code === 'invalid_email' ? '' : `${column}: `
  return `${code}: ${place}${message}`.slice(0, reasonCharsMax).replaceAll('\0', '\ufffd')
}
