import { invalid } from '@overture/contract/errors.ts'
import { UnreadableCsvError, type CsvRow } from '@overture/ground/text/csv-text.ts'
import { readSpreadsheetRows, type SpreadsheetOptions } from './spreadsheet-rows.shell.ts'
import { UnreadableWorkbookError } from '../files/workbook-xml.ts'

/** The rows of a file, in batches: those that one chunk of bytes completes. Throws if the file can't be read further. */
export async function* readRecords(
  bytes: AsyncIterable<Uint8Array>,
  options: SpreadsheetOptions,
): AsyncGenerator<CsvRow[], void, void> {
  try {
    yield* readSpreadsheetRows(bytes, options)
  } catch (error) {
    if (error instanceof UnreadableWorkbookError) throw invalid({ path: '', rule: 'workbook', message: error.message })
    if (!(error instanceof UnreadableCsvError)) throw error
    throw invalid({ path: '', rule: 'csv', message: `Not readable as CSV. ${error.message}` })
  }
}
