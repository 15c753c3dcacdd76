import { letterEncodingOf } from '@overture/ground/text/foreign-letters.ts'
import { decodeWindows1252 } from '@overture/ground/text/windows-1252.ts'
import { decodeBase64Body } from './base64-body.ts'
import { decodeNamed } from './charsets.ts'

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

/** Decodes by the declared charset, or by what the bytes look like if none is declared or it is wrong. */
export function decodeCharset(bytes: Uint8Array, charset: string | undefined): string {
  const declared = (charset ?? '').trim().toLowerCase().replace(/^"|"$/g, '')
  if (
    declared === '' ||
    declared === 'us-ascii' ||
    declared === 'ascii' ||
    declared.startsWith('unknown') ||
    declared === 'utf-8' ||
    declared === 'utf8'
  ) {
    return decodeGuessed(bytes)
  }
  return decodeNamed(bytes, declared) ?? decodeGuessed(bytes)
}

/** Whether a charset says nothing about bytes beyond ASCII, so that the content itself may name a better one. */
export function saysNoCharset(charset: string | undefined): boolean {
  return /^"?(?:(?:us-)?ascii|unknown.{0,40})?"?$/i.test((charset ?? '').trim())
}

/** Decodes the encoded words of RFC 2047. Neighbors of one charset are joined before they are decoded. */
export function decodeWords(text: string): string {
  if (!text.includes('=?')) return decodeRaw(text)
  const joined = text.slice(0, 20_000).replace(/\?=[ \t\n]{1,20}=\?/g, '?==?')
  const out: string[] = []
  // Some programs don't encode question marks. A word never contains the beginning of the next one.
  const pattern = /=\?([^?\s]{1,60})\?([bq])\?((?:[^?=\n]|=(?!\?(?!=))|\?(?!=)){0,4000})\?=/gi
  let at = 0
  let pending: { charset: string; bytes: Uint8Array[] } | null = null
  const flush = () => {
    if (pending !== null) out.push(decodeCharset(Buffer.concat(pending.bytes), pending.charset))
    pending = null
  }
  for (const match of joined.matchAll(pattern)) {
    if (match.index > at) {
      flush()
      out.push(decodeRaw(joined.slice(at, match.index)))
    }
    const charset = match[1]!.split('*')[0]!.toLowerCase()
    const bytes =
      match[2]!.toLowerCase() === 'b'
        ? Buffer.from(match[3]!, 'base64')
        : Buffer.from(decodeQuotedPrintable(match[3]!.replaceAll('_', ' ')), 'latin1')
    const open = pending as { charset: string; bytes: Uint8Array[] } | null
    if (open !== null && open.charset !== charset) flush()
    const current = pending as { charset: string; bytes: Uint8Array[] } | null
    if (current === null) pending = { charset, bytes: [bytes] }
    else current.bytes.push(bytes)
    at = match.index + match[0].length
  }
  flush()
  out.push(decodeRaw(joined.slice(at)))
  return out.join('')
}

/** Decodes header text without encoded words, one character per byte, as some programs send it. */
function decodeRaw(text: string): string {
  return /[\u0080-\u00ff]/.test(text) ? decodeGuessed(Buffer.from(text, 'latin1')) : text
}

function decodeByLetters(bytes: Uint8Array): string {
  const encoding = letterEncodingOf(bytes)
  return encoding === null ? decodeWindows1252(bytes) : new TextDecoder(encoding).decode(bytes)
}

function decodeGuessed(bytes: Uint8Array): string {
  if (looksLikeIso2022Jp(bytes)) return new TextDecoder('iso-2022-jp').decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return nearlyUtf8(bytes) ?? decodeByLetters(bytes)
  }
}

/**
 * Decodes UTF-8 with replacement characters, for a text that was cut within a character or has a footer in another charset.
 * Returns null if more bytes are broken than characters are valid: such a text is Windows-1252 declared as UTF-8.
 */
function nearlyUtf8(bytes: Uint8Array): string | null {
  const raw = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let halves = 0
  // Some programs encode the surrogates of UTF-16 one by one, with three bytes each. No UTF-8 decoder accepts these.
  const whole = raw.toString('latin1').replace(/\xed[\xa0-\xbf][\x80-\xbf]/g, () => {
    halves++
    return '\xef\xbf\xbd'
  })
  const text = new TextDecoder('utf-8').decode(halves === 0 ? raw : Buffer.from(whole, 'latin1'))
  let broken = -halves
  let letters = halves
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 0xfffd) broken++
    else if (code > 0x7f) letters++
  }
  return letters > 0 && letters >= broken ? text : null
}

function looksLikeIso2022Jp(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, 4_000)).includes('\u001b$')
}
