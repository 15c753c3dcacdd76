import { stringify } from 'csv-stringify/sync'
import type { AuditEntry } from '@overture/contract/team/audit.ts'
import { guardCell } from '@overture/ground/text/spreadsheet-cell.ts'
import type { Database } from '../platform/db/database.ts'
import { type AuditRow, toAuditEntry } from './audit-entry.ts'
import { type AuditFilter, listAuditEntries } from './audit-log.sql.ts'

const rowsAtOnce = 1_000
type AuditFormat = 'csv' | 'ndjson'

const columns: readonly (readonly [string, (entry: AuditEntry) => string | null])[] = [
  ['id', ({ id }) => id],
  ['at', ({ at }) => at],
  ['environment', ({ environment }) => environment],
  ['actor.type', ({ actor }) => actor.type],
  ['actor.id', ({ actor }) => actor.id],
  ['actor.name', ({ actor }) => actor.name],
  ['action', ({ action }) => action],
  ['target.type', ({ target }) => target.type],
  ['target.id', ({ target }) => target.id],
  ['outcome', ({ outcome }) => outcome],
  ['ip', ({ ip }) => ip],
  ['userAgent', ({ userAgent }) => userAgent],
  ['requestId', ({ requestId }) => requestId],
  ['changes', ({ changes }) => (changes.length === 0 ? null : JSON.stringify(changes))],
]

/** All entries that match the filter, newest first, read a thousand at a time. */
export async function* exportLines(
  db: Database,
  accountId: string,
  { filter, format }: { filter: AuditFilter; format: AuditFormat },
): AsyncGenerator<string> {
  if (format === 'csv') yield stringify([columns.map(([name]) => name)])
  for (let after: number | null = null; ;) {
    const rows: AuditRow[] = await listAuditEntries(db, accountId, { filter, after, offset: 0, limit: rowsAtOnce })
    if (rows.length > 0) yield formatRows(rows, format)
    if (rows.length < rowsAtOnce) return
    after = rows.at(-1)!.position
  }
}

function formatRows(rows: readonly AuditRow[], format: AuditFormat): string {
  const entries = rows.map(toAuditEntry)
  if (format === 'ndjson') return entries.map((entry) => `${JSON.stringify(entry)}\n`).join('')
  return stringify(entries.map(csvCells))
}

function csvCells(entry: AuditEntry): (string | null)[] {
  return columns.map(([, of]) => {
    const cell = of(entry)
    return cell === null ? null : guardCell(cell)
  })
}
