import { createHash, randomInt } from 'node:crypto'
import { nineDigits } from '../ground/text/id-form.ts'

type IdPrefix =
  | 'acc'
  | 'key'
  | 'usr'
  | 'inv'
  | 'ses'
  | 'aud'
  | 'snd'
  | 'tnc'
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

// Half of what nine digits hold, so that counting up within a millisecond has the other half, and can't begin again.
const firstEnd = 2 ** 44
const stepMax = 2 ** 24

// The last id's millisecond and random part: ids made in one millisecond count up, so that a batch keeps its order.
let lastMs = 0
let lastRandom = 0

/**
 * A prefixed, time-ordered, opaque id: `cmp_` and 18 characters of lower-case Crockford base 32, of which the first nine
 * are the milliseconds since 1970. Ids of one process sort in the order they were made as long as its clock goes
 * forward, and behind all of the longer form, whose time began with a 0. Source: docs/contract.md, "Conventions".
 *
 * Nine random characters, 45 bits, are enough: keys hold the account and ids their kind, so that two can be the same
 * only where two processes make ids of one kind for one account in the same millisecond. The first of a millisecond is
 * one of 2^44, and the next go up by steps that are drawn: where each of two processes makes a hundred then, less than
 * one such millisecond in a thousand million has a pair. Steps are at most 2^24, so that a million and more fit before the
 * 45 bits are full. They are drawn so that whoever knows one id of a batch doesn't know the next: a report is
 * believed for the Message-ID that it names (docs/decisions/0160-forged-reports.md).
 */
export function newId(prefix: IdPrefix, atMs: number = realNowMs()): string {
  lastRandom = atMs === lastMs ? lastRandom + randomInt(1, stepMax + 1) : randomInt(firstEnd)
  lastMs = atMs
  return `${prefix}_${nineDigits(atMs)}${nineDigits(lastRandom)}`
}

const digitsEnd = 2n ** 45n

/** Returns the same id for the same seed, in the usual form. The id is not ordered by time and not secret. */
export function idFrom(prefix: IdPrefix, seed: string): string {
  const digest = createHash('sha256').update(`${prefix} ${seed}`).digest()
  const [first, second] = [digest.readBigUInt64BE(0) % digitsEnd, digest.readBigUInt64BE(8) % digitsEnd]
  return `${prefix}_${nineDigits(Number(first))}${nineDigits(Number(second))}`
}

// Ids are ordered by real time in both environments: the order in which rows were made, not what a test clock says.
function realNowMs(): number {
  return Date.now()
}
