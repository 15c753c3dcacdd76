import { createHash } from 'node:crypto'

/** 256 bits, as a cookie or a link carries them. */
export const tokenBytes = 32
const shape = /^[A-Za-z0-9_-]{43}$/

export function tokenOf(bytes: Buffer): string {
  return bytes.toString('base64url')
}

/** What is kept of a token; null for what can't be one, which costs no look-up. */
export function digestOf(token: string): Buffer | null {
  return shape.test(token) ? createHash('sha256').update(token).digest() : null
}
