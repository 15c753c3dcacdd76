/** Places the boxes of a picture in rows from top to bottom, so that no box and no line covers another box. */

export interface Box {
  key: string
  width: number
  height: number
}

/** A line between two boxes. Links make no circle. */
export interface Link {
  from: string
  to: string
}

export interface Point {
  x: number
  y: number
}

export interface PlacedBox extends Box, Point {}

export interface Line extends Link {
  /** From the lower edge of one box to the upper edge of the other. Every second part is vertical and passes a row. */
  points: Point[]
}

export interface Layout {
  boxes: PlacedBox[]
  lines: Line[]
  width: number
  height: number
}

const columnGap = 28
const rowGap = 44
/** The width that a line needs where it passes a row of boxes. */
const laneWidth = 12
/** After so many rounds boxes hardly move any more. */
const roundsMax = 12

/** A box in its row, or the place where a line passes the row. */
interface Item {
  key: string
  box: Box | null
  width: number
  /** The horizontal center. */
  center: number
}

interface Rows {
  rows: Item[][]
  /** The items that each link passes, from its first box to its last one. */
  chains: { link: Link; items: Item[] }[]
}

export function layOut(boxes: readonly Box[], links: readonly Link[]): Layout {
  const { rows, chains } = toRows(boxes, links)
  center(rows, chains)
  return measure(rows, chains)
}

function toRows(boxes: readonly Box[], links: readonly Link[]): Rows {
  const depths = findDepths(boxes, links)
  const rows: Item[][] = Array.from({ length: Math.max(0, ...depths.values()) + 1 }, () => [])
  const items = new Map(boxes.map((box) => [box.key, { key: box.key, box, width: box.width, center: 0 }]))
  const outgoing = groupBy(links, ({ from }) => from)
  const chains: Rows['chains'] = []
  const seen = new Set<string>()
  // Depth first keeps the paths of a branch in their order, and the boxes of a path together.
  const visit = (key: string): void => {
    const item = items.get(key)
    if (item === undefined || seen.has(key)) return
    seen.add(key)
    rows[depths.get(key)!]!.push(item)
    for (const link of outgoing.get(key) ?? []) {
      const passed: Item[] = []
      for (let row = depths.get(key)! + 1; row < depths.get(link.to)!; row++) {
        const lane = { key: `${link.from} ${link.to} ${row}`, box: null, width: laneWidth, center: 0 }
        rows[row]!.push(lane)
        passed.push(lane)
      }
      visit(link.to)
      chains.push({ link, items: [item, ...passed, items.get(link.to)!] })
    }
  }
  for (const { key } of boxes) visit(key)
  return { rows, chains }
}

/** The row of each box: one more than the lowest box that leads to it. */
function findDepths(boxes: readonly Box[], links: readonly Link[]): Map<string, number> {
  const incoming = groupBy(links, ({ to }) => to)
  const depths = new Map<string, number>()
  const find = (key: string): number => {
    const known = depths.get(key)
    if (known !== undefined) return known
    const depth = Math.max(-1, ...(incoming.get(key) ?? []).map(({ from }) => find(from))) + 1
    depths.set(key, depth)
    return depth
  }
  for (const { key } of boxes) find(key)
  return depths
}

/** Moves boxes below and above those that they are linked with, as near as the order of each row allows. */
function center(rows: readonly Item[][], chains: Rows['chains']): void {
  const above = new Map<Item, Item[]>()
  const below = new Map<Item, Item[]>()
  for (const { items } of chains)
    for (const [index, item] of items.slice(1).entries()) {
      append(above, item, items[index]!)
      append(below, items[index]!, item)
    }
  for (const row of rows) spread(row, () => 0)
  for (let round = 0; round < roundsMax; round++) {
    for (const row of rows) spread(row, (item) => mean(above.get(item)) ?? item.center)
    for (const row of rows.toReversed()) spread(row, (item) => mean(below.get(item)) ?? item.center)
  }
}

/** Sets the centers of a row as near to the wanted ones as the widths and the order allow: the least sum of squares. */
function spread(row: readonly Item[], wanted: (item: Item) => number): void {
  const offsets: number[] = []
  for (const [index, { width }] of row.entries())
    offsets.push(index === 0 ? 0 : offsets[index - 1]! + (row[index - 1]!.width + width) / 2 + columnGap)
  const blocks: { sum: number; count: number }[] = []
  for (const [index, item] of row.entries()) {
    blocks.push({ sum: wanted(item) - offsets[index]!, count: 1 })
    while (blocks.length > 1 && level(blocks.at(-1)!) < level(blocks.at(-2)!)) {
      const { sum, count } = blocks.pop()!
      const before = blocks.at(-1)!
      before.sum += sum
      before.count += count
    }
  }
  const levels = blocks.flatMap((block) => Array.from({ length: block.count }, () => level(block)))
  for (const [index, item] of row.entries()) item.center = levels[index]! + offsets[index]!
}

function level({ sum, count }: { sum: number; count: number }): number {
  return sum / count
}

function measure(rows: readonly Item[][], chains: Rows['chains']): Layout {
  const all = rows.flat()
  const left = Math.min(0, ...all.map(({ center: at, width }) => at - width / 2))
  const heights = rows.map((row) => Math.max(0, ...row.map(({ box }) => box?.height ?? 0)))
  const tops = heights.map((_height, row) => heights.slice(0, row).reduce((sum, height) => sum + height + rowGap, 0))
  const rowOf = new Map(rows.flatMap((row, index) => row.map((item) => [item, index] as const)))
  const passing = (item: Item): [Point, Point] => {
    const row = rowOf.get(item)!
    const x = item.center - left
    const top = tops[row]!
    return [
      { x, y: top },
      { x, y: top + heights[row]! },
    ]
  }
  const lines = chains.map(({ link, items }) => {
    const [first, ...rest] = items
    const from = passing(first!)
    const start = { x: from[0].x, y: from[0].y + first!.box!.height }
    const last = passing(rest.at(-1)!)[0]
    return { ...link, points: [start, from[1], ...rest.slice(0, -1).flatMap(passing), last] }
  })
  const boxes = all.flatMap((item) =>
    item.box === null ? [] : [{ ...item.box, x: passing(item)[0].x - item.width / 2, y: passing(item)[0].y }],
  )
  const width = Math.max(0, ...all.map(({ center: at, width: wide }) => at + wide / 2 - left))
  return { boxes, lines, width, height: (tops.at(-1) ?? 0) + (heights.at(-1) ?? 0) }
}

function mean(items: readonly Item[] | undefined): number | null {
  if (items === undefined) return null
  return items.reduce((sum, { center: at }) => sum + at, 0) / items.length
}

function groupBy<Value>(values: readonly Value[], name: (value: Value) => string): Map<string, Value[]> {
  const groups = new Map<string, Value[]>()
  for (const value of values) append(groups, name(value), value)
  return groups
}

function append<Key, Value>(groups: Map<Key, Value[]>, key: Key, value: Value): void {
  const group = groups.get(key)
  if (group === undefined) groups.set(key, [value])
  else group.push(value)
}
