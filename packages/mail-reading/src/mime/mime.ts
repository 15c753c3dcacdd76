import { isUtf8 } from 'node:buffer'
import { readHeaders, readParameters } from './mime-headers.ts'
import type { Header } from './mime-headers.ts'
import { decodeCharset, saysNoCharset } from '../charsets/decode-charset.ts'
import { decodeTextTransfer, decodeTransfer } from './mime-decode.ts'
import { mimeLimits, SetAside } from './mime-limits.ts'
import type { SetAsideReason } from './mime-limits.ts'

export interface MimePart {
  headers: Header[]
  /** Lower case `type/subtype`. */
  type: string
  parameters: ReadonlyMap<string, string>
  attachment: boolean
  /** One character per byte, with line ends as `\n`. The transfer encoding is not decoded yet. */
  body: string
  parts: MimePart[]
}

type MimeResult =
  | { outcome: 'read'; root: MimePart; truncated: boolean }
  | { outcome: 'set_aside'; reason: SetAsideReason }

/**
 * Reads a raw message of any bytes into a tree, in linear time. A message beyond the limits is set aside with a reason. Line
 * ends of every kind (CRLF, LF, bare CR, CRLF encoded twice) are normalized.
 */
export function parseMime(raw: Uint8Array): MimeResult {
  const truncated = raw.byteLength > mimeLimits.totalBytes
  const bytes = Buffer.from(raw.buffer, raw.byteOffset, Math.min(raw.byteLength, mimeLimits.totalBytes))
  const text = mendLineEnds(bytes.toString('latin1'))
  if (text.trim() === '') return { outcome: 'set_aside', reason: 'empty' }
  const count = { parts: 0 }
  try {
    return { outcome: 'read', root: parsePart(text, { depth: 0, count, fallbackType: 'text/plain' }), truncated }
  } catch (error) {
    if (error instanceof SetAside) return { outcome: 'set_aside', reason: error.reason }
    throw error
  }
}

/** Decodes the body of a text part by its charset. */
export function decodeText(part: MimePart): string {
  const body = part.body.length > mimeLimits.textBytes ? part.body.slice(0, mimeLimits.textBytes) : part.body
  const bytes = decodeTextTransfer(body, findHeader(part, 'content-transfer-encoding'))
  const charset = part.parameters.get('charset')
  const inMarkup = part.type === 'text/html' && saysNoCharset(charset) ? metaCharset(bytes) : undefined
  return mendLineEnds(decodeCharset(bytes, inMarkup ?? charset))
}

const metaBytesMax = 4_096

/** The charset that the HTML names, for bytes that are not UTF-8. */
function metaCharset(bytes: Uint8Array): string | undefined {
  if (isUtf8(bytes)) return undefined
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, metaBytesMax)).toString('latin1')
  const shown = start.replaceAll(/<!--[^]*?(?:-->|$)/g, '')
  const name = (
    /<meta[^>]{0,200}?charset\s{0,5}=\s{0,5}["']?([\w.:-]{2,40})/i.exec(shown) ??
    /^\s{0,20}<\?xml[^>]{0,100}?encoding\s{0,5}=\s{0,5}["']([\w.:-]{2,40})/i.exec(shown)
  )?.[1]
  return name === undefined || /^utf-?(?:8|16)/i.test(name) ? undefined : name
}

export function findHeader(part: Pick<MimePart, 'headers'>, name: string): string | undefined {
  return part.headers.find((header) => header.name === name)?.value
}

/** The part and everything below it, in order. Parts of enclosed messages are included only with `intoMessages`. */
export function* walkParts(part: MimePart, intoMessages = false): Generator<MimePart> {
  yield part
  if (part.type === 'message/rfc822' && !intoMessages) return
  for (const child of part.parts) yield* walkParts(child, intoMessages)
}

interface Place {
  depth: number
  count: { parts: number }
  fallbackType: string
}

function parsePart(text: string, place: Place): MimePart {
  if (place.depth > mimeLimits.depth) throw new SetAside('too_deep')
  if (++place.count.parts > mimeLimits.parts) throw new SetAside('too_many_parts')
  const { headers, bodyStart } = readHeaders(text)
  const header = (name: string) => headers.find((one) => one.name === name)?.value
  const { value, parameters } = readParameters(header('content-type') ?? '')
  const type = /^[\w.+-]+\/[\w.+-]+$/.test(value) ? value : place.fallbackType
  const part: MimePart = {
    headers,
    type,
    parameters,
    attachment: /^\s*attachment/i.test(header('content-disposition') ?? ''),
    body: text.slice(bodyStart),
    parts: [],
  }
  part.parts = readChildren(part, place)
  return part
}

function readChildren(part: MimePart, place: Place): MimePart[] {
  const inner = { depth: place.depth + 1, count: place.count }
  if (part.type.startsWith('multipart/')) {
    const fallbackType = part.type === 'multipart/digest' ? 'message/rfc822' : 'text/plain'
    const bodies = splitMultipart(part.body, part.parameters.get('boundary') ?? guessBoundary(part.body))
    if (bodies.length === 0) return [plainChild(part)]
    return bodies.map((body) => parsePart(body, { ...inner, fallbackType }))
  }
  if (isMessage(part)) {
    const body = embeddedMessage(part)
    return body.trim() === '' ? [] : [parsePart(body, { ...inner, fallbackType: 'text/plain' })]
  }
  return []
}

function isMessage(part: MimePart): boolean {
  return part.type === 'message/rfc822' || part.type === 'message/global'
}

function embeddedMessage(part: MimePart): string {
  const encoding = findHeader(part, 'content-transfer-encoding')
  if (encoding === undefined || !/base64|quoted-printable/i.test(encoding)) return part.body
  return mendLineEnds(Buffer.from(decodeTransfer(part.body, encoding)).toString('latin1'))
}

// A multipart without a usable boundary still shows its text.
function plainChild(part: MimePart): MimePart {
  return { headers: [], type: 'text/plain', parameters: new Map(), attachment: false, body: part.body, parts: [] }
}

function guessBoundary(body: string): string | undefined {
  return /(?:^|\n)--([^\s-][^\n]{0,80}|-{1,20}[^\s-][^\n]{0,80})\n[Cc]ontent-/
    .exec(body.slice(0, 20_000))?.[1]
    ?.trimEnd()
}

function splitMultipart(body: string, boundary: string | undefined): string[] {
  if (boundary === undefined || boundary === '') return []
  const parts: string[] = []
  const marker = `--${boundary}`
  let start = -1
  let at = body.startsWith(marker) ? 0 : next(body, marker, 0)
  while (at !== -1) {
    const lineEnd = body.indexOf('\n', at)
    const rest = body.slice(at + marker.length, lineEnd === -1 ? undefined : lineEnd).trim()
    const closes = rest.startsWith('--')
    // A longer boundary that begins like this one belongs to a nested part.
    if (rest !== '' && !closes) {
      at = next(body, marker, at + 1)
      continue
    }
    if (start !== -1) parts.push(body.slice(start, Math.max(start, at - 1)))
    if (parts.length > mimeLimits.parts) throw new SetAside('too_many_parts')
    start = closes || lineEnd === -1 ? -1 : lineEnd + 1
    if (closes || lineEnd === -1) break
    at = next(body, marker, lineEnd)
  }
  if (start !== -1) parts.push(body.slice(start))
  return parts
}

function next(body: string, marker: string, from: number): number {
  const found = body.indexOf(`\n${marker}`, from)
  return found === -1 ? -1 : found + 1
}

function mendLineEnds(text: string): string {
  return text.includes('\r') ? text.replace(/\r{0,2}\n|\r/g, '\n') : text
}
