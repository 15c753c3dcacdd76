import type { SpreadsheetEncoding } from '@overture/contract/campaigns/imports.ts'
import { invalid } from '@overture/contract/errors.ts'
import { UnreadableCsvError, type CsvRow } from '@overture/ground/text/csv-text.ts'
import { readCsvRows } from '../files/csv-records.shell.ts'

/** The rows of a CSV file, in batches: those that one chunk of bytes completes. Throws if the file can't be read further. */
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
