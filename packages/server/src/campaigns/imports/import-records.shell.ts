import type { SpreadsheetEncoding } from '@overture/contract/campaigns/imports.ts'
import { invalid } from '@overture/contract/errors.ts'
import { UnreadableCsvError, type CsvRow } from '../../ground/text/csv-text.ts'
import { readCsvRows } from '../../platform/files/csv-records.shell.ts'

/** The rows of a CSV file, as many at a time as a piece of its bytes brings. Refuses what can't be read on. */
export async function* readRecords(
  bytes: AsyncIterable<Uint8Array>,
  encoding: SpreadsheetEncoding | null,
): AsyncGenerator<CsvRow[], void, void> {
  try {
    yield* readCsvRows(bytes, encoding)
  } catch (error) {
    if (!(error instanceof UnreadableCsvError)) throw error
    throw invalid({ path: '', rule: 'csv', message: `Not readable as CSV. ${error.message}` })
  }
}
