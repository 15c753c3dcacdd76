import type { SpreadsheetEncoding } from '@overture/contract/campaigns/imports.ts'
import { anyOf } from './patterns.ts'
import { detectCertainEncoding, encodingBytesMax, firstOutsideAscii } from './spreadsheet-encoding.ts'
import { decodeWindows1252 } from './windows-1252.ts'

const delimiters = [',', ';', '\t', '|'] as const

/** UTF-8 sequences of more than one byte, written as single bytes, and any other byte outside ASCII. */
const outsideAscii = anyOf(
  [
    /[\xC2-\xDF][\x80-\xBF]/,
    /\xE0[\xA0-\xBF][\x80-\xBF]/,
    /\xED[\x80-\x9F][\x80-\xBF]/,
    /[\xE1-\xEC\xEE\xEF][\x80-\xBF]{2}/,
    /\xF0[\x90-\xBF][\x80-\xBF]{2}/,
    /[\xF1-\xF3][\x80-\xBF]{3}/,
    /\xF4[\x80-\x8F][\x80-\xBF]{2}/,
    /[\x80-\xFF]/,
  ],
  'g',
)

/**
 * Decodes a spreadsheet file in pieces. UTF-16 is recognised by its byte order mark, Cyrillic and Greek encodings by their letters.
 * Otherwise the text is UTF-8, and each byte that can't be UTF-8 is read as Windows-1252, which Excel writes in most of Europe,
 * so that a name never becomes "Jos\uFFFD". A named encoding is used for all bytes.
 */
export class SpreadsheetText {
  #kept: Uint8Array = new Uint8Array(0)
  #utf16: InstanceType<typeof TextDecoder> | null = null
  #begun = false
  readonly #named: SpreadsheetEncoding | null
  #decoder: InstanceType<typeof TextDecoder> | null
  /** Pieces from the first byte outside ASCII on, kept until they decide about the encoding. */
  #undecided: Uint8Array[] | null = []
  #missingBytes = 0

  constructor(named: SpreadsheetEncoding | null = null) {
    this.#named = named
    // Two encodings are not decoded here: the byte order mark of UTF-16 is needed, and Node.js reads Windows-1252 as ISO 8859-1.
    this.#decoder = named === null || named === 'utf-16' || named === 'windows-1252' ? null : new TextDecoder(named)
  }

  /** The text completed by this piece. With `last`, also the rest. */
  read(piece: Uint8Array, last = false): string {
    if (this.#decoder !== null) return this.#decoder.decode(piece, { stream: !last })
    if (this.#named === 'windows-1252') return decodeWindows1252(piece)
    const bytes = joined(this.#kept, piece)
    this.#kept = new Uint8Array(0)
    if (!this.#begun) {
      if (bytes.length < 3 && !last) {
        this.#kept = bytes
        return ''
      }
      this.#begun = true
      this.#utf16 = utf16Decoder(bytes) ?? (this.#named === 'utf-16' ? new TextDecoder('utf-16le') : null)
      if (this.#utf16 === null && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) {
        this.#undecided = null
        return this.read(bytes.subarray(3), last)
      }
    }
    if (this.#utf16 !== null) return this.#utf16.decode(bytes, { stream: !last })
    if (this.#undecided !== null) return this.#decide(this.#undecided, bytes, last)
    return this.#readMixed(bytes, last)
  }

  #decide(held: Uint8Array[], piece: Uint8Array, last: boolean): string {
    if (held.length === 0) {
      const first = firstOutsideAscii(piece)
      if (first === -1) return decode(piece)
      this.#missingBytes = first + encodingBytesMax
    }
    held.push(piece)
    this.#missingBytes -= piece.length
    if (!last && this.#missingBytes > 0) return ''
    this.#undecided = null
    const bytes = Buffer.concat(held)
    const certain = detectCertainEncoding(bytes)
    if (certain === null) return this.#readMixed(bytes, last)
    this.#decoder = new TextDecoder(certain)
    return this.#decoder.decode(bytes, { stream: !last })
  }

  #readMixed(bytes: Uint8Array, last: boolean): string {
    const whole = last ? bytes.length : wholeLength(bytes)
    this.#kept = bytes.slice(whole)
    return decode(bytes.subarray(0, whole))
  }
}

/** The encoding rule for the bytes of a file, which may be cut inside a character at the end. */
export function detectEncoding(bytes: Uint8Array): 'utf-8' | 'utf-16' | 'windows-1252' {
  if (utf16Decoder(bytes) !== null) return 'utf-16'
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(0, wholeLength(bytes)))
    return 'utf-8'
  } catch {
    return 'windows-1252'
  }
}

function utf16Decoder(bytes: Uint8Array): InstanceType<typeof TextDecoder> | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le')
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be')
  return null
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array {
  if (first.length === 0) return second
  const both = new Uint8Array(first.length + second.length)
  both.set(first)
  both.set(second, first.length)
  return both
}

/** The length without an incomplete sequence at the end. At most three bytes are left for the next piece. */
function wholeLength(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0
    if (byte < 0x80) break
    if (byte < 0xc0) continue
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2
    return length > back ? bytes.length - back : bytes.length
  }
  return bytes.length
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    const utf8 = new TextDecoder('utf-8')
    const read = (found: Buffer) => (found.length > 1 ? utf8.decode(found) : decodeWindows1252(found))
    return Buffer.from(bytes)
      .toString('latin1')
      .replace(outsideAscii, (found) => read(Buffer.from(found, 'latin1')))
  }
}

/** Collects the text up to the end of the first line with content. Each piece is searched only once. */
export class FirstRow {
  #pieces: string[] = []
  #begun = false
  length = 0

  /** Whether the row is complete with this piece. */
  isWhole(piece: string): boolean {
    this.#pieces.push(piece)
    this.length += piece.length
    const start = this.#begun ? 0 : piece.search(/\S/)
    if (start === -1) return false
    this.#begun = true
    return /[\r\n]/.test(piece.slice(start))
  }

  get text(): string {
    return this.#pieces.join('')
  }
}

/** The delimiter of the first row, ignoring quoted parts. `rest` is the text without Excel's `sep=` line. */
export function detectDelimiter(head: string): { delimiter: string; rest: string } {
  const named = /^sep=([,;|\t])(?:\r\n?|\n|$)/i.exec(head)
  if (named?.[1] !== undefined) return { delimiter: named[1], rest: head.slice(named[0].length) }
  const counts = new Map<string, number>(delimiters.map((delimiter) => [delimiter, 0]))
  let isQuoted = false
  for (const character of head.trimStart()) {
    if (character === '"') isQuoted = !isQuoted
    if (isQuoted) continue
    if (character === '\r' || character === '\n') break
    const count = counts.get(character)
    if (count !== undefined) counts.set(character, count + 1)
  }
  const most = Math.max(...counts.values())
  return { delimiter: delimiters.find((delimiter) => counts.get(delimiter) === most) ?? ',', rest: head }
}
