import { parse, type Info, type Parser } from 'csv-parse'
import { delimiterOf, FirstRow, SpreadsheetText } from '../../ground/text/spreadsheet-text.ts'

const recordBytesMax = 1_000_000

/** A record, and what the reader knew of the file when it ended. */
export interface TracedRecord {
  record: string[]
  info: Info
}

/** The records of a CSV file, as many at a time as a piece of its bytes brings; a `CsvError` tells what is no CSV. */
export function readCsvRecords(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string[][], void, void> {
  return readPieces<string[]>(bytes, false)
}

/** The same with what says in which line a record ends. */
export function readTracedRecords(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<TracedRecord[], void, void> {
  return readPieces<TracedRecord>(bytes, true)
}

async function* readPieces<Found>(
  bytes: AsyncIterable<Uint8Array>,
  info: boolean,
): AsyncGenerator<Found[], void, void> {
  const text = new SpreadsheetText()
  const first = new FirstRow()
  let records: Records<Found> | null = null
  for await (const piece of bytes) {
    const read = text.read(piece)
    if (records !== null) yield await records.read(read)
    else if (first.isWhole(read) || first.length >= recordBytesMax) {
      const { delimiter, rest } = begun(first.text)
      records = openRecords<Found>(delimiter, info)
      yield await records.read(rest)
    } else yield []
  }
  const last = text.read(new Uint8Array(0), true)
  if (records !== null) return yield await records.readLast(last)
  first.isWhole(last)
  const { delimiter, rest } = begun(first.text)
  yield await openRecords<Found>(delimiter, info).readLast(rest)
}

/** In place of the line that names the delimiter stands an empty one: lines are counted as the file has them. */
function begun(head: string): { delimiter: string; rest: string } {
  const { delimiter, rest } = delimiterOf(head)
  return { delimiter, rest: rest.length < head.length ? `\n${rest}` : rest }
}

interface Records<Found> {
  read(text: string): Promise<Found[]>
  readLast(text: string): Promise<Found[]>
}

function openRecords<Found>(delimiter: string, info: boolean): Records<Found> {
  const parser: Parser = parse({
    delimiter,
    info,
    // Files that were put together from others end their lines in several ways.
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: recordBytesMax,
  })
  let found: Found[] = []
  parser.on('data', (record: Found) => found.push(record))
  // Told by the call that meets it; without a listener it would end the process.
  parser.on('error', () => undefined)
  const take = (): Found[] => {
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
