import { createReadStream } from 'node:fs'
import { CsvError } from 'csv-parse'
import { readTracedRecords, type TracedRecord } from '@overture/server/platform/files/csv-records.shell.ts'
import { CommandError } from '../../output.ts'
import { toRow, type Row } from './moved.ts'

export interface CsvRow {
  /** The line of the file on which the row begins, counted as editors do. */
  line: number
  row: Row
  /** Why the cells may not belong to their columns, or null if they do. */
  fault: string | null
}

export interface CsvReader {
  onBytes(this: void, bytes: number): void
  onTitles?(titles: readonly string[]): Promise<void>
}

/** Reads the rows of a CSV file of any size, one piece of the file at a time. Invalid CSV is reported with its line. */
export async function* readCsv(file: string, reader: CsvReader): AsyncGenerator<CsvRow> {
  const lines = new Lines()
  let titles: string[] | null = null
  try {
    for await (const records of readTracedRecords(readBytes(file, reader.onBytes))) {
      for (const found of records) {
        const line = lines.findFirstLine(found)
        const { record } = found
        if (titles !== null) yield { line, row: toRow(titles, record), fault: findFault(titles, record) }
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

async function* readBytes(file: string, onBytes: CsvReader['onBytes']): AsyncGenerator<Uint8Array> {
  for await (const piece of createReadStream(file) as AsyncIterable<Buffer>) {
    onBytes(piece.length)
    yield piece
  }
}

/** Reports a row with too few or too many cells, since its cells may be under the wrong titles. */
function findFault(titles: readonly string[], cells: readonly string[]): string | null {
  const isWhole = cells.length >= filled(titles) && filled(cells) <= titles.length
  return isWhole ? null : `${cells.length} cells under ${titles.length} titles`
}

function filled(cells: readonly string[]): number {
  return cells.findLastIndex((cell) => cell.trim() !== '') + 1
}

/**
 * Finds the line on which each record begins. The reader reports the line on which a record ends, and counts `\r\n` within quotes as two
 * lines.
 */
class Lines {
  last = 1
  #twice = 0

  findFirstLine({ record, info }: TracedRecord): number {
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
