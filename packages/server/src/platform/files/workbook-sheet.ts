import { importColumnsMax } from '@overture/contract/campaigns/imports.ts'
import { longRowMessage, rowCharsMax, type CsvFault, type CsvRow } from '@overture/ground/text/csv-text.ts'
import {
  columnLetters,
  dateText,
  durationText,
  decodeText,
  detachedText,
  isoDateText,
  numberText,
  readColumn,
} from './workbook-values.ts'
import {
  type Attributes,
  type ElementHandlers,
  mebibyte,
  tooLargeWorkbook,
  UnreadableWorkbookError,
} from './workbook-xml.ts'

/** The length of all cells. It is the size of a CSV file, and a workbook with shared texts can be a thousand times as short. */
const cellCharsMax = 256 * mebibyte
const batchCharsMax = 1_000_000
/** Formats of a million empty rows need about 100 MiB. */
const idleMebibytesMax = 128

/** A fault in a sheet. The line is the number of the row. */
interface SheetFault extends CsvFault {
  sheet: string
}

/** The place of a fault in the words of a spreadsheet program. Null for a fault of a CSV file. */
export function placeInSheet(fault: CsvFault | SheetFault): string | null {
  return 'sheet' in fault ? `Sheet “${fault.sheet}”, row ${fault.line}, column ${columnLetters(fault.column)}` : null
}

interface SheetRow extends CsvRow {
  fault: SheetFault | null
}

interface SheetContext {
  /** The name of the sheet. */
  sheet: string
  shared: readonly string[]
  dates: ReadonlySet<number>
  durations: ReadonlySet<number>
  countsFrom1904: boolean
}

interface Cell {
  column: number
  type: string
  style: number
  hasFormula: boolean
  value: string
}

/** Reads the rows of a sheet. Rows without a value are left out, and other rows have as many cells as the first one. */
export class SheetRows implements ElementHandlers {
  /** A million rows with ten shared texts need about 400 MiB. */
  readonly bytesMax = 512 * mebibyte
  readonly #context: SheetContext
  #batches: SheetRow[][] = []
  #batchChars = 0
  #row: SheetRow = { line: 0, cells: [], fault: null }
  #rowChars = 0
  #cellChars = 0
  #idleBytes = 0
  #cell: Cell | null = null
  #inValue = false
  #inReading = false
  #width = 0
  #isDone = false

  constructor(context: SheetContext) {
    this.#context = context
  }

  isDone(): boolean {
    return this.#isDone
  }

  /** The rows that were completed since the last call, in batches. A batch has one row more than `batchCharsMax` at most. */
  take(): CsvRow[][] {
    const batches = this.#batches
    this.#batches = []
    return batches
  }

  advance(bytes: number): void {
    this.#idleBytes += bytes
    if (this.#idleBytes <= idleMebibytesMax * mebibyte) return
    throw new UnreadableWorkbookError(
      `The sheet has more than ${idleMebibytesMax} MiB without a value. Delete its empty rows, or send it as CSV.`,
    )
  }

  open(name: string, attributes: Attributes): void {
    if (name === 'row') {
      this.#row = { line: positiveOr(attributes['r'], this.#row.line + 1), cells: [], fault: null }
      this.#rowChars = 0
    }
    if (name === 'c') this.#cell = this.#begunCell(attributes)
    if (name === 'f' && this.#cell !== null) this.#cell.hasFormula = true
    if (name === 'rPh') this.#inReading = true
    this.#inValue = this.#cell !== null && !this.#inReading && (name === 'v' || name === 't')
  }

  text(text: string): void {
    // The value of a longer cell is rejected at its end.
    if (this.#inValue && this.#cell !== null && this.#cell.value.length <= rowCharsMax) this.#cell.value += text
  }

  close(name: string): void {
    this.#inValue = false
    if (name === 'rPh') this.#inReading = false
    if (name === 'c' && this.#cell !== null) {
      this.#endCell(this.#cell)
      this.#cell = null
    }
    if (name === 'row') this.#endRow()
    // Formats and links follow, which can be larger than the rows.
    if (name === 'sheetData') this.#isDone = true
  }

  #begunCell({ r, t, s }: Attributes): Cell {
    const column = r === undefined ? this.#row.cells.length : readColumn(r)
    const type = t ?? 'n'
    return { column, type, style: Number(s ?? 0), hasFormula: false, value: '' }
  }

  #endCell(cell: Cell): void {
    const { column } = cell
    const value = this.#read(cell)
    if (value === '') return
    if (column >= importColumnsMax) return this.#fault(column, `A file has at most ${importColumnsMax} columns.`)
    this.#rowChars += value.length
    if (this.#rowChars > rowCharsMax) return this.#fault(column, longRowMessage)
    this.#cellChars += value.length
    if (this.#cellChars > cellCharsMax) throw tooLargeWorkbook()
    while (this.#row.cells.length < column) this.#row.cells.push('')
    this.#row.cells[column] = value
  }

  #read({ column, type, value, style, hasFormula }: Cell): string {
    if (hasFormula && value === '' && type !== 'str')
      this.#fault(column, 'The formula has no value. Save the file in a spreadsheet program.')
    if (type === 'e') this.#fault(column, `The cell has the error ${value.slice(0, 20)}.`)
    if (value === '') return ''
    if (type === 's') return this.#sharedText(column, value)
    if (type === 'b') return value === '1' || value === 'true' ? 'true' : 'false'
    if (type === 'd') return detachedText(isoDateText(value))
    if (type !== 'n') return detachedText(decodeText(value))
    const number = Number(value)
    if (!Number.isFinite(number)) return detachedText(value)
    const { dates, durations, countsFrom1904 } = this.#context
    if (durations.has(style)) return durationText(number)
    return dates.has(style) ? dateText(number, countsFrom1904) : numberText(number)
  }

  #sharedText(column: number, index: string): string {
    const text = this.#context.shared[/^\d{1,9}$/.test(index.trim()) ? Number(index) : -1]
    if (text !== undefined) return text
    const found = index.slice(0, 20)
    this.#fault(column, `The cell refers to the text ${found}, which the workbook lacks. Enter the value again.`)
    return ''
  }

  #fault(column: number, message: string): void {
    this.#row.fault ??= { sheet: this.#context.sheet, column, line: this.#row.line, message }
  }

  #endRow(): void {
    const { cells, fault } = this.#row
    const last = cells.findLastIndex((cell) => cell.trim() !== '')
    if (last === -1 && fault === null) return
    if (this.#width === 0) this.#width = cells.length
    if (last >= this.#width) this.#fault(last, untitledMessage(last))
    while (cells.length < this.#width) cells.push('')
    this.#idleBytes = 0
    if (this.#batches.length === 0 || this.#batchChars > batchCharsMax) {
      this.#batches.push([])
      this.#batchChars = 0
    }
    this.#batches.at(-1)!.push(this.#row)
    this.#batchChars += this.#rowChars
  }
}

function untitledMessage(column: number): string {
  return `Column ${columnLetters(column)} has a value and no title. Add a title in the first row, or empty the cell.`
}

function positiveOr(text: string | undefined, otherwise: number): number {
  const number = Number(text)
  return Number.isSafeInteger(number) && number > 0 ? number : otherwise
}
