import { crockfordDigits } from './crockford.ts'

// Of milliseconds since 1970 they reach to the year 3084.
const partLength = 9

// Ids had 26 characters behind their prefix once, ten of them time. Those that were made then are valid for ever.
const longIdLength = 30
const longTimeLength = 10
const prefixLength = 4

/** One of the two parts of an id behind its prefix: a number below 2^45. */
export function nineDigits(value: number): string {
  let rest = value
  let text = ''
  for (let index = 0; index < partLength; index++) {
    text = crockfordDigits[rest % 32] + text
    rest = Math.floor(rest / 32)
  }
  return text
}

/** When an id of either length was made. */
export function madeAtMs(id: string): number {
  const length = id.length === longIdLength ? longTimeLength : partLength
  let ms = 0
  for (const digit of id.slice(prefixLength, prefixLength + length)) ms = ms * 32 + crockfordDigits.indexOf(digit)
  return ms
}
