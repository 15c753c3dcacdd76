import { CsvError, parse, type Parser } from 'csv-parse'
import { invalid } from '@overture/contract/errors.ts'
import { delimiterOf, FirstRow, SpreadsheetText } from './import-text.ts'

const recordBytesMax = 1_000_000

/** The records of a CSV file, as many at a time as a piece of its bytes brings. Refuses what is no CSV. */
export async function* readRecords(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string[][], void, void> {
  const text = new SpreadsheetText()
  const first = new FirstRow()
  let records: Records | null = null
  try {
    for await (const piece of bytes) {
      const read = text.read(piece)
      if (records !== null) yield await records.read(read)
      else if (first.isWhole(read) || first.length >= recordBytesMax) {
        const { delimiter, rest } = delimiterOf(first.text)
        records = openRecords(delimiter)
        yield await records.read(rest)
      } else yield []
    }
    const last = text.read(new Uint8Array(0), true)
    if (records !== null) return yield await records.readLast(last)
    first.isWhole(last)
    const { delimiter, rest } = delimiterOf(first.text)
    yield await openRecords(delimiter).readLast(rest)
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    throw invalid({ path: '', rule: 'csv', message: `Not readable as CSV: ${error.message}` })
  }
}

interface Records {
  read(text: string): Promise<string[][]>
  readLast(text: string): Promise<string[][]>
}

function openRecords(delimiter: string): Records {
  const parser: Parser = parse({
    delimiter,
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: recordBytesMax,
  })
  let found: string[][] = []
  parser.on('data', (record: string[]) => found.push(record))
  // Told by the call that meets it; without a listener it would end the process.
  parser.on('error', () => undefined)
  const take = (): string[][] => {
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
