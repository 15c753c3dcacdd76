import { stringify } from 'csv-stringify/sync'
import type { Database } from '../platform/db/database.ts'
import { type AuditRow, toAuditEntry } from './audit-entry.ts'
import { type AuditFilter, listAuditEntries } from './audit-log.sql.ts'

const rowsAtOnce = 1_000
type AuditFormat = 'csv' | 'ndjson'

const header = [
  'id',
  'at',
  'environment',
  'actor.type',
  'actor.id',
  'actor.name',
  'action',
  'target.type',
  'target.id',
  'outcome',
  'ip',
  'userAgent',
  'requestId',
  'changes',
]

/** All of the log that the filter leaves, newest first, a thousand entries at a time. */
export async function* exportLines(
  db: Database,
  accountId: string,
  { filter, format }: { filter: AuditFilter; format: AuditFormat },
): AsyncGenerator<string> {
  if (format === 'csv') yield stringify([header])
  for (let after: number | null = null; ;) {
    const rows: AuditRow[] = await listAuditEntries(db, accountId, { filter, after, offset: 0, limit: rowsAtOnce })
    if (rows.length > 0) yield textOf(rows, format)
    if (rows.length < rowsAtOnce) return
    after = rows.at(-1)!.position
  }
}

function textOf(rows: readonly AuditRow[], format: AuditFormat): string {
  if (format === 'ndjson') return rows.map((row) => `${JSON.stringify(toAuditEntry(row))}\n`).join('')
  return stringify(rows.map(cells), { escape_formulas: true })
}

function cells(row: AuditRow): (string | null)[] {
  const { id, at, environment, actor, action, target, outcome, ip, userAgent, requestId, changes } = toAuditEntry(row)
  return [
    id,
    at,
    environment,
    actor.type,
    actor.id,
    actor.name,
    action,
    target.type,
    target.id,
    outcome,
    ip,
    userAgent,
    requestId,
    changes.length === 0 ? null : JSON.stringify(changes),
  ]
}
