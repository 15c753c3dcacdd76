const optionSeparator = '|'

/**
 * One of the options of `"Hi|Hello"`, the same one for the same seed (lead and step), so that a preview is what is
 * sent. The text salts the choice: two groups of one message choose independently. Source: docs/contract.md, "Campaigns".
 */
export function spin(text: string, seed: string): string {
  const options = text.split(optionSeparator)
  return (options[seededIndex(`${seed}\n${text}`, options.length)] ?? '').trim()
}

/** An index below `count`, evenly spread over seeds. */
export function seededIndex(seed: string, count: number): number {
  return count < 2 ? 0 : hash32(seed) % count
}

/** One of the items in proportion to its weight, decided by the seed alone; undefined when nothing weighs anything. */
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

// FNV-1a and a final mix: neighbouring ids differ in their last characters only, which plain FNV maps to neighbours.
function hash32(text: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}
