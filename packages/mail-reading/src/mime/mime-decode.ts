import { decodeCharset, decodeRawHeader } from '../charsets/decode-charset.ts'
import { looksLikeIso2022 } from '../charsets/iso-2022.ts'
import { decodeBase64Body } from './base64-body.ts'

/** Decodes base64 or quoted-printable. The body has one character per byte. */
export function decodeTransfer(body: string, encoding: string | undefined): Uint8Array {
  const name = (encoding ?? '').trim().toLowerCase()
  if (name.startsWith('base64')) return Buffer.from(body.replace(/[^A-Za-z0-9+/]/g, ''), 'base64')
  if (name.startsWith('quoted-printable')) return Buffer.from(decodeQuotedPrintable(body), 'latin1')
  return Buffer.from(body, 'latin1')
}

/** The same for a text part. Its base64 may have several pieces or a plain-text footer, or may be plain text itself. */
export function decodeTextTransfer(body: string, encoding: string | undefined): Uint8Array {
  return /^\s*base64/i.test(encoding ?? '') ? decodeBase64Body(body) : decodeTransfer(body, encoding)
}

function decodeQuotedPrintable(text: string): string {
  return text
    .replace(/=[ \t]{0,20}\n/g, '')
    .replace(/=([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
}

/**
 * Decodes the encoded words of RFC 2047. Neighbors of one charset are joined before they are decoded. Text beside them may be in
 * the charset of the body.
 */
export function decodeWords(text: string, bodyCharset?: string): string {
  const decodeRaw = (raw: string) => (isRaw(raw) ? decodeRawHeader(Buffer.from(raw, 'latin1'), bodyCharset) : raw)
  if (!text.includes('=?')) return decodeRaw(text)
  const joined = text.slice(0, 20_000).replace(/\?=[ \t\n]{1,20}=\?/g, '?==?')
  const out: string[] = []
  // Some programs don't encode question marks. A word never contains the beginning of the next one.
  const pattern = /=\?([^?\s]{1,60})\?([bq])\?((?:[^?=\n]|=(?!\?(?!=))|\?(?!=)){0,4000})\?=/gi
  let at = 0
  let pending: EncodedWord[] = []
  const flush = () => {
    if (pending.length > 0) out.push(decodeCharset(joinBytes(pending), pending[0]!.charset))
    pending = []
  }
  for (const match of joined.matchAll(pattern)) {
    if (match.index > at) {
      flush()
      out.push(decodeRaw(joined.slice(at, match.index)))
    }
    const charset = match[1]!.split('*')[0]!.toLowerCase()
    if (pending.length > 0 && pending[0]!.charset !== charset) flush()
    pending.push({ charset, isBase64: match[2]!.toLowerCase() === 'b', text: match[3]! })
    at = match.index + match[0].length
  }
  flush()
  out.push(decodeRaw(joined.slice(at)))
  return out.join('')
}

interface EncodedWord {
  charset: string
  isBase64: boolean
  text: string
}

/** The bytes of neighbors together. Some programs cut a text into words within a group of four base64 characters. */
function joinBytes(words: readonly EncodedWord[]): Uint8Array {
  const out: Uint8Array[] = []
  let cut = ''
  for (const [at, { isBase64, text }] of words.entries()) {
    if (!isBase64) {
      out.push(Buffer.from(decodeQuotedPrintable(text.replaceAll('_', ' ')), 'latin1'))
      continue
    }
    const whole = cut + text
    cut = isCutBase64(whole, base64Behind(words, at)) ? whole : ''
    if (cut === '') out.push(Buffer.from(whole, 'base64'))
  }
  return Buffer.concat(out)
}

/** The base64 of the following words, up to one in another encoding. */
function base64Behind(words: readonly EncodedWord[], at: number): string {
  const end = words.findIndex(({ isBase64 }, place) => place > at && !isBase64)
  return words.slice(at + 1, end === -1 ? undefined : end).reduce((text, word) => text + word.text, '')
}

/** Whether the last group of a word is incomplete. A complete word without its padding has no bits left over. */
function isCutBase64(word: string, behind: string): boolean {
  const rest = word.length % 4
  if (behind === '' || rest === 0 || word.endsWith('=')) return false
  if ((word.length + behind.length) % 4 === 0 || rest === 1) return true
  const remainder = word.slice(-rest)
  return !Buffer.from(remainder, 'base64').toString('base64').startsWith(remainder)
}

/** Whether header text has bytes outside ASCII or escape sequences, one character per byte, as some programs send it. */
function isRaw(text: string): boolean {
  return /[\u0080-\u00ff]/.test(text) || (text.includes('\u001b') && looksLikeIso2022(Buffer.from(text, 'latin1')))
}
