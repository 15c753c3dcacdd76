import type { FeedPosition } from '../platform/events/feed.sql.ts'

/** The order of the log: by transaction, then by position. */
export function isAfter(one: FeedPosition, other: FeedPosition | null): boolean {
  if (other === null) return true
  const [left, right] = [BigInt(one.txId), BigInt(other.txId)]
  return left === right ? one.position > other.position : left > right
}

/** The place that a reader for all of them begins at; null: at the beginning of the log. */
export function oldest(positions: readonly (FeedPosition | null)[]): FeedPosition | null {
  let least: FeedPosition | null = null
  for (const one of positions) {
    if (one === null) return null
    if (least === null || isAfter(least, one)) least = one
  }
  return least
}
