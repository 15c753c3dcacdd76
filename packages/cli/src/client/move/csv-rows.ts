import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { CsvError, parse, type Info } from 'csv-parse'
import { CommandError } from '../../output.ts'
import { rowOf, type Row } from './moved.ts'

const recordBytesMax = 1_000_000
const titlesBytesMax = 64 * 1024

export interface CsvRow {
  /** Where it begins in the file, as editors count. */
  line: number
  row: Row
}

/** The rows of a CSV file, one at a time, however large it is. What is no CSV is told with its line. */
export async function* readCsv(file: string, onBytes: (bytes: number) => void): AsyncGenerator<CsvRow> {
  const parser = parse({
    bom: true,
    info: true,
    delimiter: await delimiterOf(file),
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: recordBytesMax,
  })
  const bytes = createReadStream(file)
  bytes.on('data', (chunk) => onBytes(chunk.length))
  bytes.on('error', (error) => parser.destroy(error))
  bytes.pipe(parser)
  let titles: string[] | null = null
  let line = 1
  try {
    for await (const { record, info } of parser as AsyncIterable<{ record: string[]; info: Info }>) {
      if (titles === null) titles = record
      else yield { line: line + 1, row: rowOf(titles, record) }
      line = info.lines
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    throw new CommandError(
      `${file}:${(error as { lines?: number }).lines ?? line}: not readable as CSV: ${error.message}`,
    )
  } finally {
    bytes.destroy()
  }
}

/** Spreadsheets of some countries write semicolons; what separates the titles separates the rest. */
async function delimiterOf(file: string): Promise<string> {
  const handle = await open(file)
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(titlesBytesMax), 0, titlesBytesMax, 0)
    const [titles = ''] = buffer
      .subarray(0, bytesRead)
      .toString('utf8')
      .replaceAll(/"[^"]*"/g, '')
      .split(/\r?\n/)
    const counts = [',', ';', '\t'].map((delimiter) => ({ delimiter, count: titles.split(delimiter).length }))
    return counts.toSorted((one, other) => other.count - one.count)[0]!.delimiter
  } finally {
    await handle.close()
  }
}
