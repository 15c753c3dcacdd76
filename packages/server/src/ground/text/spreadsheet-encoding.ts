import type { SpreadsheetEncoding } from '@overture/contract/campaigns/imports.ts'

/** Symbols of Windows-1252 that are letters of Central Europe in Windows-1250: Ł Ą Ż ł ą ż ľ ş and so on. */
const symbols1252 = new Set([0xa3, 0xa5, 0xaa, 0xaf, 0xb3, 0xb9, 0xba, 0xbc, 0xbe, 0xbf])
/** What no Western text has inside a word; in Mac Roman these are á à â ã ç è ê and so on. */
const marksMac = new Set([0x87, 0x88, 0x89, 0x8b, 0x8d, 0x8f, 0x90, 0x95, 0x98, 0x99, 0x9b, 0x9d])
/** Capitals of Windows-1252, which don't follow a small letter; in Mac Roman ä å é ü. */
const capitalsMac = new Set([0x8a, 0x8c, 0x8e, 0x9f])
const cyrillicShareMin = 0.6
const cyrillicBytesMin = 6

/**
 * The encoding that a file which is neither UTF-8 nor UTF-16 probably has, if it is not Windows-1252. It looks at the
 * neighbours of each byte outside ASCII: Cyrillic words consist of such bytes, Western and Central European ones have few.
 */
export function likelyEncodingOf(bytes: Uint8Array): SpreadsheetEncoding | null {
  const counts = countBytes(bytes)
  const { high, inRuns, small1251, at } = counts
  if (high >= cyrillicBytesMin && inRuns >= high * cyrillicShareMin)
    return small1251 * 2 >= inRuns ? 'windows-1251' : 'koi8-r'
  if (counts.mac > counts.symbolsInWords && counts.mac >= counts.western) return 'macintosh'
  const hasCaron = at.has(0x9a) || at.has(0x9e) || at.has(0x8a) || at.has(0x8e)
  const isCzech = hasCaron && (at.has(0xf8) || at.has(0xe8) || at.has(0xec) || at.has(0xf9))
  const isHungarian = at.has(0xfb) && at.has(0xe1) && (at.has(0xf6) || at.has(0xfc))
  return counts.symbolsInWords > 0 || isCzech || isHungarian ? 'windows-1250' : null
}

interface ByteCounts {
  high: number
  inRuns: number
  small1251: number
  mac: number
  western: number
  symbolsInWords: number
  at: ReadonlySet<number>
}

function countBytes(bytes: Uint8Array): ByteCounts {
  const at = new Set<number>()
  const counts = { high: 0, inRuns: 0, small1251: 0, mac: 0, western: 0, symbolsInWords: 0, at }
  for (const [index, byte] of bytes.entries()) {
    if (byte < 0x80) continue
    const before = bytes[index - 1] ?? 0
    const after = bytes[index + 1] ?? 0
    at.add(byte)
    counts.high += 1
    if (isCyrillic(byte) && (isCyrillic(before) || isCyrillic(after))) {
      counts.inRuns += 1
      if (byte >= 0xe0) counts.small1251 += 1
    }
    if (!isLetter(before) && !isLetter(after)) continue
    if (byte >= 0xe0) counts.western += 1
    if (isSmall(before) && (capitalsMac.has(byte) || (marksMac.has(byte) && (isLetter(after) || byte === 0x8f))))
      counts.mac += 1
    if (symbols1252.has(byte) && isLetter(after) && (isLetter(before) || byte === 0xa3 || byte === 0xaf))
      counts.symbolsInWords += 1
    else if ((byte === 0xb3 || byte === 0xb9 || byte === 0xbf || byte === 0xbe) && isSmall(before))
      counts.symbolsInWords += 1
  }
  return counts
}

function isCyrillic(byte: number): boolean {
  return byte >= 0xc0 || byte === 0xa8 || byte === 0xb8
}

function isLetter(byte: number): boolean {
  return isSmall(byte) || (byte >= 0x41 && byte <= 0x5a)
}

function isSmall(byte: number): boolean {
  return byte >= 0x61 && byte <= 0x7a
}
