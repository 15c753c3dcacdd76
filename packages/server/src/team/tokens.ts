import { createHash } from 'node:crypto'

/** A token of a cookie or a link has 256 bits. */
export const tokenBytes = 32
const shape = /^[A-Za-z0-9_-]{43}$/

export function formatToken(bytes: Buffer): string {
  return bytes.toString('base64url')
}

/** The digest of a token, which is what is stored. Null for text that can't be a token, which then costs no query. */
export function tokenDigest(token: string): Buffer | null {
  return shape.test(token) ? createHash('sha256').update(token).digest() : null
}
