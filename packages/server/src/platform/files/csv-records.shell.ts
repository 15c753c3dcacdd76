import { parse, type Info, type Parser } from 'csv-parse'
import type { SpreadsheetEncoding } from '@overture/contract/campaigns/imports.ts'
import { CsvText, type CsvRow } from '@overture/ground/text/csv-text.ts'
import { detectDelimiter, FirstRow, SpreadsheetText } from '@overture/ground/text/spreadsheet-text.ts'

const recordBytesMax = 1_000_000

/** A record with the state of the reader at its end. */
export interface TracedRecord {
  record: string[]
  info: Info
}

/**
 * Yields the rows of a CSV file, grouped as pieces of its bytes arrive. Rows with a fault are included. Throws
 * `UnreadableCsvError` after the last readable row.
 */
export async function* readCsvRows(
  bytes: AsyncIterable<Uint8Array>,
  encoding: SpreadsheetEncoding | null = null,
): AsyncGenerator<CsvRow[], void, void> {
  let csv: CsvText | null = null
  for await (const { text, isLast } of readTexts(bytes, encoding)) {
    const begin: { delimiter: string; rest: string } = csv === null ? begun(text) : { delimiter: '', rest: text }
    csv ??= new CsvText(begin.delimiter)
    const { rows, error } = csv.read(begin.rest, isLast)
    yield rows
    if (error !== null) throw error
  }
}

/** The records of a CSV file with the line of their end. Throws a `CsvError` if the file is not valid CSV. */
export async function* readTracedRecords(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<TracedRecord[], void, void> {
  let records: Records | null = null
  for await (const { text, isLast } of readTexts(bytes, null)) {
    const begin: { delimiter: string; rest: string } = records === null ? begun(text) : { delimiter: '', rest: text }
    records ??= openRecords(begin.delimiter)
    yield isLast ? await records.readLast(begin.rest) : await records.read(begin.rest)
  }
}

/** The text of a file in pieces. The first one contains the whole first row; the last one is marked. */
async function* readTexts(
  bytes: AsyncIterable<Uint8Array>,
  encoding: SpreadsheetEncoding | null,
): AsyncGenerator<{ text: string; isLast: boolean }, void, void> {
  const spreadsheet = new SpreadsheetText(encoding)
  const first = new FirstRow()
  let isBegun = false
  for await (const piece of bytes) {
    const read = spreadsheet.read(piece)
    if (isBegun) yield { text: read, isLast: false }
    else if (first.isWhole(read) || first.length >= recordBytesMax) {
      isBegun = true
      yield { text: first.text, isLast: false }
    }
  }
  const last = spreadsheet.read(new Uint8Array(0), true)
  if (isBegun) return yield { text: last, isLast: true }
  first.isWhole(last)
  yield { text: first.text, isLast: true }
}

/** Replaces the line that names the delimiter by an empty one, so that line numbers match the file. */
function begun(head: string): { delimiter: string; rest: string } {
  const { delimiter, rest } = detectDelimiter(head)
  return { delimiter, rest: rest.length < head.length ? `\n${rest}` : rest }
}

interface Records {
  read(text: string): Promise<TracedRecord[]>
  readLast(text: string): Promise<TracedRecord[]>
}

function openRecords(delimiter: string): Records {
  const parser: Parser = parse({
    delimiter,
    info: true,
    // Files that were combined from others have several kinds of line ends.
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: recordBytesMax,
  })
  let found: TracedRecord[] = []
  parser.on('data', (record: TracedRecord) => found.push(record))
  // The call in progress rejects with the error; without a listener it would end the process.
  parser.on('error', () => undefined)
  const take = (): TracedRecord[] => {
    const taken = found
    found = []
    return taken
  }
  return {
    async read(text) {
      if (text !== '')
        await new Promise<void>((resolve, reject) => parser.write(text, (error) => (error ? reject(error) : resolve())))
      return take()
    },
    async readLast(text) {
      await new Promise<void>((resolve, reject) => parser.once('end', resolve).once('error', reject).end(text))
      return take()
    },
  }
}
