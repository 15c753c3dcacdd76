import fc from 'fast-check'
import { expect, test } from 'vitest'
import { layOut, type Box, type Layout, type Link } from './layout.ts'

const box = (key: string, width = 100, height = 40): Box => ({ key, width, height })
const named = (layout: Layout) => new Map(layout.boxes.map((one) => [one.key, one]))

/** The problems of a layout: boxes that overlap, lines through boxes, and lines that start or end elsewhere. */
function problems({ boxes, lines, width, height }: Layout): string[] {
  const found: string[] = []
  const byKey = new Map(boxes.map((one) => [one.key, one]))
  const overlap = 0.001
  for (const [index, a] of boxes.entries()) {
    if (a.x < -overlap || a.y < 0 || a.x + a.width > width + overlap || a.y + a.height > height + overlap)
      found.push(`${a.key} is outside`)
    for (const b of boxes.slice(index + 1))
      if (a.x + a.width > b.x && b.x + b.width > a.x && a.y + a.height > b.y && b.y + b.height > a.y)
        found.push(`${a.key} and ${b.key} overlap`)
  }
  for (const { from, to, points } of lines) {
    const [start, end] = [byKey.get(from)!, byKey.get(to)!]
    const [first, last] = [points[0]!, points.at(-1)!]
    if (Math.abs(first.x - start.x - start.width / 2) > overlap || first.y !== start.y + start.height)
      found.push(`${from} to ${to} starts elsewhere`)
    if (Math.abs(last.x - end.x - end.width / 2) > overlap || last.y !== end.y)
      found.push(`${from} to ${to} ends elsewhere`)
    for (const [at, point] of points.slice(1).entries()) {
      const before = points[at]!
      if (point.y < before.y) found.push(`${from} to ${to} goes up`)
      const [x, wide] = [Math.min(before.x, point.x), Math.abs(before.x - point.x)]
      // A line touches its own boxes at their edges.
      for (const one of boxes)
        if (x < one.x + one.width && one.x < x + wide + overlap && before.y < one.y + one.height && one.y < point.y)
          found.push(`${from} to ${to} runs through ${one.key}`)
    }
  }
  return found
}

test('steps without branches are one straight column from top to bottom', () => {
  const boxes = ['a', 'b', 'c'].map((key) => box(key))
  const layout = layOut(boxes, [
    { from: 'a', to: 'b' },
    { from: 'b', to: 'c' },
  ])
  expect(layout.boxes.map(({ key, x }) => [key, x])).toEqual([
    ['a', 0],
    ['b', 0],
    ['c', 0],
  ])
  expect(layout.boxes.map(({ y }) => y)).toEqual(layout.boxes.map(({ y }) => y).toSorted((one, two) => one - two))
  expect(problems(layout)).toEqual([])
})

test('the paths of a branch are beside each other in their order, with the branch above their middle', () => {
  const layout = layOut(
    ['fork', 'one', 'two', 'three'].map((key) => box(key)),
    ['one', 'two', 'three'].map((to) => ({ from: 'fork', to })),
  )
  const at = named(layout)
  expect(at.get('one')!.x).toBeLessThan(at.get('two')!.x)
  expect(at.get('two')!.x).toBeLessThan(at.get('three')!.x)
  expect(at.get('fork')!.x).toBeCloseTo(at.get('two')!.x)
  expect(problems(layout)).toEqual([])
})

test('a path that skips steps runs beside them', () => {
  const layout = layOut(
    ['fork', 'a', 'b', 'c', 'end'].map((key) => box(key)),
    [
      { from: 'fork', to: 'a' },
      { from: 'a', to: 'b' },
      { from: 'b', to: 'c' },
      { from: 'c', to: 'end' },
      { from: 'fork', to: 'end' },
    ],
  )
  expect(layout.lines).toHaveLength(5)
  expect(problems(layout)).toEqual([])
})

test('an empty picture, a single box and boxes without a link are placed', () => {
  expect(layOut([], [])).toEqual({ boxes: [], lines: [], width: 0, height: 0 })
  expect(layOut([box('a')], [])).toMatchObject({ boxes: [{ x: 0, y: 0 }], width: 100, height: 40 })
  const apart = layOut([box('a'), box('b'), box('c')], [])
  expect(problems(apart)).toEqual([])
})

test('a hundred boxes in a row, and thirty branches within each other', () => {
  const row = Array.from({ length: 100 }, (_none, at) => box(`s${at}`))
  const chain = row.slice(1).map(({ key }, at) => ({ from: `s${at}`, to: key }))
  expect(problems(layOut(row, chain))).toEqual([])
  const deep = Array.from({ length: 30 }, (_none, at) => [box(`f${at}`), box(`y${at}`), box(`n${at}`)]).flat()
  const forks = Array.from({ length: 30 }, (_none, at): Link[] => [
    { from: `f${at}`, to: `y${at}` },
    { from: `f${at}`, to: `n${at}` },
    ...(at < 29 ? [{ from: `n${at}`, to: `f${at + 1}` }] : []),
    ...(at < 28 ? [{ from: `y${at}`, to: `f${at + 2}` }] : []),
  ]).flat()
  const layout = layOut(deep, forks)
  expect(problems(layout)).toEqual([])
  expect(layout.lines).toHaveLength(forks.length)
})

const drawn = fc
  .array(
    fc.record({
      width: fc.integer({ min: 10, max: 300 }),
      height: fc.integer({ min: 10, max: 200 }),
      to: fc.array(fc.nat(), { maxLength: 4 }),
    }),
    { minLength: 1, maxLength: 30 },
  )
  .map((all) => ({
    boxes: all.map(({ width, height }, at) => box(`s${at}`, width, height)),
    links: all.flatMap(({ to }, at) =>
      at === all.length - 1
        ? []
        : [...new Set(to.map((one) => at + 1 + (one % (all.length - at - 1))))].map((one) => ({
            from: `s${at}`,
            to: `s${one}`,
          })),
    ),
  }))

test('in any picture no box is covered, and every link is drawn once', () => {
  fc.assert(
    fc.property(drawn, ({ boxes, links }) => {
      const layout = layOut(boxes, links)
      expect(problems(layout)).toEqual([])
      const sorted = (all: readonly Link[]) => all.map(({ from, to }) => `${from} ${to}`).toSorted()
      expect(sorted(layout.lines)).toEqual(sorted(links))
      expect(layout.boxes.map(({ key }) => key).toSorted()).toEqual(boxes.map(({ key }) => key).toSorted())
    }),
    { numRuns: 100 },
  )
})
