export interface Random {
  /** A whole number from `min` to `max`, both included. */
  between(min: number, max: number): number
  oneIn(count: number): boolean
  pick<Item>(items: readonly Item[]): Item
}

/** A random generator that gives the same values for the same seed (mulberry32). */
export function createRandom(seed: number): Random {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = state
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return {
    between: (min, max) => min + Math.floor(next() * (max - min + 1)),
    oneIn: (count) => next() < 1 / count,
    pick: (items) => items[Math.floor(next() * items.length)]!,
  }
}
