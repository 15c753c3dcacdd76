import { isUtf8 } from 'node:buffer'
import { decodeCharset } from '../charsets/decode-charset.ts'
import { decodeWords } from './mime-decode.ts'
import { mimeLimits, SetAside } from './mime-limits.ts'

const commentDepthMax = 10

export interface Header {
  /** In lower case. */
  name: string
  /** As written in the message. */
  writtenName: string
  /** Unfolded; encoded words are not decoded yet. */
  value: string
}

export interface MailAddress {
  name: string | null
  address: string
}

/** Reads the header block at the start of a text. The body begins after the first empty line. */
export function readHeaders(text: string): { headers: Header[]; bodyStart: number } {
  const headers: Header[] = []
  let at = /^(?:[ \t]{0,5000}\n){0,100}/.exec(text)![0].length
  const first = at
  while (at < text.length) {
    if (at - first > mimeLimits.headerBytes || headers.length > mimeLimits.headerCount)
      throw new SetAside('header_too_large')
    let end = text.indexOf('\n', at)
    if (end === -1) end = text.length
    if (end - at > mimeLimits.headerBytes) throw new SetAside('header_too_large')
    const line = text.slice(at, end)
    if (line.trim() === '') return { headers, bodyStart: Math.min(text.length, end + 1) }
    const last = headers.at(-1)
    const field = /^([!-9;-~]{1,200})[ \t]{0,10}:/.exec(line)
    if ((line[0] === ' ' || line[0] === '\t') && last !== undefined) last.value += line
    else if (field !== null && !/^>?From /.test(line))
      headers.push({ name: field[1]!.toLowerCase(), writtenName: field[1]!, value: line.slice(field[0].length).trim() })
    // A line that can't be a header begins the body of a message whose empty line is missing.
    else if (!/^>?From /.test(line)) return { headers, bodyStart: at }
    at = end + 1
  }
  return { headers, bodyStart: text.length }
}

/** Reads `value; name=value` with quotes, comments and RFC 2231 continuations. Names and the value are in lower case. */
export function readParameters(header: string): { value: string; parameters: Map<string, string> } {
  const [value = '', ...rest] = splitOutsideQuotes(header.slice(0, 10_000), ';')
  const parameters = new Map<string, string>()
  const pieces = new Map<string, ParameterPiece[]>()
  for (const piece of rest.slice(0, 100)) {
    const equals = piece.indexOf('=')
    if (equals === -1) continue
    const name = piece.slice(0, equals).trim().toLowerCase()
    const content = unquote(piece.slice(equals + 1).trim())
    const continued = /^([^*]{1,60})\*(?:(\d{1,2})(\*?))?$/.exec(name)
    if (continued === null) {
      if (!parameters.has(name)) parameters.set(name, content)
      continue
    }
    const list = pieces.get(continued[1]!) ?? []
    list[Number(continued[2] ?? 0)] = { content, isExtended: continued[3] !== '' }
    pieces.set(continued[1]!, list)
  }
  for (const [name, list] of pieces) parameters.set(name, joinPieces(list))
  return { value: withoutComments(value).trim().toLowerCase(), parameters }
}

/** The addresses of a header such as `To`, without the groups around them. Their number is bounded. */
export function readAddresses(header: string | undefined, bodyCharset?: string): MailAddress[] {
  if (header === undefined) return []
  const found: MailAddress[] = []
  for (const piece of splitOutsideQuotes(header, ',;')) {
    const address = readAddress(piece, bodyCharset)
    if (address !== null) found.push(address)
    if (found.length > mimeLimits.addresses) throw new SetAside('too_many_addresses')
  }
  return found
}

function readAddress(piece: string, bodyCharset: string | undefined): MailAddress | null {
  const open = piece.lastIndexOf('<')
  const close = piece.indexOf('>', open)
  if (open !== -1) {
    const address = decodeUtf8(piece.slice(open + 1, close === -1 ? undefined : close)).trim()
    if (!address.includes('@')) return null
    const name = decodeWords(unquote(withoutGroup(piece.slice(0, open)).trim()), bodyCharset).trim()
    return { name: name === '' ? null : name, address }
  }
  const comment = /\(([^()]{0,200})\)/.exec(piece)?.[1]
  const bare = withoutGroup(withoutComments(decodeUtf8(piece))).trim()
  const address = /^"[^"\n]{1,64}"@\S+$/.test(bare) ? bare : /[^\s"<>,;:()]{1,200}@[^\s"<>,;:()]{1,255}/.exec(bare)?.[0]
  return address === undefined
    ? null
    : { name: comment === undefined ? null : decodeWords(comment, bodyCharset), address }
}

/** Decodes an address with letters outside of ASCII (RFC 6532). The header has one character per byte. */
function decodeUtf8(text: string): string {
  if (!/[\u0080-\u00ff]/.test(text) || /[\u0100-\uffff]/.test(text)) return text
  const bytes = Buffer.from(text, 'latin1')
  return isUtf8(bytes) ? bytes.toString('utf8') : text
}

function withoutGroup(text: string): string {
  const colon = text.indexOf(':')
  return colon === -1 || text.slice(0, colon).includes('"') ? text : text.slice(colon + 1)
}

/** Replaces comments with spaces, the innermost first, because they nest (RFC 5322). Comments nested deeper than in real mail stay. */
function withoutComments(text: string): string {
  let bare = text
  for (let depth = 0; depth < commentDepthMax && bare.includes('('); depth++)
    bare = bare.replace(/\([^()]{0,500}\)/g, ' ')
  return bare
}

function unquote(text: string): string {
  const quoted = /^"((?:[^"\\]|\\.)*)"?/s.exec(text)
  return quoted === null ? text : quoted[1]!.replace(/\\(.)/gs, '$1')
}

/**
 * Splits at separators outside of quotes and angle brackets. Within quotes a backslash escapes the next character. An unclosed
 * quote or bracket contains everything after it.
 */
function splitOutsideQuotes(text: string, separators: string): string[] {
  const pieces: string[] = []
  let quoted = false
  let start = 0
  let angle = false
  for (let at = 0; at < text.length; at++) {
    const character = text[at]!
    if (character === '\\' && quoted) at++
    else if (character === '"') quoted = !quoted
    else if (!quoted && character === '<') angle = true
    else if (!quoted && character === '>') angle = false
    else if (!quoted && !angle && separators.includes(character)) {
      pieces.push(text.slice(start, at))
      start = at + 1
      if (pieces.length > mimeLimits.addresses * 2) throw new SetAside('too_many_addresses')
    }
  }
  pieces.push(text.slice(start))
  return pieces
}

interface ParameterPiece {
  content: string
  /** Whether the name ends in `*`: the content is percent-encoded, and the first piece begins with its charset. */
  isExtended: boolean
}

// Some programs percent-encode every piece and mark only the first one.
function joinPieces(list: readonly ParameterPiece[]): string {
  const text = list.map((piece) => piece?.content ?? '').join('')
  return list[0]?.isExtended === false ? text : decodeExtended(text)
}

function decodeExtended(text: string): string {
  const parts = /^([\w.:-]{0,40})'[^']{0,40}'(.*)$/s.exec(text)
  const encoded = parts?.[2] ?? text
  const bytes = Buffer.from(
    encoded.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  )
  return decodeCharset(bytes, parts?.[1])
}
