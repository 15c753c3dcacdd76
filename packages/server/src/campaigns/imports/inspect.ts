import { inspectedBytesMax, type InspectedFile } from '@overture/contract/campaigns/imports.ts'
import { email } from '@overture/contract/common.ts'
import { type ImportColumn, readHeader, rowToLead, targetOf } from './import-columns.ts'

const samplesMax = 3
const sampleCharsMax = 100
const issuesMax = 100

type Issue = InspectedFile['issues'][number]

/** What an import would make of these rows, the first of which names the columns. */
export function inspectRows(
  [header, ...rows]: readonly string[][],
  { isCut, isBroken, bytes }: { isCut: boolean; isBroken: boolean; bytes: number },
): Pick<InspectedFile, 'columns' | 'issues'> {
  if (header === undefined) return { columns: [], issues: [{ row: 0, code: 'empty_file' }] }
  const columns = readHeader(header)
  const whole = isCut && bytes >= inspectedBytesMax / 2 && rows.length > 1 ? rows.slice(0, -1) : rows
  const issues: Issue[] = [...headerIssues(header, columns), ...rowIssues(whole, columns)]
  if (isBroken) issues.push({ row: rows.length + 1, code: 'not_readable' })
  return {
    columns: header.map((title, at) => {
      const filled = whole.flatMap((fields) => (fields[at]?.trim() ? [fields[at].trim()] : []))
      const samples = [...new Set(filled.map((value) => value.slice(0, sampleCharsMax)))].slice(0, samplesMax)
      return { title, target: targetOf(columns[at] ?? null), samples, filled: filled.length }
    }),
    issues: issues.slice(0, issuesMax),
  }
}

function headerIssues(header: readonly string[], columns: readonly ImportColumn[]): Issue[] {
  const issues: Issue[] = []
  if (!columns.some((column) => column?.kind === 'field' && column.name === 'email'))
    issues.push({ row: 0, code: 'no_email_column' })
  if (header.some((title) => title.includes('\0'))) issues.push({ row: 0, code: 'null_character' })
  return issues
}

function* rowIssues(rows: readonly string[][], columns: readonly ImportColumn[]): Generator<Issue> {
  const seen = new Set<unknown>()
  const hasEmail = columns.some((column) => column?.kind === 'field' && column.name === 'email')
  for (const [at, fields] of rows.entries()) {
    const row = at + 1
    if (fields.some((field) => field.includes('\0'))) yield { row, code: 'null_character' }
    if (fields.length !== columns.length) yield { row, code: 'uneven_columns' }
    if (!hasEmail) continue
    const given = rowToLead(columns, fields)['email']
    const known = typeof given === 'string' ? given.toLowerCase() : given
    if (!email.safeParse(given).success) yield { row, code: 'invalid_email' }
    else if (seen.has(known)) yield { row, code: 'duplicate' }
    seen.add(known)
  }
}
