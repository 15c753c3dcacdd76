import { likeAnywhere } from '../ground/text/like.ts'
import type { SuppressionSource } from '@overture/contract/suppressions/suppressions.ts'

/** A recipient's own opt-out stays; everything else can be lifted by whoever owns the list. Source: docs/contract.md, "Inbox". */
export function mayLift(source: SuppressionSource): boolean {
  return source !== 'recipient'
}

/** What a person typed into a search field, as a `like` pattern that finds it anywhere. */
export function containsPattern(text: string | undefined): string | null {
  if (text === undefined || text === '') return null
  return likeAnywhere(text.toLowerCase())
}
