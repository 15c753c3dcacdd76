import { randomBytes } from 'node:crypto'

export type IdPrefix =
  | 'acc' | 'key' | 'snd' | 'cmp' | 'stp' | 'var' | 'led' | 'thr' | 'msg' | 'mtg' | 'tpl' | 'prs' | 'whk' | 'evt'
  | 'imp' | 'gen' | 'req' | 'per' | 'com' | 'sup' | 'crd' | 'job'

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'
const timeLength = 10
const randomLength = 16

/**
 * A prefixed, time-ordered, opaque id: `cmp_` and 26 characters of lower-case Crockford base 32, of which the
 * first ten are the milliseconds since 1970. Ids made in one millisecond sort at random. Source: contract 1.
 */
export function newId(prefix: IdPrefix, atMs: number = realNowMs()): string {
  return `${prefix}_${encodeTime(atMs)}${encodeRandom(randomBytes(randomLength))}`
}

function encodeTime(atMs: number): string {
  let rest = atMs
  let text = ''
  for (let index = 0; index < timeLength; index++) {
    text = alphabet[rest % 32] + text
    rest = Math.floor(rest / 32)
  }
  return text
}

function encodeRandom(bytes: Uint8Array): string {
  let text = ''
  for (const byte of bytes) text += alphabet[byte & 31]
  return text
}

// Ids are ordered by real time in both environments: the order in which rows were made, not what a test clock says.
function realNowMs(): number {
  return Date.now()
}
