import { createReadStream } from 'node:fs'
import { CsvError } from 'csv-parse'
import { readTracedRecords, type TracedRecord } from '@overture/server/platform/files/csv-records.shell.ts'
import { CommandError } from '../../output.ts'
import { rowOf, type Row } from './moved.ts'

export interface CsvRow {
  /** Where it begins in the file, as editors count. */
  line: number
  row: Row
  /** Why its cells may not be those of its columns; null: they are. */
  fault: string | null
}

export interface CsvReader {
  onBytes(this: void, bytes: number): void
  onTitles?(titles: readonly string[]): Promise<void>
}

/** The rows of a CSV file, a piece of the file at a time, however large it is. What is no CSV is told with its line. */
export async function* readCsv(file: string, reader: CsvReader): AsyncGenerator<CsvRow> {
  const lines = new Lines()
  let titles: string[] | null = null
  try {
    for await (const records of readTracedRecords(bytesOf(file, reader.onBytes))) {
      for (const found of records) {
        const line = lines.beginOf(found)
        const { record } = found
        if (titles !== null) yield { line, row: rowOf(titles, record), fault: faultOf(titles, record) }
        else {
          titles = record
          await reader.onTitles?.(titles)
        }
      }
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    const line = (error as { lines?: number }).lines ?? lines.last
    throw new CommandError(`${file}:${line}: not readable as CSV: ${error.message}`)
  }
}

async function* bytesOf(file: string, onBytes: CsvReader['onBytes']): AsyncGenerator<Uint8Array> {
  for await (const piece of createReadStream(file) as AsyncIterable<Buffer>) {
    onBytes(piece.length)
    yield piece
  }
}

/** A line that was cut off, or has a separator too many, says something else under each title than was meant. */
function faultOf(titles: readonly string[], cells: readonly string[]): string | null {
  const isWhole = cells.length >= filled(titles) && filled(cells) <= titles.length
  return isWhole ? null : `${cells.length} cells under ${titles.length} titles`
}

function filled(cells: readonly string[]): number {
  return cells.findLastIndex((cell) => cell.trim() !== '') + 1
}

/** In which line records begin: the reader says in which they end, and takes `\r\n` within quotes for two. */
class Lines {
  last = 1
  #twice = 0

  beginOf({ record, info }: TracedRecord): number {
    this.last = info.lines - this.#twice
    for (const cell of record) {
      if (!/[\r\n]/.test(cell)) continue
      const breaks = cell.match(/\r\n|\r|\n/g)!
      this.#twice += breaks.filter((one) => one === '\r\n').length
      this.last -= cell.match(/[\r\n]/g)!.length
    }
    return this.last
  }
}
