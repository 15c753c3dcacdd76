import { isUtf8 } from 'node:buffer'
import { isFrequentLetter } from './frequent-letters.ts'

export function isUtf16Name(name: string): boolean {
  return /^(?:utf-?16(?:-?[bl]e)?|(?:iso-10646-)?ucs-?2|csunicode|unicode)$/.test(name)
}

const sampleBytesMax = 4_000
/** Other text that is read as UTF-16 becomes rare Chinese characters. */
const usualShareMin = 0.5
/** Control characters that no text has. */
// oxlint-disable-next-line no-control-regex -- control characters are what is looked for
const control = /[\0-\x08\x0b\x10-\x1a\x1c-\x1f]/

/** Whether bytes without a declared charset are UTF-16, by their byte order mark or because they make usual text only as UTF-16. */
export function looksLikeUtf16(bytes: Uint8Array): boolean {
  if (bytes.length < 4 || bytes.length % 2 === 1) return false
  if (orderByMark(bytes) !== null) return true
  const sample = bytes.subarray(0, sampleBytesMax)
  if (!control.test(Buffer.from(sample).toString('latin1'))) return false
  return usualShare(sample, likelyOrder(sample)) >= usualShareMin
}

/** Whether bytes that are declared as UTF-16 are UTF-8, after a gateway converted the text and kept its label. */
export function isUtf8UnderUtf16(bytes: Uint8Array): boolean {
  const sample = bytes.subarray(0, sampleBytesMax)
  if (sample.includes(0) || !isUtf8(bytes)) return false
  return usualShare(sample, 'utf-8') > usualShare(sample, likelyOrder(sample))
}

/** Decodes by the byte order mark, else by the name, else by the order that gives the more usual text. */
export function decodeUtf16(bytes: Uint8Array, name: string): string {
  const byName = name.endsWith('be') ? 'utf-16be' : name.endsWith('le') ? 'utf-16le' : null
  return new TextDecoder(orderByMark(bytes) ?? byName ?? likelyOrder(bytes)).decode(bytes)
}

type ByteOrder = 'utf-16be' | 'utf-16le'

function orderByMark([first, second]: Uint8Array): ByteOrder | null {
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  return first === 0xff && second === 0xfe ? 'utf-16le' : null
}

/** Big-endian without evidence (RFC 2781, section 4.3). */
function likelyOrder(bytes: Uint8Array): ByteOrder {
  const sample = bytes.subarray(0, sampleBytesMax)
  return usualShare(sample, 'utf-16le') > usualShare(sample, 'utf-16be') ? 'utf-16le' : 'utf-16be'
}

function usualShare(sample: Uint8Array, encoding: ByteOrder | 'utf-8'): number {
  const letters = Array.from(new TextDecoder(encoding).decode(sample))
  return letters.filter(isUsual).length / letters.length
}

/** Letters of alphabets, punctuation of every script, and the frequent letters of Chinese and Korean. */
function isUsual(letter: string): boolean {
  return (
    /[\t\n\r -~\u00a0-\u024f\u0370-\u04ff\u0590-\u06ff\u0e00-\u0e7f\u2010-\u2026\u3000-\u30ff\uff01-\uff9f]/.test(
      letter,
    ) || isFrequentLetter(letter)
  )
}
