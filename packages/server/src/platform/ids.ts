import { createHash, randomInt } from 'node:crypto'
import { nineDigits } from '@overture/ground/text/id-form.ts'

type IdPrefix =
  | 'acc'
  | 'key'
  | 'usr'
  | 'inv'
  | 'ses'
  | 'aud'
  | 'snd'
  | 'tnc'
  | 'sed'
  | 'plt'
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
  | 'vrf'
  | 'ers'
  | 'dmr'
  | 'tsk'
  | 'crd'
  | 'job'
  | 'sam'
  | 'nte'
  | 'tag'
  | 'lst'
  | 'rdr'
  | 'exp'
  | 'grt'
  | 'rep'
  | 'rrn'

// Half of the range of nine digits, so that counting up within a millisecond has the other half and can't overflow.
const firstEnd = 2 ** 44
const stepMax = 2 ** 24

// The millisecond and the random part of the last id. Ids of one millisecond count up, so that a batch keeps its order.
let lastMs = 0
let lastRandom = 0

/**
 * A prefixed, time-ordered, opaque id: `cmp_` and 18 characters of lower-case Crockford base 32, of which the first nine are the
 * milliseconds since 1970. Ids of one process sort in the order of their creation, as long as its clock goes forward. They sort
 * after all ids of the earlier, longer form, whose time began with a 0. Source: docs/contract.md, "Conventions".
 *
 * Nine random characters (45 bits) are enough. Keys contain the account and ids their kind, so two ids can only be equal if two
 * processes create ids of one kind for one account in the same millisecond. The first id of a millisecond is one of 2^44, and the
 * next ones go up by random steps. If each of two processes creates a hundred ids in a millisecond, less than one such
 * millisecond in a thousand million has a duplicate. Steps are at most 2^24, so that more than a million fit before the 45 bits
 * are full. The steps are random, so that one known id of a batch does not reveal the next: a report is trusted if it names a
 * Message-ID (docs/decisions/0021-believe-mail-only-with-proof.md).
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

// Ids use real time in both environments: they are in the order in which rows were created, whatever the test clock says.
function realNowMs(): number {
  return Date.now()
}
