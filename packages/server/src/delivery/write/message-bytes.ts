import { createHash } from 'node:crypto'

export interface Address {
  email: string
  name: string | null
}

interface Attachment {
  filename: string
  contentType: string
  content: Buffer
}

export interface MimeInput {
  /** Includes the angle brackets. */
  messageId: string
  date: Date
  from: Address
  replyTo: string | null
  to: readonly Address[]
  cc: readonly Address[]
  subject: string
  text: string
  html: string | null
  inReplyTo: string | null
  references: readonly string[]
  /** The List-Unsubscribe headers of RFC 8058; null for a person's own reply. */
  unsubscribe: { url: string; mailto: string } | null
  /** `auto-generated` for notices that no person wrote (RFC 3834). */
  autoSubmitted?: 'auto-generated'
  /** Identifies the message if a server replaced its Message-ID. */
  ref?: string
  /** For Google's feedback loop: up to three of our ids and a constant of the sender. */
  feedbackId?: string
  attachments?: readonly Attachment[]
}

const lineLengthMax = 76
const encodedWordBytesMax = 45
const referencesMax = 20
/** RFC 5322 allows lines of 998 octets, and only spaces are places to fold at. A longer word is encoded in pieces. */
const wordLengthMax = 250
/** A longer Message-ID comes from outside, can't be folded, and would break that limit too. */
const messageIdLengthMax = 900

/**
 * `<msg_…@sender.test>`: derived from the message's id, at the sender's domain, so that a retry has the same Message-ID. A returned
 * message that is written again gets `<msg_….1@sender.test>`, so that it can't be confused with its first copy in the Sent folder.
 */
export function buildMessageId(id: string, senderEmail: string, writtenBefore = 0): string {
  const name = writtenBefore === 0 ? id : `${id}.${writtenBefore}`
  return `<${name}@${senderEmail.slice(senderEmail.lastIndexOf('@') + 1).toLowerCase()}>`
}

/** The id of our message that a Message-ID names, if it has our form. */
export function idOfMessageId(messageId: string): string {
  return /^<?([^@>]*?)(?:\.\d{1,4})?(?:[@>]|$)/.exec(messageId)?.[1] ?? ''
}

/** The whole message: CRLF line ends, no terminator. Same input, same bytes. */
export function composeMessage(input: MimeInput): Buffer {
  const boundary = createHash('sha256').update(input.messageId).digest('hex').slice(0, 24)
  const alternative =
    input.html === null
      ? textPart('text/plain', input.text)
      : multipart('alternative', `a-${boundary}`, [
          textPart('text/plain', input.text),
          textPart('text/html', input.html),
        ])
  const attachments = input.attachments ?? []
  const body =
    attachments.length === 0
      ? alternative
      : multipart('mixed', `m-${boundary}`, [alternative, ...attachments.map(attachmentPart)])
  return Buffer.from(`${buildHeaders(input).join('\r\n')}\r\n${body}`)
}

/** The headers for a preview, as name and value, unfolded and undecoded. */
export function headerFields(input: MimeInput): [string, string][] {
  const fields: [string, string | null][] = [
    ['From', addressText(input.from)],
    ['To', input.to.length === 0 ? null : input.to.map(addressText).join(', ')],
    ['Cc', input.cc.length === 0 ? null : input.cc.map(addressText).join(', ')],
    ['Reply-To', input.replyTo === null ? null : clean(input.replyTo)],
    ['Subject', clean(input.subject)],
    ['Date', dateText(input.date)],
    ['Message-ID', clean(input.messageId)],
    ['In-Reply-To', messageIdsText(input.inReplyTo === null ? [] : [input.inReplyTo])],
    ['References', messageIdsText(input.references)],
    [
      'List-Unsubscribe',
      input.unsubscribe === null ? null : `<${clean(input.unsubscribe.url)}>, <${clean(input.unsubscribe.mailto)}>`,
    ],
    ['List-Unsubscribe-Post', input.unsubscribe === null ? null : 'List-Unsubscribe=One-Click'],
    ['Auto-Submitted', input.autoSubmitted ?? null],
    ['Feedback-ID', input.feedbackId ?? null],
    ['X-Overture-Ref', input.ref ?? null],
    ['MIME-Version', '1.0'],
  ]
  return fields.filter((field): field is [string, string] => field[1] !== null)
}

function messageIdsText(ids: readonly string[]): string | null {
  const short = ids.map(clean).filter(({ length }) => length > 0 && length <= messageIdLengthMax)
  return short.length === 0 ? null : short.slice(-referencesMax).join(' ')
}

/** Removes CR, LF, NUL and the Unicode line separators, which must not reach a header. */
function clean(value: string): string {
  // oxlint-disable-next-line no-control-regex -- control characters are what is taken out
  return value.replaceAll(/[\u0000-\u001f\u007f\u0085\u2028\u2029]+/g, ' ').trim()
}

/** Formats a date as `Mon, 2 Mar 2026 10:00:00 +0000` (RFC 5322). */
function dateText(date: Date): string {
  return date
    .toUTCString()
    .replace(/ 0(\d) /, ' $1 ')
    .replace('GMT', '+0000')
}

function buildHeaders(input: MimeInput): string[] {
  return headerFields(input).map(([name, value]) => {
    if (name === 'Subject') return fold(`${name}: ${encodeWords(value)}`)
    return fold(`${name}: ${value}`)
  })
}

function addressText({ email, name }: Address): string {
  const address = clean(email).replaceAll(/[<>\s]/g, '')
  const label = name === null ? '' : clean(name)
  if (label === '') return address
  if (isAscii(label) && !hasLongWord(label)) return `"${label.replaceAll(/["\\]/g, '\\$&')}" <${address}>`
  return `${encodeWords(label)} <${address}>`
}

function hasLongWord(text: string): boolean {
  return text.split(' ').some(({ length }) => length > wordLengthMax)
}

/** Encodes a text as RFC 2047 words of at most 75 characters. Plain ASCII is kept unless one of its words is too long for a line. */
function encodeWords(text: string): string {
  if (isAscii(text) && !text.includes('=?') && !hasLongWord(text)) return text
  const words: string[] = []
  let chunk = ''
  let chunkBytes = 0
  for (const character of text) {
    const bytes = Buffer.byteLength(character)
    if (chunkBytes + bytes > encodedWordBytesMax) {
      words.push(chunk)
      chunk = ''
      chunkBytes = 0
    }
    chunk += character
    chunkBytes += bytes
  }
  words.push(chunk)
  return words.map((word) => `=?UTF-8?B?${Buffer.from(word).toString('base64')}?=`).join(' ')
}

function fold(header: string): string {
  if (header.length <= lineLengthMax) return header
  const lines: string[] = []
  let line = ''
  for (const word of header.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > lineLengthMax && !/^[\w-]+:$/.test(line)) {
      lines.push(line)
      line = ` ${word}`
    } else {
      line = line === '' ? word : `${line} ${word}`
    }
  }
  lines.push(line)
  return lines.join('\r\n')
}

function multipart(kind: 'alternative' | 'mixed', boundary: string, parts: readonly string[]): string {
  const body = parts.map((part) => `--${boundary}\r\n${part}\r\n`).join('')
  return `Content-Type: multipart/${kind}; boundary="${boundary}"\r\n\r\n${body}--${boundary}--\r\n`
}

function textPart(type: string, content: string): string {
  const text = content.replaceAll(/\r\n?|\n/g, '\r\n').replaceAll('\0', '')
  const plain = isAscii(text) && !longLine.test(text)
  const encoding = plain ? '7bit' : 'quoted-printable'
  return `Content-Type: ${type}; charset=utf-8\r\nContent-Transfer-Encoding: ${encoding}\r\n\r\n${plain ? text : quotedPrintable(text)}`
}

const parameterPieceMax = 60
const longLine = /[^\r\n]{77}/

function attachmentPart({ filename, contentType, content }: Attachment): string {
  const name = clean(filename).replaceAll(/["\\]/g, '_')
  const type = clean(contentType)
  const body = content.toString('base64').replaceAll(/.{76}/g, '$&\r\n')
  return [
    // RFC 2046 forbids base64 for an enclosed message.
    `Content-Type: ${/^(?:message|multipart)\//i.test(type) ? 'application/octet-stream' : type};`,
    ` name="${encodeWords(name).replaceAll('?= =?', '?=\r\n =?')}"`,
    'Content-Transfer-Encoding: base64',
    'Content-Disposition: attachment;',
    ` ${fileNameParameter(name)}`,
    '',
    body,
  ].join('\r\n')
}

/**
 * Encodes a name as RFC 2231 describes: characters outside ASCII are percent-encoded, split into pieces that fit into lines.
 * Current mail programs prefer this parameter.
 */
function fileNameParameter(name: string): string {
  if (isAscii(name)) return `filename="${name}"`
  const pieces = ["UTF-8''"]
  for (const character of name) {
    const octets = /^[\w.-]$/.test(character)
      ? character
      : [...Buffer.from(character)].map((octet) => `%${octet.toString(16).toUpperCase().padStart(2, '0')}`).join('')
    if (pieces.at(-1)!.length + octets.length > parameterPieceMax) pieces.push('')
    pieces[pieces.length - 1] += octets
  }
  if (pieces.length === 1) return `filename*=${pieces[0]}`
  return pieces.map((piece, index) => `filename*${index}*=${piece}`).join(';\r\n ')
}

/** Encodes quoted-printable (RFC 2045): lines of at most 76 characters, CRLF kept as line end, blanks at the end of a line encoded. */
function quotedPrintable(text: string): string {
  return text.split('\r\n').map(quotedLine).join('\r\n')
}

function quotedLine(line: string): string {
  if (safeLine.test(line)) return line
  const escaped = isAscii(line)
    ? line.replaceAll(/[^!-<>-~ \t]|[ \t]$/g, (character) => toHex(character.charCodeAt(0)))
    : quotedBytes(line)
  return breakSoftly(escaped)
}

/** Breaks an escaped line into lines of at most 76 characters, including the soft break at the end of each (RFC 2045, 6.7). */
function breakSoftly(escaped: string): string {
  if (escaped.length <= lineLengthMax) return escaped
  const lines: string[] = []
  let start = 0
  while (escaped.length - start > lineLengthMax) {
    let end = start + lineLengthMax - 1
    // A line may end before an escape but not inside it.
    if (escaped[end - 1] === '=') end -= 1
    else if (escaped[end - 2] === '=') end -= 2
    lines.push(escaped.slice(start, end))
    start = end
  }
  lines.push(escaped.slice(start))
  return lines.join('=\r\n')
}

function quotedBytes(line: string): string {
  const bytes = Buffer.from(line)
  let out = ''
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index] ?? 0
    const blankWithin = (byte === 32 || byte === 9) && index < bytes.length - 1
    const literal = (byte >= 33 && byte <= 126 && byte !== 61) || blankWithin
    out += literal ? String.fromCharCode(byte) : toHex(byte)
  }
  return out
}

function toHex(byte: number): string {
  return `=${byte.toString(16).toUpperCase().padStart(2, '0')}`
}

const safeLine = /^[!-<>-~ \t]{0,75}[!-<>-~]$|^$/

function isAscii(text: string): boolean {
  // oxlint-disable-next-line no-control-regex -- the whole of ASCII is meant
  return /^[\u0000-\u007f]*$/.test(text)
}
