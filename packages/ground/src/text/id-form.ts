import { crockfordDigits } from './crockford.ts'

// Nine digits hold the milliseconds since 1970 until the year 3084.
const partLength = 9
const prefixLength = 4

/** One of the two parts of an id after its prefix, from a number below 2^45. */
export function nineDigits(value: number): string {
  let rest = value
  let text = ''
  for (let index = 0; index < partLength; index++) {
    text = crockfordDigits[rest % 32] + text
    rest = Math.floor(rest / 32)
  }
  return text
}

/** The time at which an id was made. */
export function madeAtMs(id: string): number {
  let ms = 0
  for (const digit of id.slice(prefixLength, prefixLength + partLength)) ms = ms * 32 + crockfordDigits.indexOf(digit)
  return ms
}

const packedIdChars = 15

/** Packs an id without its prefix into 15 characters that are safe in a URL. Returns null for a text that is no id. */
export function packId(prefix: string, id: string): string | null {
  if (!id.startsWith(`${prefix}_`) || id.length !== prefixLength + 2 * partLength) return null
  let value = 0n
  for (const digit of id.slice(prefixLength)) {
    const at = crockfordDigits.indexOf(digit)
    if (at === -1) return null
    value = value * 32n + BigInt(at)
  }
  let text = ''
  for (let index = 0; index < packedIdChars; index++) {
    text = urlDigits[Number(value % 64n)] + text
    value /= 64n
  }
  return text
}

/** Restores the id from the result of `packId`. */
export function unpackId(prefix: string, packed: string): string {
  let value = 0n
  for (const digit of packed) value = value * 64n + BigInt(urlDigits.indexOf(digit))
  let text = ''
  for (let index = 0; index < 2 * partLength; index++) {
    text = crockfordDigits[Number(value % 32n)] + text
    value /= 32n
  }
  return `${prefix}_${text}`
}

/** The digits of base 64 that are safe in a URL. */
export const urlDigits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
