import { CsvError } from 'csv-parse'
import { invalid } from '@overture/contract/errors.ts'
import { readCsvRecords } from '../../platform/files/csv-records.shell.ts'

/** The records of a CSV file, as many at a time as a piece of its bytes brings. Refuses what is no CSV. */
export async function* readRecords(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string[][], void, void> {
  try {
    yield* readCsvRecords(bytes)
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    throw invalid({ path: '', rule: 'csv', message: `Not readable as CSV: ${error.message}` })
  }
}
