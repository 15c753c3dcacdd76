import { inspectedBytesMax, type InspectedFile } from '@overture/contract/campaigns/imports.ts'
import type { CsvFault, CsvRow } from '@overture/ground/text/csv-text.ts'
import { readLead } from '../leads/lead.ts'
import { type ImportColumn, readHeader, rowToLead, columnTarget } from './import-columns.ts'
import { rowRefusal } from '@overture/ground/text/refused-rows.ts'
import { leadRefusals } from './refusals.ts'

const samplesMax = 3
const sampleCharsMax = 100
const issuesMax = 100

type Issue = InspectedFile['issues'][number]

/** The beginning of a file, as rows. */
interface ReadFile {
  rows: readonly CsvRow[]
  /** Whether the end of the last row may be missing. */
  isCut: boolean
  /** The fault at which reading stopped, or null. */
  fault: CsvFault | null
  bytes: number
}

/** Reports what an import would make of a file whose first row contains the column names. `issues` is read row by row. */
export function inspectRows({ rows, isCut, fault, bytes }: ReadFile): {
  columns: InspectedFile['columns']
  issues: Generator<Issue | null>
} {
  const [first, ...others] = rows
  if (first === undefined)
    return { columns: [], issues: eachIssue([{ row: 0, ...(fault === null ? empty : broken(fault, [])) }]) }
  if (first.fault !== null) return { columns: [], issues: eachIssue([{ row: 0, ...broken(first.fault, []) }]) }
  const header = first.cells
  const columns = readHeader(header)
  const whole = isCut && bytes >= inspectedBytesMax / 2 && others.length > 1 ? others.slice(0, -1) : others
  const issues = eachIssue([
    ...headerIssues(header, columns),
    ...(fault === null ? [] : [{ row: others.length + 1, ...broken(fault, header) }]),
  ])
  return { columns: columnsOfFile(header, columns, whole), issues: both(issues, rowIssues(whole, header, columns)) }
}

/** The first issues, ordered by row. */
export function firstIssues(issues: readonly Issue[]): Issue[] {
  return issues.toSorted((a, b) => a.row - b.row).slice(0, issuesMax)
}

/** Whether no further issue would be shown. */
export function isFull(issues: readonly Issue[]): boolean {
  return issues.length >= issuesMax
}

const empty = { code: 'empty_file' } as const

function broken(fault: CsvFault, header: readonly string[]): Omit<Issue, 'row'> {
  const column = header[fault.column]?.trim() ?? ''
  const message = `Line ${fault.line}, column ${fault.column + 1}: ${fault.message}`
  return { code: 'not_readable', ...(column === '' ? {} : { column }), message }
}

function columnsOfFile(
  header: readonly string[],
  columns: readonly ImportColumn[],
  rows: readonly CsvRow[],
): InspectedFile['columns'] {
  return header.map((given, at) => {
    const filled = rows.flatMap(({ cells, fault }) => (fault === null && cells[at]?.trim() ? [cells[at].trim()] : []))
    const samples = [...new Set(filled.map((value) => value.slice(0, sampleCharsMax)))].slice(0, samplesMax)
    return { title: given.trim(), target: columnTarget(columns[at] ?? null), samples, filled: filled.length }
  })
}

function headerIssues(header: readonly string[], columns: readonly ImportColumn[]): Issue[] {
  const issues: Issue[] = []
  if (!hasEmail(columns)) issues.push({ row: 0, code: 'no_email_column' })
  if (header.some((title) => title.includes('\0'))) issues.push({ row: 0, code: 'null_character' })
  return issues
}

function hasEmail(columns: readonly ImportColumn[]): boolean {
  return columns.some((column) => column?.kind === 'field' && column.name === 'email')
}

/** Yields null for a row without an issue, so that the reader can yield to the event loop. */
function* rowIssues(
  rows: readonly CsvRow[],
  header: readonly string[],
  columns: readonly ImportColumn[],
): Generator<Issue | null> {
  const seen = new Set<string>()
  const readsLeads = hasEmail(columns)
  for (const [at, row] of rows.entries()) {
    const refusal = rowRefusal(row, header)
    if (refusal !== null) yield { row: at + 1, ...refusal }
    else if (!readsLeads) yield null
    else {
      const read = readLead(rowToLead(columns, row.cells), at)
      if (read.kind === 'invalid')
        for (const one of leadRefusals(read, { header, columns })) yield { row: at + 1, ...one }
      else yield seen.has(read.lead.email) ? { row: at + 1, code: 'duplicate' } : null
      if (read.kind === 'lead') seen.add(read.lead.email)
    }
  }
}

function* eachIssue(issues: readonly Issue[]): Generator<Issue | null> {
  yield* issues
}

function* both(first: Generator<Issue | null>, second: Generator<Issue | null>): Generator<Issue | null> {
  yield* first
  yield* second
}
