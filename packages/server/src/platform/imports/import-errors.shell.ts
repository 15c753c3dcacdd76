import { stringify } from 'csv-stringify/sync'
import { guardCell } from '@overture/ground/text/spreadsheet-cell.ts'
import type { Database } from '../db/database.ts'
import type { Tenant } from '../tenant.ts'
import { errorColumns, isErrorFile } from '@overture/ground/text/refused-rows.ts'
import { type ImportRow, listRefusedImportRows } from './imports.sql.ts'

const pageRowsMax = 1000
/** A page has one row more than this many characters. A row may have a million of them. */
const pageCharactersMax = 1_000_000

/** The first refused rows as they were uploaded, after their number and the reason. Pages are read while the file is sent. */
export async function* errorLines(
  db: Database,
  tenant: Tenant,
  row: Pick<ImportRow, 'id' | 'header'>,
  max = Infinity,
): AsyncGenerator<string> {
  // A file of refused rows that was uploaded again has these columns already.
  const begin = isErrorFile(row.header) ? errorColumns.length : 0
  yield stringify([[...errorColumns, ...row.header.slice(begin).map(guardCell)]])
  let [afterRow, rowsMax] = [0, pageRowsMax]
  for (let remaining = max; remaining > 0;) {
    const page = { afterRow, limit: Math.min(rowsMax, remaining), charactersMax: pageCharactersMax }
    const rows = await listRefusedImportRows(db, tenant, row.id, page)
    const last = rows.at(-1)
    if (last === undefined) return
    yield stringify(
      rows.map(({ rowNumber, reason, fields }) => [rowNumber, reason, ...fields.slice(begin).map(guardCell)]),
    )
    remaining -= rows.length
    afterRow = last.rowNumber
    // The database reads as many rows as the limit. A low limit after long rows keeps it from reading the same rows many times.
    rowsMax = Math.min(pageRowsMax, rows.length * 2)
  }
}
