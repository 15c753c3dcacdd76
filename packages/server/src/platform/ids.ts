import { crockfordDigits } from '../ground/text/crockford.ts'
import { randomBytes } from 'node:crypto'

type IdPrefix =
  | 'acc'
  | 'key'
  | 'usr'
  | 'inv'
  | 'ses'
  | 'aud'
  | 'snd'
  | 'cmp'
  | 'stp'
  | 'var'
  | 'brn'
  | 'led'
  | 'thr'
  | 'msg'
  | 'mtg'
  | 'tpl'
  | 'prs'
  | 'whk'
  | 'evt'
  | 'imp'
  | 'gen'
  | 'req'
  | 'per'
  | 'com'
  | 'sup'
  | 'sig'
  | 'crd'
  | 'job'
  | 'sam'

const timeLength = 10
const randomLength = 16

// The last id's millisecond and random part: ids made in one millisecond count up, so that a batch keeps its order.
let lastMs = 0
let lastRandom: number[] = []

/**
 * A prefixed, time-ordered, opaque id: `cmp_` and 26 characters of lower-case Crockford base 32, of which the
 * first ten are the milliseconds since 1970. Ids of one process sort in the order they were made. Source: docs/contract.md, "Conventions".
 */
export function newId(prefix: IdPrefix, atMs: number = realNowMs()): string {
  if (atMs === lastMs) countUp(lastRandom)
  else lastRandom = Array.from(randomBytes(randomLength), (byte) => byte & 31)
  lastMs = atMs
  let text = ''
  for (const digit of lastRandom) text += crockfordDigits[digit]
  return `${prefix}_${encodeTime(atMs)}${text}`
}

function countUp(digits: number[]): void {
  for (let index = digits.length - 1; index >= 0; index--) {
    const next = (digits[index] ?? 0) + 1
    digits[index] = next & 31
    if (next < 32) return
  }
}

function encodeTime(atMs: number): string {
  let rest = atMs
  let text = ''
  for (let index = 0; index < timeLength; index++) {
    text = crockfordDigits[rest % 32] + text
    rest = Math.floor(rest / 32)
  }
  return text
}

// Ids are ordered by real time in both environments: the order in which rows were made, not what a test clock says.
function realNowMs(): number {
  return Date.now()
}
