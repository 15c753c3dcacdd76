import { saysNoCharset } from '../charsets/decode-charset.ts'
import { encryptedText, withoutArmour } from './armour.ts'
import { htmlToText } from './html-text.ts'
import { decodeWords } from './mime-decode.ts'
import { readAddresses } from './mime-headers.ts'
import type { MailAddress } from './mime-headers.ts'
import { SetAside } from './mime-limits.ts'
import type { SetAsideReason } from './mime-limits.ts'
import { decodeText, findHeader, parseMime, walkParts } from './mime.ts'
import type { MimePart } from './mime.ts'

/** A message as the rules read it: decoded and bounded, but not interpreted yet. */
export interface Mail {
  root: MimePart
  from: MailAddress[]
  to: MailAddress[]
  cc: MailAddress[]
  /** The addresses to which replies should go, if not to `from`. */
  replyTo: MailAddress[]
  subject: string
  /** With angle brackets, as in the header. */
  messageId: string | null
  inReplyTo: string[]
  references: string[]
  /** Milliseconds since 1970 by the `Date` header, and its offset in minutes. */
  sentAtMs: number | null
  offsetMinutes: number
  /** The plain text as it was written, or made from the HTML if there is none. */
  text: string
  html: string | null
  textIsFromHtml: boolean
  /** Whether the text is encrypted; `text` then says so. */
  encrypted: boolean
  truncated: boolean
}

type MailResult = { outcome: 'read'; mail: Mail } | { outcome: 'set_aside'; reason: SetAsideReason }

export function readMail(raw: Uint8Array): MailResult {
  const parsed = parseMime(raw)
  if (parsed.outcome === 'set_aside') return parsed
  try {
    return { outcome: 'read', mail: toMail(parsed.root, parsed.truncated) }
  } catch (error) {
    if (error instanceof SetAside) return { outcome: 'set_aside', reason: error.reason }
    throw error
  }
}

/** A header with its encoded words decoded. Empty if there is none. */
export function textHeader(mail: Pick<Mail, 'root'>, name: string): string {
  return decodeWords(findHeader(mail.root, name) ?? '').trim()
}

/** Every `<…@…>` of a header, in order. */
export function readMessageIds(header: string | undefined): string[] {
  if (header === undefined) return []
  return [...header.slice(0, 50_000).matchAll(/<[^<>\s]{1,990}>/g)].slice(0, 200).map((match) => match[0])
}

function toMail(root: MimePart, truncated: boolean): Mail {
  const header = (name: string) => findHeader(root, name)
  const { text, html, textIsFromHtml, encrypted } = readBody(root)
  const bodyCharset = charsetOfBody(root)
  const addresses = (name: string) => readAddresses(header(name), bodyCharset)
  const date = header('date')
  const sentAtMs = date === undefined ? Number.NaN : Date.parse(date.replace(/\([^()]{0,60}\)/g, '').slice(0, 100))
  const offset = /([+-])(\d\d)(\d\d)\s*(?:\(|$)/.exec(date ?? '')
  return {
    root,
    from: addresses('from'),
    to: addresses('to'),
    cc: addresses('cc'),
    replyTo: addresses('reply-to'),
    subject: decodeWords(header('subject') ?? '', bodyCharset).trim(),
    messageId: readMessageIds(header('message-id'))[0] ?? (header('message-id')?.trim() || null),
    inReplyTo: readMessageIds(header('in-reply-to')),
    references: readMessageIds(header('references')),
    sentAtMs: Number.isNaN(sentAtMs) ? null : sentAtMs,
    offsetMinutes: offset === null ? 0 : Number(`${offset[1]}1`) * (Number(offset[2]) * 60 + Number(offset[3])),
    text,
    html,
    textIsFromHtml,
    encrypted,
    truncated,
  }
}

function readBody(root: MimePart): Pick<Mail, 'text' | 'html' | 'textIsFromHtml' | 'encrypted'> {
  const body = chooseBody(root)
  if (body.text.trim() === '' && isEncrypted(root)) return { ...body, text: encryptedText, encrypted: true }
  return { ...body, ...withoutArmour(body.text) }
}

/** Whether OpenPGP (RFC 3156) or S/MIME (RFC 8551) encrypts the whole message. */
function isEncrypted(root: MimePart): boolean {
  if (root.type === 'multipart/encrypted') return true
  if (!/^application\/(?:x-)?pkcs7-mime$/.test(root.type)) return false
  return !/^(?:signed-data|certs-only|compressed-data)$/i.test(root.parameters.get('smime-type') ?? '')
}

function chooseBody(root: MimePart): Pick<Mail, 'text' | 'html' | 'textIsFromHtml'> {
  const plain: string[] = []
  const markup: string[] = []
  for (const part of shownParts(root)) {
    if (part.type === 'text/plain') plain.push(unflow(decodeText(part), part))
    else if (part.type === 'text/html') markup.push(decodeText(part))
  }
  const text = plain.join('\n').trim() === '' ? '' : plain.join('\n')
  const html = markup.length === 0 ? null : markup.join('\n')
  if (html !== null && (text === '' || isStub(text))) return { text: htmlToText(html), html, textIsFromHtml: true }
  // Some programs declare HTML as plain text.
  if (html === null && /^\s*(?:<!doctype html|<html[\s>])/i.test(text))
    return { text: htmlToText(text), html: text, textIsFromHtml: true }
  return { text, html, textIsFromHtml: false }
}

/** The charset that the first text declares. Undefined if it declares none. */
function charsetOfBody(root: MimePart): string | undefined {
  for (const { parameters } of shownParts(root)) {
    const charset = parameters.get('charset')
    if (!saysNoCharset(charset)) return charset
  }
  return undefined
}

/** The text parts that a reader may see, without attachments and enclosed messages. */
export function* shownParts(part: MimePart): Generator<MimePart> {
  if (part.type.startsWith('message/')) return
  if (part.parts.length === 0) {
    if (part.type.startsWith('text/') && !part.attachment) yield part
    return
  }
  for (const child of part.parts) yield* shownParts(child)
}

/** The text of every part of one type, wherever it is. */
export function textsOfType(mail: Mail, type: string): string[] {
  return [...walkParts(mail.root)].filter((part) => part.type === type).map(decodeText)
}

/** Invitations and replies to them (RFC 5546), at most five. */
export function calendarParts(mail: Pick<Mail, 'root'>): { contentType: string; text: string }[] {
  return [...walkParts(mail.root)]
    .filter((part) => part.type === 'text/calendar' || part.type === 'application/ics')
    .slice(0, 5)
    .map((part) => ({ contentType: findHeader(part, 'content-type') ?? part.type, text: decodeText(part) }))
}

function isStub(text: string): boolean {
  return (
    text.length < 200 && /(?:HTML (?:e-?mail|message|format|version)|view (?:this|it) in|not support html)/i.test(text)
  )
}

// RFC 3676: a line that ends in a space continues in the next one of the same quote depth.
function unflow(text: string, part: MimePart): string {
  if (part.parameters.get('format')?.toLowerCase() !== 'flowed') return text
  const joinWithout = part.parameters.get('delsp')?.toLowerCase() === 'yes'
  // Pieces are joined once, at the end, because reading a growing text costs its whole length each time.
  const paragraphs: { depth: number; pieces: string[] }[] = []
  let open = false
  for (const line of text.split('\n')) {
    const depth = /^>*/.exec(line)![0].length
    const content = line.slice(depth).replace(/^ /, '')
    const last = paragraphs.at(-1)
    if (open && last !== undefined && depth === last.depth && content !== '-- ') {
      if (joinWithout) last.pieces.push(last.pieces.pop()!.slice(0, -1))
      last.pieces.push(content)
    } else {
      paragraphs.push({ depth, pieces: [depth === 0 ? content : `${'>'.repeat(depth)} ${content}`] })
    }
    open = content.endsWith(' ') && content !== '-- '
  }
  return paragraphs.map(({ pieces }) => pieces.join('')).join('\n')
}
