import { stringify } from 'csv-stringify/sync'
import { guardCell } from '@overture/ground/text/spreadsheet-cell.ts'
import type { Database } from '../db/database.ts'
import type { Tenant } from '../tenant.ts'
import { errorColumns } from '@overture/ground/text/refused-rows.ts'
import { type ImportRow, listRefusedImportRows } from './imports.sql.ts'

const errorsPage = 1000

/** The first refused rows as they were uploaded, after their number and the reason. Pages are read while the file is sent. */
export async function* errorLines(
  db: Database,
  tenant: Tenant,
  row: Pick<ImportRow, 'id' | 'header'>,
  max = Infinity,
): AsyncGenerator<string> {
  yield stringify([[...errorColumns, ...row.header.map(guardCell)]])
  for (let afterRow = 0, remaining = max; ;) {
    const limit = Math.min(errorsPage, remaining)
    const rows = await listRefusedImportRows(db, tenant, row.id, { afterRow, limit })
    if (rows.length > 0)
      yield stringify(rows.map(({ rowNumber, reason, fields }) => [rowNumber, reason, ...fields.map(guardCell)]))
    const last = rows.at(-1)
    remaining -= rows.length
    if (!last || rows.length < limit || remaining === 0) return
    afterRow = last.rowNumber
  }
}
