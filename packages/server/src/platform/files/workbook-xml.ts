import { SaxesParser } from 'saxes'

/** The workbook can't be read. The message is for the person who sent it. */
export class UnreadableWorkbookError extends Error {
  override readonly name = 'UnreadableWorkbookError'
}

export const mebibyte = 1024 * 1024
const depthMax = 64
const attributesMax = 100
/** A tag up to this length is kept without counting its attributes, which would cost time for each cell. */
const uncountedTagCharsMax = 4 * 1024
const tagKibibytesMax = 256
/** It must be longer than a row may be, so that only the row of a long text is rejected. */
const pendingMebibytesMax = 2

export interface Attributes {
  readonly [name: string]: string | undefined
}

/** Takes the elements of a part. */
export interface ElementHandlers {
  /** The size of the part. */
  readonly bytesMax: number
  /** Whether the rest of the part contains nothing to read. */
  isDone?(): boolean
  open?(name: string, attributes: Attributes): void
  text?(text: string): void
  close?(name: string): void
  /** Called after each piece with its size. */
  advance?(bytes: number): void
}

/** Takes the next piece of a part. The time of a call grows with the piece, so large pieces would block the event loop. */
export type TakePiece = (piece: Uint8Array, isLast: boolean) => void

/** Reads a part of a workbook piece by piece. Prefixes of names are left out, since programs choose them freely. */
export function readXml(handlers: ElementHandlers): TakePiece {
  const decoder = new TextDecoder()
  const limits = new PartLimits(handlers.bytesMax)
  const parser = openParser(handlers, limits)
  return (piece, isLast) => {
    limits.addBytes(piece.length)
    if (handlers.isDone?.() === true) return
    const text = decoder.decode(piece, { stream: !isLast })
    parser.write(text)
    limits.endPiece(text.length)
    handlers.advance?.(piece.length)
    if (isLast && handlers.isDone?.() !== true) parser.close()
  }
}

/**
 * The parser gets as few handlers as possible. With eight of them V8 stores its fields in a hash table, and it is four times slower.
 */
function openParser(handlers: ElementHandlers, limits: PartLimits): SaxesParser {
  const parser = new SaxesParser()
  const onText = (text: string) => {
    limits.mark(parser.position)
    handlers.text?.(text)
  }
  parser.on('doctype', () => {
    throw new UnreadableWorkbookError('The workbook declares a document type, which spreadsheets never do.')
  })
  parser.on('error', () => {
    throw new UnreadableWorkbookError('The workbook is damaged. Save it again in a spreadsheet program.')
  })
  parser.on('opentag', ({ name, attributes }) => {
    limits.open(parser.position, attributes)
    handlers.open?.(localName(name), attributes)
  })
  parser.on('closetag', ({ name }) => {
    limits.close(parser.position)
    handlers.close?.(localName(name))
  })
  parser.on('text', onText)
  parser.on('cdata', onText)
  return parser
}

/** Bounds what the parser keeps in memory, because it has no limits of its own: the open elements, and text until its end. */
class PartLimits {
  readonly #bytesMax: number
  #bytes = 0
  #chars = 0
  #depth = 0
  #marked = 0

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax
  }

  addBytes(bytes: number): void {
    this.#bytes += bytes
    if (this.#bytes > this.#bytesMax) throw tooLargeWorkbook()
  }

  /** A text or a tag ended at this position, so the parser keeps nothing before it except the open elements. */
  mark(position: number): void {
    this.#marked = position
  }

  endPiece(chars: number): void {
    this.#chars += chars
    if (this.#chars - this.#marked <= pendingMebibytesMax * mebibyte) return
    throw excessive(`more than ${pendingMebibytesMax} MiB of text or comments without an element`)
  }

  open(position: number, attributes: Attributes): void {
    const chars = position - this.#marked
    if (chars > tagKibibytesMax * 1024) throw excessive(`a tag or comments with more than ${tagKibibytesMax} KiB`)
    if (chars > uncountedTagCharsMax && Object.keys(attributes).length > attributesMax)
      throw excessive(`an element with more than ${attributesMax} attributes`)
    if (++this.#depth > depthMax) throw excessive(`elements nested deeper than ${depthMax}`)
    this.#marked = position
  }

  close(position: number): void {
    this.#depth--
    this.#marked = position
  }
}

export function tooLargeWorkbook(): UnreadableWorkbookError {
  return new UnreadableWorkbookError('The workbook is too large. Send it as CSV.')
}

function excessive(what: string): UnreadableWorkbookError {
  return new UnreadableWorkbookError(`The workbook contains ${what}. Save it again in a spreadsheet program.`)
}

export function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1)
}
