import { likeAnywhere } from '@overture/ground/text/like.ts'
import type { Suppression, SuppressionSource } from '@overture/contract/suppressions/suppressions.ts'

/** A recipient's own opt-out can't be lifted. The account can lift every other suppression. Source: docs/contract.md, "Inbox". */
export function mayLift(source: SuppressionSource): boolean {
  return source !== 'recipient'
}

/** Turns the text of a search field into a `like` pattern that matches anywhere. */
export function containsPattern(text: string | undefined): string | null {
  if (text === undefined || text === '') return null
  return likeAnywhere(text.toLowerCase())
}

interface StoredSuppression extends Omit<Suppression, 'expiresAt' | 'createdAt'> {
  expiresAt: Date | null
  createdAt: Date
}

export function toSuppression(row: StoredSuppression): Suppression {
  return { ...row, expiresAt: row.expiresAt?.toISOString() ?? null, createdAt: row.createdAt.toISOString() }
}
