import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { BitMemory, hasWasm, type BitKernel } from './bit-kernel.ts'

const docs = 512
const bytes = docs / 8
const owners = 128

interface Layout {
  a: number
  b: number
  owned: number
  offsets: number
  docs: number
  column: number
  small: number
  ints: number
  list: number
  listLength: number
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

function bitsOf(list: number[], size: number): Uint32Array {
  const bits = new Uint32Array(size / 32)
  for (const doc of list) bits[doc >>> 5]! |= 1 << (doc & 31)
  return bits
}

function layOut(memory: BitMemory, world: World): Layout {
  const byOwner = Array.from({ length: owners }, (_, owner) =>
    world.column.flatMap((value, doc) => (value === owner ? [doc] : [])),
  )
  const offsets = new Uint32Array(owners + 1)
  byOwner.forEach((list, owner) => (offsets[owner + 1] = offsets[owner]! + list.length))
  return {
    a: memory.put(bitsOf(world.a, docs)),
    b: memory.put(bitsOf(world.b, docs)),
    owned: memory.put(bitsOf(world.owned, owners)),
    offsets: memory.put(offsets),
    docs: memory.put(Uint32Array.from(byOwner.flat())),
    column: memory.put(Uint32Array.from(world.column)),
    small: memory.put(Uint8Array.from(world.small)),
    ints: memory.put(Int32Array.from(world.ints)),
    list: memory.put(Uint32Array.from(world.b)),
    listLength: world.b.length,
  }
}

const operations: Record<string, (kernel: BitKernel, at: Layout, world: World) => number | void> = {
  or: (kernel, at) => kernel.or(at.a, at.b, bytes),
  and: (kernel, at) => kernel.and(at.a, at.b, bytes),
  copy: (kernel, at) => kernel.copy(at.a, at.b, bytes),
  clear: (kernel, at) => kernel.clear(at.a, bytes),
  count: (kernel, at) => kernel.count(at.a, bytes),
  setList: (kernel, at) => kernel.setList(at.a, at.list, at.listLength),
  sumOwned: (kernel, at) => kernel.sumOwned(at.owned, owners / 8, at.offsets),
  setOwned: (kernel, at) => kernel.setOwned(at.a, at.owned, owners / 8, at.offsets, at.docs),
  keepOwned: (kernel, at) => kernel.keepOwned(at.a, bytes, at.column, at.owned),
  keepBytes: (kernel, at, { min, max }) => kernel.keepBytes(at.a, bytes, at.small, min, max),
  keepInts: (kernel, at, { low, high }) => kernel.keepInts(at.a, bytes, at.ints, low, high),
}

/** The definition of each operation, on sets of numbers. */
const plain: Record<string, (world: World) => number[] | number> = {
  or: ({ a, b }) => [...a, ...b],
  and: ({ a, b }) => a.filter((doc) => b.includes(doc)),
  copy: ({ b }) => b,
  clear: () => [],
  count: ({ a }) => new Set(a).size,
  setList: ({ a, b }) => [...a, ...b],
  sumOwned: ({ owned, column }) => column.filter((owner) => owned.includes(owner)).length,
  setOwned: ({ a, owned, column }) => [...a, ...column.flatMap((owner, doc) => (owned.includes(owner) ? [doc] : []))],
  keepOwned: ({ a, owned, column }) => a.filter((doc) => owned.includes(column[doc]!)),
  keepBytes: ({ a, small, min, max }) => a.filter((doc) => small[doc]! >= min && small[doc]! <= max),
  keepInts: ({ a, ints, low, high }) => a.filter((doc) => ints[doc]! >= low && ints[doc]! <= high),
}

describe.each(['wasm', 'javascript'] as const)('the kernel in %s', (kind) => {
  test.each(Object.keys(operations))('%s does what it says of sets of numbers', (name) => {
    expect(hasWasm()).toBe(true)
    fc.assert(
      fc.property(worldArb, (world) => {
        const memory = new BitMemory(0, kind)
        const at = layOut(memory, world)
        const answer = operations[name]!(memory.kernel, at, world)
        const expected = plain[name]!(world)
        if (typeof expected === 'number') expect(answer).toBe(expected)
        else expect(memory.list(at.a, docs / 32)).toEqual(bitsOf(expected, docs))
      }),
      { numRuns: 60 },
    )
  })

  test('keeps what it holds when it grows', () => {
    const memory = new BitMemory(0, kind)
    const at = memory.put(Uint32Array.of(1, 2, 3))
    const far = memory.allocate(500_000)
    expect(memory.list(at, 3)).toEqual(Uint32Array.of(1, 2, 3))
    expect(memory.list(far, 125_000).every((word) => word === 0)).toBe(true)
  })
})
