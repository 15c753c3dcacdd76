import { isUtf8 } from 'node:buffer'
import { detectMailEncoding } from '@overture/ground/text/foreign-letters.ts'
import { decodeWindows1252 } from '@overture/ground/text/windows-1252.ts'
import { decodeDoubleByte } from './double-byte.ts'
import { looksLikeIso2022 } from './iso-2022.ts'
import { charsetName, decodeNamed, isDoubleByte } from './named.ts'
import { decodeUtf16, isUtf8UnderUtf16, isUtf16Name, looksLikeUtf16 } from './utf-16.ts'

/** Decodes by the declared charset, or by what the bytes look like if none is declared or it is wrong. */
export function decodeCharset(bytes: Uint8Array, charset: string | undefined): string {
  const declared = (charset ?? '').trim().toLowerCase().replace(/^"|"$/g, '')
  if (/^(?:|(?:us-)?ascii|unknown.{0,40}|utf-?8)$/.test(declared)) return decodeGuessed(bytes)
  const name = charsetName(declared)
  if (name === null || isWrong(bytes, name)) return decodeGuessed(bytes)
  // Some programs write this name for text in any charset.
  if (name === 'windows-1252') return decodeByLetters(bytes)
  return decodeNamed(bytes, name) ?? decodeGuessed(bytes)
}

/** Whether a charset says nothing about bytes beyond ASCII, so that the content itself may name a better one. */
export function saysNoCharset(charset: string | undefined): boolean {
  return /^"?(?:(?:us-)?ascii|unknown.{0,40})?"?$/i.test((charset ?? '').trim())
}

/** Decodes header text without encoded words. Mail programs that send it raw use the charset of the body. */
export function decodeRawHeader(bytes: Uint8Array, bodyCharset: string | undefined): string {
  return bodyCharset === undefined || isUtf8(bytes) ? decodeGuessed(bytes) : decodeCharset(bytes, bodyCharset)
}

/** Whether the bytes can't be in the declared charset, because they are text in another one. */
function isWrong(bytes: Uint8Array, name: string): boolean {
  if (isUtf16Name(name)) return isUtf8UnderUtf16(bytes)
  if (/^(?:utf-7|hz-gb-2312)$/.test(name)) return false
  if (looksLikeIso2022(bytes) || looksLikeUtf16(bytes)) return true
  if (/2022|^jis$|^cp5022/.test(name)) return bytes.some((byte) => byte > 0x7f)
  return isUtf8(bytes) && isSurelyUtf8(bytes, name)
}

/**
 * Text in a charset of one byte per letter is never UTF-8 by chance, except for a single pair such as the "Ні" of Windows-1251. A
 * text in a charset of two bytes may be a row of pairs, but not of triples.
 */
function isSurelyUtf8(bytes: Uint8Array, name: string): boolean {
  const letters = new TextDecoder('utf-8').decode(bytes).replace(/[\0-\x7f]/g, '')
  if (isDoubleByte(name)) return letters.length >= 2 && !/[\x80-\u07ff]/.test(letters)
  return letters.length >= 2 || (letters !== '' && latin.test(name))
}

const latin = /^(?:windows-125[02478]|iso-8859-(?:[234]|1[03456])|macintosh)$/

function decodeGuessed(bytes: Uint8Array): string {
  if (looksLikeIso2022(bytes)) return decodeNamed(bytes, 'iso-2022-jp')!
  if (looksLikeUtf16(bytes)) return decodeUtf16(bytes, 'utf-16')
  if (isUtf8(bytes)) return new TextDecoder('utf-8').decode(bytes)
  return decodeDoubleByte(bytes) ?? decodeNearlyUtf8(bytes) ?? decodeByAlphabet(bytes) ?? decodeWindows1252(bytes)
}

/** The smallest number of bytes outside ASCII that can overrule a declared charset. */
const lettersMin = 12

/** Decodes Windows-1252, unless the bytes are text in another charset. */
function decodeByLetters(bytes: Uint8Array): string {
  if (bytes.filter((byte) => byte > 0x7f).length < lettersMin) return decodeWindows1252(bytes)
  return decodeDoubleByte(bytes) ?? decodeByAlphabet(bytes) ?? decodeWindows1252(bytes)
}

function decodeByAlphabet(bytes: Uint8Array): string | null {
  const encoding = detectMailEncoding(bytes)
  // KOI8-U has the letters of KOI8-R and those of Ukrainian.
  return encoding === null ? null : new TextDecoder(encoding === 'koi8-r' ? 'koi8-u' : encoding).decode(bytes)
}

/**
 * Decodes UTF-8 with replacement characters, for a text that was cut within a character or has a footer in another charset.
 * Returns null if more bytes are broken than characters are valid: such a text is Windows-1252 declared as UTF-8.
 */
function decodeNearlyUtf8(bytes: Uint8Array): string | null {
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
