/** Deterministic choices: the same seed gives the same result, so that a preview equals the sent message. */

/**
 * A whole number from 0 to 2³² − 1. FNV-1a with a final mix: neighbouring ids differ only in their last characters, which plain
 * FNV maps to neighbouring values.
 */
export function hash32(text: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}

/** A number from 0 to below 1. */
export function unitInterval(seed: string): number {
  return hash32(seed) / 4_294_967_296
}

/** An index below `count`, evenly spread over seeds. */
export function seededIndex(seed: string, count: number): number {
  return count < 2 ? 0 : hash32(seed) % count
}

/** Chooses one of several items. */
export function pick<Item>(items: readonly [Item, ...Item[]], seed: string): Item {
  return items[seededIndex(seed, items.length)] ?? items[0]
}

/** Chooses an item in proportion to its weight. Returns the first one if no weight is positive. */
export function chooseByWeight<Item extends { weight: number }>(
  items: readonly Item[],
  seed: string,
): Item | undefined {
  const total = items.reduce((sum, item) => sum + Math.max(0, item.weight), 0)
  if (total <= 0) return items[0]
  let rest = hash32(seed) % total
  for (const item of items) {
    rest -= Math.max(0, item.weight)
    if (rest < 0) return item
  }
  return items.at(-1)
}

/** A sequence of numbers from 0 to below 1 (mulberry32). */
export function seededRandom(seed: string): () => number {
  let state = hash32(seed)
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
