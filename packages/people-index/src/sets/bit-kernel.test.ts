import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { and, andNot, count, keepOwned, or, setList, setOwned, sumOwned, union, type Bits } from './bit-kernel.ts'
import { SlicedColumn } from './sliced-column.ts'

// Nineteen words, so that the unrolled loops have a remainder.
const docs = 608
const owners = 128
const unknownInt = -2147483648

interface Layout {
  a: Bits
  b: Bits
  owned: Bits
  column: Uint32Array
  list: Uint32Array
}

const set = (size: number) => fc.array(fc.nat({ max: size - 1 }), { maxLength: size })
const worldArb = fc.record({
  a: set(docs),
  b: set(docs),
  owned: set(owners - 1),
  column: fc.array(fc.nat({ max: owners - 1 }), { minLength: docs, maxLength: docs }),
  small: fc.array(fc.nat({ max: 255 }), { minLength: docs, maxLength: docs }),
  ints: fc.array(fc.oneof(fc.integer({ min: -40, max: 40 }), fc.integer()), { minLength: docs, maxLength: docs }),
  min: fc.oneof(fc.nat({ max: 255 }), fc.constantFrom(0, 254)),
  max: fc.oneof(fc.nat({ max: 255 }), fc.constantFrom(0, 254)),
  low: fc.oneof(fc.integer({ min: -40, max: 40 }), fc.constantFrom(-2147483647, 2147483647)),
  high: fc.oneof(fc.integer({ min: -40, max: 40 }), fc.constantFrom(-2147483647, 2147483647)),
})
type World = typeof worldArb extends fc.Arbitrary<infer Value> ? Value : never

function bitsOf(list: number[], size: number): Bits {
  const bits = new Uint32Array(size / 32)
  for (const doc of list) bits[doc >>> 5]! |= 1 << (doc & 31)
  return bits
}

function layOut(world: World): Layout {
  return {
    a: bitsOf(world.a, docs),
    b: bitsOf(world.b, docs),
    owned: bitsOf(world.owned, owners),
    column: Uint32Array.from(world.column),
    list: Uint32Array.from(world.b),
  }
}

function byOwner({ column }: World): { offsets: Uint32Array; docs: Uint32Array } {
  const lists: number[][] = Array.from({ length: owners }, () => [])
  column.forEach((owner, doc) => lists[owner]!.push(doc))
  const offsets = new Uint32Array(owners + 1)
  lists.forEach((list, owner) => (offsets[owner + 1] = offsets[owner]! + list.length))
  return { offsets, docs: Uint32Array.from(lists.flat()) }
}

const operations: Record<string, (at: Layout, world: World) => number | void> = {
  or: (at) => or(at.a, at.a, at.b),
  and: (at) => and(at.a, at.b, at.a),
  andNot: (at) => andNot(at.a, at.b),
  'union of two sets': (at) => union(at.a, [at.b, at.a.slice()]),
  'union of one set, a copy': (at) => union(at.a, [at.b]),
  'union of no set, a clear set': (at) => union(at.a, []),
  count: (at) => count(at.a),
  setList: (at) => setList(at.a, at.list),
  sumOwned: (at, world) => sumOwned(at.owned, byOwner(world).offsets),
  setOwned: (at, world) => setOwned(at.a, at.owned, byOwner(world)),
  keepOwned: (at) => keepOwned(at.a, at.column, at.owned),
  'a range of bytes': (at, { small, min, max }) => new SlicedColumn(Uint8Array.from(small), -1).keep(at.a, min, max),
  'a range of signed numbers': (at, { ints, low, high }) =>
    new SlicedColumn(Int32Array.from(ints), unknownInt).keep(at.a, low, high),
}

/** The definition of each operation, on sets of numbers. */
const plain: Record<string, (world: World) => number[] | number> = {
  or: ({ a, b }) => [...a, ...b],
  and: ({ a, b }) => a.filter((doc) => b.includes(doc)),
  andNot: ({ a, b }) => a.filter((doc) => !b.includes(doc)),
  'union of two sets': ({ a, b }) => [...a, ...b],
  'union of one set, a copy': ({ b }) => b,
  'union of no set, a clear set': () => [],
  count: ({ a }) => new Set(a).size,
  setList: ({ a, b }) => [...a, ...b],
  sumOwned: ({ owned, column }) => column.filter((owner) => owned.includes(owner)).length,
  setOwned: ({ a, owned, column }) => [...a, ...column.flatMap((owner, doc) => (owned.includes(owner) ? [doc] : []))],
  keepOwned: ({ a, owned, column }) => a.filter((doc) => owned.includes(column[doc]!)),
  'a range of bytes': ({ a, small, min, max }) => a.filter((doc) => small[doc]! >= min && small[doc]! <= max),
  'a range of signed numbers': ({ a, ints, low, high }) => a.filter((doc) => ints[doc]! >= low && ints[doc]! <= high),
}

describe('the kernel', () => {
  test.each(Object.keys(operations))('%s gives the same result as on sets of numbers', (name) => {
    fc.assert(
      fc.property(worldArb, (world) => {
        const at = layOut(world)
        const result = operations[name]!(at, world)
        const expected = plain[name]!(world)
        if (typeof expected === 'number') expect(result).toBe(expected)
        else expect(at.a).toEqual(bitsOf(expected, docs))
      }),
      { numRuns: 60 },
    )
  })

  test('a column with only unknown numbers has nothing in any range', () => {
    const column = new SlicedColumn(new Uint8Array(docs).fill(255), 255)
    const bits = bitsOf([1, 2, 3], docs)
    column.keep(bits, 0, 254)
    expect(count(bits)).toBe(0)
  })

  test('an unknown number is in no range', () => {
    const column = new SlicedColumn(Uint8Array.of(0, 255, 7), 255)
    const bits = Uint32Array.of(0b111)
    column.keep(bits, 0, 254)
    expect(bits).toEqual(Uint32Array.of(0b101))
  })
})
