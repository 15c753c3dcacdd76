import { createHash } from 'node:crypto'
import { dayMs } from '@overture/ground/time/spans.ts'

/** A registered client that no user allows within this time is deleted. */
export const unusedClientMs = dayMs

/** The digest under which a token, a code or an id is stored. */
export function recordDigest(id: string): Buffer {
  return createHash('sha256').update(id).digest()
}
