import type { FeedPosition } from '../platform/events/feed.sql.ts'

/** The order of the log is by transaction, then by position. */
export function isAfter(one: FeedPosition, other: FeedPosition | null): boolean {
  if (other === null) return true
  const [left, right] = [BigInt(one.txId), BigInt(other.txId)]
  return left === right ? one.position > other.position : left > right
}

/** The position from which one reader can serve all positions. Null means the beginning of the log. */
export function oldest(positions: readonly (FeedPosition | null)[]): FeedPosition | null {
  let least: FeedPosition | null = null
  for (const position of positions) {
    if (position === null) return null
    if (least === null || isAfter(least, position)) least = position
  }
  return least
}
