import { stringify } from 'csv-stringify/sync'
import type { Suppression } from '@overture/contract/suppressions/suppressions.ts'
import { guardCell } from '@overture/ground/text/spreadsheet-cell.ts'
import type { Database } from '../platform/db/database.ts'
import type { Tenant } from '../platform/tenant.ts'
import { toSuppression } from './suppression.ts'
import { listSuppressions, type SuppressionFilter } from './suppressions.sql.ts'

const rowsAtOnce = 1_000

const columns = ['email', 'domain', 'sha256', 'list', 'source', 'reason', 'expiresAt', 'createdAt'] as const

/** The suppressions as CSV, newest first, read a thousand at a time. An erased person has no column to name them by. */
export async function* exportLines(db: Database, tenant: Tenant, filter: SuppressionFilter): AsyncGenerator<string> {
  yield stringify([[...columns]])
  for (let after: string | null = null; ;) {
    const rows = await listSuppressions(db, tenant, filter, { after, offset: 0, limit: rowsAtOnce })
    const named = rows.map(toSuppression).filter(isNamed)
    if (named.length > 0) yield stringify(named.map((one) => columns.map((name) => guardCell(one[name] ?? ''))))
    const last = rows.at(-1)
    if (last === undefined || rows.length < rowsAtOnce) return
    after = last.id
  }
}

function isNamed({ email, domain, sha256 }: Suppression): boolean {
  return email !== null || domain !== null || sha256 !== null
}
