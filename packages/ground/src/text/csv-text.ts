/** The largest length of a row. Without a limit, a quote that is never closed would keep the whole file in memory. */
export const rowCharsMax = 1_000_000
export const longRowMessage = `The row is longer than ${rowCharsMax} characters.`

/** One row of a file. If it has a fault, `cells` contains only the source text of its first line. */
export interface CsvRow {
  /** The line of the file in which the row begins, from 1. */
  line: number
  cells: string[]
  fault: CsvFault | null
}

export interface CsvFault {
  /** The column, from 0, and the line in which its value begins. */
  column: number
  line: number
  message: string
}

/** The file can't be read from this place on. */
export class UnreadableCsvError extends Error {
  override readonly name = 'UnreadableCsvError'
  readonly fault: CsvFault

  constructor(fault: CsvFault) {
    super(`Line ${fault.line}, column ${fault.column + 1}: ${fault.message}`)
    this.fault = fault
  }
}

const faultMessages = {
  inside: 'A quote is inside a value. Put the value in quotes, and write each quote inside it twice.',
  behind:
    'Text follows a closing quote, or the quote that opens here is not closed. Write quotes inside a value twice.',
  open: 'The quote that opens here is not closed.',
  long: longRowMessage,
}

type FoundRow =
  | { kind: 'row'; cells: string[]; end: number }
  | { kind: 'fault'; column: number; at: number; message: string }
  | { kind: 'incomplete'; column: number; at: number; isQuoted: boolean }

/**
 * Reads rows from pieces of a CSV file's text. A fault affects only its own row: reading continues after the line in which the
 * faulty value begins. Rows with only blank cells are skipped.
 */
export class CsvText {
  readonly #plain: RegExp
  readonly #space: RegExp
  readonly #delimiter: string
  #text = ''
  #line = 1
  /** An incomplete row is parsed again only when the text has doubled, so that small pieces cost no more than large ones. */
  #readAt = 0

  constructor(delimiter: string) {
    this.#delimiter = delimiter
    const escaped = delimiter === '|' ? '\\|' : delimiter
    this.#plain = new RegExp(`[^${escaped}"\\r\\n]*`, 'y')
    this.#space = delimiter === '\t' ? /[ \u00a0]*/y : /[ \t\u00a0]*/y
  }

  /** The rows completed by this piece. After `UnreadableCsvError` is returned as `error`, nothing more can be read. */
  read(piece: string, isLast = false): { rows: CsvRow[]; error: UnreadableCsvError | null } {
    this.#text += piece
    const rows: CsvRow[] = []
    if (this.#text.length < this.#readAt && !isLast) return { rows, error: null }
    let from = 0
    let error: UnreadableCsvError | null = null
    while (from < this.#text.length && error === null) {
      const found = this.#readRow(from, isLast)
      if (found.kind === 'incomplete') {
        if (isLast || this.#text.length - from > rowCharsMax) error = this.#unreadable(from, found)
        break
      }
      const end = found.kind === 'row' ? found.end : this.#endOfLine(found.at, isLast)
      if (end === null) {
        if (this.#text.length - from > rowCharsMax)
          error = this.#unreadable(from, { column: 0, at: from, isQuoted: false })
        break
      }
      if (end - from > rowCharsMax) error = this.#unreadable(from, { column: 0, at: from, isQuoted: false })
      else this.#take({ found, from, end }, rows)
      from = end
    }
    this.#text = this.#text.slice(from)
    this.#readAt = Math.min(this.#text.length * 2, rowCharsMax + 1)
    return { rows, error }
  }

  #take({ found, from, end }: { found: FoundRow; from: number; end: number }, rows: CsvRow[]): void {
    const line = this.#line
    const source = this.#text.slice(from, end)
    this.#line += lineEndsIn(source)
    if (found.kind === 'row') {
      if (found.cells.some((cell) => cell.trim() !== '')) rows.push({ line, cells: found.cells, fault: null })
    } else if (found.kind === 'fault') {
      const faultLine = line + lineEndsIn(this.#text.slice(from, found.at))
      const fault = { column: found.column, line: faultLine, message: found.message }
      rows.push({ line, cells: [source.replace(/[\r\n]+$/, '')], fault })
    }
  }

  #unreadable(from: number, { column, at, isQuoted }: { column: number; at: number; isQuoted: boolean }) {
    const line = this.#line + lineEndsIn(this.#text.slice(from, at))
    return new UnreadableCsvError({ column, line, message: isQuoted ? faultMessages.open : faultMessages.long })
  }

  #readRow(from: number, isLast: boolean): FoundRow {
    const text = this.#text
    const cells: string[] = []
    for (let at = from; ;) {
      const start = at
      const quote = this.#skip(this.#space, at)
      if (text[quote] === '"') {
        const quoted = readQuoted(text, quote + 1, isLast)
        if (quoted === null) return { kind: 'incomplete', column: cells.length, at: quote, isQuoted: true }
        at = this.#skip(this.#space, quoted.end)
        if (at < text.length && text[at] !== this.#delimiter && !isLineEnd(text[at]))
          return { kind: 'fault', column: cells.length, at: quote, message: faultMessages.behind }
        cells.push(quoted.value)
      } else {
        at = this.#skip(this.#plain, at)
        if (text[at] === '"') return { kind: 'fault', column: cells.length, at: start, message: faultMessages.inside }
        cells.push(text.slice(start, at))
      }
      if (at < text.length && text[at] === this.#delimiter) {
        at += 1
        continue
      }
      const end = this.#endOfLine(at, isLast)
      if (end === null) return { kind: 'incomplete', column: cells.length - 1, at: start, isQuoted: false }
      return { kind: 'row', cells, end }
    }
  }

  #skip(pattern: RegExp, at: number): number {
    pattern.lastIndex = at
    pattern.exec(this.#text)
    return pattern.lastIndex
  }

  /** The position after the next line end; null if the line end may be incomplete. */
  #endOfLine(at: number, isLast: boolean): number | null {
    lineEnd.lastIndex = at
    const found = lineEnd.exec(this.#text)
    if (found === null) return isLast ? this.#text.length : null
    const end = found.index + found[0].length
    return found[0] === '\r' && end === this.#text.length && !isLast ? null : end
  }
}

const lineEnd = /\r\n|\n|\r/g

function isLineEnd(character: string | undefined): boolean {
  return character === '\n' || character === '\r'
}

function lineEndsIn(text: string): number {
  return text.match(lineEnd)?.length ?? 0
}

/** The value of a quote that opens before `from`; null if it is not closed yet. */
function readQuoted(text: string, from: number, isLast: boolean): { value: string; end: number } | null {
  let value = ''
  for (let at = from; ;) {
    const close = text.indexOf('"', at)
    if (close === -1 || (close + 1 === text.length && !isLast)) return null
    value += text.slice(at, close)
    if (text[close + 1] !== '"') return { value, end: close + 1 }
    value += '"'
    at = close + 2
  }
}
