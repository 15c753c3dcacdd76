import { SaxesParser } from 'saxes'
import { importColumnsMax } from '@overture/contract/campaigns/imports.ts'
import type { CsvRow } from '@overture/ground/text/csv-text.ts'
import { dayMs } from '@overture/ground/time/spans.ts'

/** The workbook can't be read. The message is for the person who sent it. */
export class UnreadableWorkbookError extends Error {
  override readonly name = 'UnreadableWorkbookError'
}

const sharedCharsMax = 50_000_000
const rowCharsMax = 1_000_000
const sheetsMax = 1_000
const stylesMax = 65_000

interface Attributes {
  readonly [name: string]: string | undefined
}

export interface ElementHandlers {
  open?(name: string, attributes: Attributes): void
  text?(text: string): void
  close?(name: string): void
}

/** Reads a part of a workbook piece by piece. Prefixes of names are left out, since programs choose them freely. */
export function readXml(handlers: ElementHandlers): (piece: Uint8Array, isLast: boolean) => void {
  const decoder = new TextDecoder()
  const parser = new SaxesParser()
  parser.on('doctype', () => {
    throw new UnreadableWorkbookError('The workbook declares a document type, which spreadsheets never do.')
  })
  parser.on('error', () => {
    throw new UnreadableWorkbookError('The workbook is damaged. Save it again in a spreadsheet program.')
  })
  parser.on('opentag', ({ name, attributes }) => handlers.open?.(localName(name), attributes))
  parser.on('text', (text) => handlers.text?.(text))
  parser.on('cdata', (text) => handlers.text?.(text))
  parser.on('closetag', ({ name }) => handlers.close?.(localName(name)))
  return (piece, isLast) => {
    parser.write(decoder.decode(piece, { stream: !isLast }))
    if (isLast) parser.close()
  }
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1)
}

interface Sheet {
  name: string
  relation: string
  isHidden: boolean
}

/** Reads `xl/workbook.xml`: the sheets in their order, and whether dates are counted from 1904. */
export class WorkbookPart implements ElementHandlers {
  readonly sheets: Sheet[] = []
  countsFrom1904 = false

  open(name: string, attributes: Attributes): void {
    if (name === 'workbookPr') this.countsFrom1904 = ['1', 'true'].includes(attributes['date1904'] ?? '')
    if (name !== 'sheet') return
    if (this.sheets.length === sheetsMax)
      throw new UnreadableWorkbookError(`The workbook has more than ${sheetsMax} sheets.`)
    const relation = Object.entries(attributes).find(([key]) => localName(key) === 'id')?.[1] ?? ''
    const isHidden = ['hidden', 'veryHidden'].includes(attributes['state'] ?? '')
    this.sheets.push({ name: attributes['name'] ?? '', relation, isHidden })
  }
}

/** Reads `xl/_rels/workbook.xml.rels`: the path of each part by its relation. */
export class RelationsPart implements ElementHandlers {
  readonly paths = new Map<string, string>()

  open(name: string, { Id: id, Target: target }: Attributes): void {
    if (name !== 'Relationship' || id === undefined || target === undefined || this.paths.size === sheetsMax * 2) return
    this.paths.set(id, target.startsWith('/') ? target.slice(1) : `xl/${target}`)
  }
}

/** Reads `xl/sharedStrings.xml`. Readings of East Asian texts (`rPh`) are not part of a text. */
export class SharedStrings implements ElementHandlers {
  readonly texts: string[] = []
  #text = ''
  #chars = 0
  #inText = false
  #inReading = false

  open(name: string): void {
    if (name === 'si') this.#text = ''
    if (name === 'rPh') this.#inReading = true
    this.#inText = name === 't' && !this.#inReading
  }

  text(text: string): void {
    if (!this.#inText) return
    this.#chars += text.length
    if (this.#chars > sharedCharsMax) throw new UnreadableWorkbookError('The workbook is too large. Send it as CSV.')
    this.#text += text
  }

  close(name: string): void {
    this.#inText = false
    if (name === 'rPh') this.#inReading = false
    if (name === 'si') this.texts.push(this.#text)
  }
}

/** Reads `xl/styles.xml`: the indexes of the cell formats that show dates or times. */
export class Styles implements ElementHandlers {
  readonly dates = new Set<number>()
  readonly #dateFormats = new Set<number>()
  #inFormats = false
  #count = 0

  open(name: string, attributes: Attributes): void {
    const format = Number(attributes['numFmtId'])
    if (name === 'numFmt' && showsDate(attributes['formatCode'] ?? '')) this.#dateFormats.add(format)
    if (name === 'cellXfs') this.#inFormats = true
    if (name !== 'xf' || !this.#inFormats || this.#count === stylesMax) return
    if (isBuiltInDate(format) || this.#dateFormats.has(format)) this.dates.add(this.#count)
    this.#count++
  }

  close(name: string): void {
    if (name === 'cellXfs') this.#inFormats = false
  }
}

/** The built-in formats of dates and times. Source: ECMA-376-1, 18.8.30. */
function isBuiltInDate(format: number): boolean {
  return (format >= 14 && format <= 22) || (format >= 27 && format <= 36) || (format >= 45 && format <= 58)
}

function showsDate(code: string): boolean {
  const shown = code
    .slice(0, 255)
    .replaceAll(/"[^"]*"|\\.|_./g, '')
    .replaceAll(/\[(?!h+\]|m+\]|s+\])[^\]]*\]/gi, '')
  return /[ymdhs]/i.test(shown.replaceAll(/general/gi, ''))
}

interface SheetContext {
  shared: readonly string[]
  dates: ReadonlySet<number>
  countsFrom1904: boolean
}

interface Cell {
  column: number
  type: string
  isDate: boolean
  hasFormula: boolean
  value: string
}

/** Reads the rows of a sheet. Rows without a value are left out, and other rows have as many cells as the first one. */
export class SheetRows implements ElementHandlers {
  readonly #context: SheetContext
  #rows: CsvRow[] = []
  #row: CsvRow = { line: 0, cells: [], fault: null }
  #chars = 0
  #cell: Cell | null = null
  #inValue = false
  #width = 0

  constructor(context: SheetContext) {
    this.#context = context
  }

  /** The rows that were completed since the last call. */
  take(): CsvRow[] {
    const rows = this.#rows
    this.#rows = []
    return rows
  }

  open(name: string, attributes: Attributes): void {
    if (name === 'row') {
      this.#row = { line: positiveOr(attributes['r'], this.#row.line + 1), cells: [], fault: null }
      this.#chars = 0
    }
    if (name === 'c') this.#cell = this.#begunCell(attributes)
    if (name === 'f' && this.#cell !== null) this.#cell.hasFormula = true
    this.#inValue = this.#cell !== null && (name === 'v' || name === 't')
  }

  text(text: string): void {
    if (!this.#inValue || this.#cell === null) return
    this.#chars += text.length
    if (this.#chars <= rowCharsMax) this.#cell.value += text
    else this.#fault(this.#cell.column, `The row is longer than ${rowCharsMax} characters.`)
  }

  close(name: string): void {
    this.#inValue = false
    if (name === 'c' && this.#cell !== null) {
      this.#endCell(this.#cell)
      this.#cell = null
    }
    if (name === 'row') this.#endRow()
  }

  #begunCell({ r, t, s }: Attributes): Cell {
    const column = r === undefined ? this.#row.cells.length : readColumn(r)
    const type = t ?? 'n'
    return { column, type, isDate: this.#context.dates.has(Number(s ?? 0)), hasFormula: false, value: '' }
  }

  #endCell(cell: Cell): void {
    const { column } = cell
    const value = this.#read(cell)
    if (value === '') return
    if (column >= importColumnsMax) return this.#fault(column, `A file has at most ${importColumnsMax} columns.`)
    while (this.#row.cells.length < column) this.#row.cells.push('')
    this.#row.cells[column] = value
  }

  #read({ column, type, value, isDate, hasFormula }: Cell): string {
    if (hasFormula && value === '' && type !== 'str')
      this.#fault(column, 'The formula has no value. Save the file in a spreadsheet program.')
    if (type === 's') return this.#context.shared[Number(value)] ?? ''
    if (type === 'b') return value === '1' ? 'true' : 'false'
    if (type === 'e') this.#fault(column, `The cell has the error ${value.slice(0, 20)}.`)
    if (type !== 'n' || value === '') return value
    const number = Number(value)
    if (!Number.isFinite(number)) return value
    return isDate ? dateText(number, this.#context.countsFrom1904) : numberText(number)
  }

  #fault(column: number, message: string): void {
    this.#row.fault ??= { column, line: this.#row.line, message }
  }

  #endRow(): void {
    const row = this.#row
    if (row.cells.every((cell) => cell.trim() === '') && row.fault === null) return
    if (this.#width === 0) this.#width = row.cells.length
    while (row.cells.length < this.#width) row.cells.push('')
    this.#rows.push(row)
  }
}

function positiveOr(text: string | undefined, otherwise: number): number {
  const number = Number(text)
  return Number.isSafeInteger(number) && number > 0 ? number : otherwise
}

/** The column of a reference such as `AB12`, from 0. */
function readColumn(reference: string): number {
  const letters = /^[A-Z]{1,3}/i.exec(reference)?.[0].toUpperCase() ?? 'A'
  return Array.from(letters).reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1
}

/** A number as a spreadsheet shows it: with 15 digits, without the rounding error of the stored value. */
function numberText(number: number): string {
  return String(Number(number.toPrecision(15)))
}

const epoch1900 = Date.UTC(1899, 11, 30)
const epoch1904 = Date.UTC(1904, 0, 1)
/** Before this day the count is one day off, since it contains 29 February 1900, which did not exist. */
const firstRightDay = 61
const lastDay = 2_958_466

/** A day as `2026-11-29`, a time as `14:30`, or both, in the zone of the file. */
function dateText(days: number, countsFrom1904: boolean): string {
  if (days < 0 || days >= lastDay) return numberText(days)
  const offset = countsFrom1904 || days >= firstRightDay ? 0 : 1
  const minutes = Math.round((days + offset) * 24 * 60)
  const text = new Date((countsFrom1904 ? epoch1904 : epoch1900) + minutes * (dayMs / 24 / 60)).toISOString()
  if (days < 1) return text.slice(11, 16)
  return Number.isInteger(days) ? text.slice(0, 10) : text.slice(0, 16)
}
