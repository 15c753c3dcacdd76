import type { SpreadsheetEncoding } from '@overture/contract/campaigns/imports.ts'
import { detectLetterEncoding } from './foreign-letters.ts'
import { spreadsheetEncodings } from '@overture/contract/vocabularies.ts'

/** Symbols of Windows-1252 that are Central European letters in Windows-1250: Ł Ą Ż ł ą ż ľ ş and others. */
const symbols1252 = new Set([0xa3, 0xa5, 0xaa, 0xaf, 0xb3, 0xb9, 0xba, 0xbc, 0xbe, 0xbf])
/** Bytes that no Western text has inside a word. In Mac Roman they are á à â ã ç è ê and others. */
const marksMac = new Set([0x87, 0x88, 0x89, 0x8b, 0x8d, 0x8f, 0x90, 0x95, 0x98, 0x99, 0x9b, 0x9d])
/** Capitals of Windows-1252, which don't follow a small letter. In Mac Roman they are ä å é ü. */
const capitalsMac = new Set([0x8a, 0x8c, 0x8e, 0x9f])
/** é in Mac Roman. In Windows-1252 it is Ž, which never follows a small letter. */
const macAcuteE = 0x8e
/** Another letter alone proves nothing: a single odd capital must not turn a Western file into Mac Roman. */
const macLettersMin = 2
/** The number of bytes that decide about the encoding of a file, from the first one outside ASCII. */
export const encodingBytesMax = 64 * 1024

/** Č č Ć ć Đ đ Ť ť Ň ň Ř ř Ě ě Ů ů and Ľ in Windows-1250, which occur in the same texts as Š and Ž. */
const besideCarons = [
  0xc8, 0xe8, 0xc6, 0xe6, 0xd0, 0xf0, 0x8d, 0x9d, 0xd2, 0xf2, 0xd8, 0xf8, 0xcc, 0xec, 0xd9, 0xf9, 0xbc,
]
const turkish = [0xd0, 0xdd, 0xde, 0xf0, 0xfd, 0xfe]
/** Letters that Icelandic, Lithuanian, Latvian and Arabic have beside the same bytes, and Turkish doesn't. */
const notTurkish = [0xe0, 0xe1, 0xe6, 0xe8, 0xeb, 0xec, 0xed, 0xef, 0xf2, 0xf8, 0xfa]
const eastAsianLettersMin = 6
/** Korean text looks Chinese too, but the first bytes of its letters end at 0xC8. */
const lastKorean = 0xc8
/** Arabic text in Windows-1256 looks Chinese too, but its letters begin at 0xC1. */
const firstArabic = 0xc1
const eastAsianEncodings: readonly [SpreadsheetEncoding, (letters: string, bytes: Uint8Array) => boolean][] = [
  ['shift_jis', () => true],
  ['gb18030', (letters, bytes) => !/[\u3041-\u30ff]/.test(letters) && isChinese(bytes)],
]
/** Letters of Windows-1252 that Hungarian doesn't have: ã ä å ç è ê ï ñ ø. */
const notHungarian = [0xe3, 0xe4, 0xe5, 0xe7, 0xe8, 0xea, 0xef, 0xf1, 0xf8]
/** The letters á í ó ö ú ü of Hungarian. */
const besideHungarian = [0xe1, 0xed, 0xf3, 0xf6, 0xfa, 0xfc]

/**
 * Returns the encoding of a Cyrillic or Greek file without a byte order mark, or null. A file is read in this encoding without
 * being asked: a Western text never looks like one of these.
 */
export function detectCertainEncoding(file: Uint8Array): SpreadsheetEncoding | null {
  const bytes = decidingBytes(file)
  return bytes === null ? null : detectAlphabet(bytes)
}

/**
 * Returns the probable encoding of a file without a byte order mark, or null for UTF-8 and Windows-1252. Cyrillic and Greek are
 * recognised by the frequency of letters, Central European letters and those of Mac Roman by their neighbours, Chinese and
 * Japanese by rows of their letters, and Turkish by its own. All but the first are only a hint: one Czech name in a Western
 * file looks the same as a Czech file.
 */
export function guessEncoding(file: Uint8Array): SpreadsheetEncoding | null {
  const bytes = decidingBytes(file)
  if (bytes === null) return null
  const alphabet = detectAlphabet(bytes)
  if (alphabet !== null) return alphabet
  const eastAsian = detectEastAsianEncoding(bytes)
  if (eastAsian !== null) return eastAsian
  const counts = countBytes(bytes)
  const { at } = counts
  if (isMacRoman(counts)) return 'macintosh'
  const hasCaron = at.has(0x9a) || at.has(0x9e) || at.has(0x8a) || at.has(0x8e)
  const isSlavic = hasCaron && besideCarons.some((byte) => at.has(byte))
  const isHungarian =
    counts.hungarian > 0 && besideHungarian.some((byte) => at.has(byte)) && !notHungarian.some((byte) => at.has(byte))
  if (counts.symbolsInWords > 0 || isSlavic || isHungarian) return 'windows-1250'
  return isTurkish(at) ? 'windows-1254' : null
}

/** Whether the bytes have letters that are Ğ İ Ş ğ ı ş in Windows-1254, and Ð Ý Þ ð ý þ in a text that is Icelandic. */
function isTurkish(at: ReadonlySet<number>): boolean {
  return turkish.filter((byte) => at.has(byte)).length > 1 && !notTurkish.some((byte) => at.has(byte))
}

/** Chinese and Japanese text has its letters in rows. Single ones also occur when Western text is decoded this way. */
function detectEastAsianEncoding(bytes: Uint8Array): SpreadsheetEncoding | null {
  for (const [encoding, isFitting] of eastAsianEncodings) {
    // The piece may be cut within a letter.
    const text = new TextDecoder(encoding).decode(bytes).replace(/\ufffd$/, '')
    const rows = text.match(/[\p{Script=Han}\u3041-\u3096\u30a1-\u30fc]+/gu) ?? []
    const letters = rows.join('')
    const strange = text.match(/[^\0-\x7f\p{Script=Han}\u3000-\u30ff\uff01-\uff60]/gu) ?? []
    if (letters.length < eastAsianLettersMin || letters.length < 2 * rows.length || strange.length > 0) continue
    if (isFitting(letters, bytes)) return encoding
  }
  return null
}

/** Returns the bytes that decide, or null if the file is ASCII or UTF-8. */
function decidingBytes(file: Uint8Array): Uint8Array | null {
  const first = firstOutsideAscii(file)
  if (first === -1) return null
  const bytes = file.subarray(Math.max(0, first - 1), first + encodingBytesMax)
  return isNearlyUtf8(bytes) ? null : bytes
}

function detectAlphabet(bytes: Uint8Array): SpreadsheetEncoding | null {
  const found = detectLetterEncoding(bytes)
  return spreadsheetEncodings.find((encoding) => encoding === found) ?? null
}

function isChinese(bytes: Uint8Array): boolean {
  let [beyondKorean, beyondArabic] = [false, false]
  for (let at = 0; at + 1 < bytes.length; at++) {
    if (bytes[at]! < 0x80) continue
    beyondKorean ||= bytes[at]! > lastKorean
    at += 1
    beyondArabic ||= bytes[at]! < firstArabic
  }
  return beyondKorean && beyondArabic
}

function isMacRoman({ mac, macLetters, symbolsInWords, western }: ByteCounts): boolean {
  if (macLetters.size < macLettersMin && !macLetters.has(macAcuteE)) return false
  return mac > symbolsInWords && mac >= western
}

export function firstOutsideAscii(bytes: Uint8Array): number {
  return bytes.findIndex((byte) => byte >= 0x80)
}

// A file with a few broken bytes, as after two files were joined, still counts as UTF-8.
function isNearlyUtf8(bytes: Uint8Array): boolean {
  let [broken, letters] = [0, 0]
  for (const letter of new TextDecoder('utf-8').decode(bytes)) {
    if (letter === '\ufffd') broken++
    else if (letter > '\u007f') letters++
  }
  return letters > 0 && letters >= broken
}

interface ByteCounts {
  mac: number
  /** The different letters of Mac Roman that were counted. */
  macLetters: ReadonlySet<number>
  western: number
  symbolsInWords: number
  /** The letters ő ű, which are õ û in Windows-1252. There õ is followed by e, as in Portuguese. */
  hungarian: number
  at: ReadonlySet<number>
}

function countBytes(bytes: Uint8Array): ByteCounts {
  const at = new Set<number>()
  const macLetters = new Set<number>()
  const counts = { mac: 0, macLetters, western: 0, symbolsInWords: 0, hungarian: 0, at }
  for (const [index, byte] of bytes.entries()) {
    if (byte < 0x80) continue
    const before = bytes[index - 1] ?? 0
    const after = bytes[index + 1] ?? 0
    at.add(byte)
    if ((byte === 0xa3 || byte === 0xaf) && after >= 0xe0) counts.symbolsInWords += 1
    if (!isLetter(before) && !isLetter(after)) continue
    if (byte >= 0xe0) counts.western += 1
    if ((byte === 0xf5 || byte === 0xfb) && isSmall(before) && after !== 0x65) counts.hungarian += 1
    if (isSmall(before) && (capitalsMac.has(byte) || (marksMac.has(byte) && (isLetter(after) || byte === 0x8f)))) {
      counts.mac += 1
      macLetters.add(byte)
    }
    if (symbols1252.has(byte) && isLetter(after) && (isLetter(before) || byte === 0xa3 || byte === 0xaf))
      counts.symbolsInWords += 1
    else if ((byte === 0xb3 || byte === 0xb9 || byte === 0xbf || byte === 0xbe) && isSmall(before))
      counts.symbolsInWords += 1
  }
  return counts
}

function isLetter(byte: number): boolean {
  return isSmall(byte) || (byte >= 0x41 && byte <= 0x5a)
}

function isSmall(byte: number): boolean {
  return byte >= 0x61 && byte <= 0x7a
}
