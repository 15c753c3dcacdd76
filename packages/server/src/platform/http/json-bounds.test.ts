import fc from 'fast-check'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { exceededBounds } from './json-bounds.ts'
import { parseJson } from './json.ts'

afterEach(() => vi.restoreAllMocks())

/** The expected result, measured on the parsed value. */
function measure(value: unknown): { depth: number; items: number; commas: number } {
  if (typeof value !== 'object' || value === null) return { depth: 0, items: 0, commas: 0 }
  const children = Object.values(value).map(measure)
  const most = (name: 'depth' | 'items') => Math.max(0, ...children.map((child) => child[name]))
  return {
    depth: 1 + most('depth'),
    items: Math.max(children.length, most('items')),
    commas: children.reduce((sum, child) => sum + child.commas, Math.max(0, children.length - 1)),
  }
}

const nasty = fc.string({
  unit: fc.constantFrom('[', ']', '{', '}', ',', ':', '"', '\\', 'é', '😀', ' ', 'a'),
  maxLength: 12,
})
const { value: json } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 30, depthSize: 'max' },
    nasty,
    fc.integer(),
    fc.constant(null),
    tie('list'),
    tie('record'),
  ),
  list: fc.array(tie('value'), { maxLength: 4 }),
  record: fc.dictionary(nasty, tie('value'), { maxKeys: 4 }),
}))

function bytesOf(value: unknown, indent: number): Uint8Array {
  return Buffer.from(JSON.stringify(value, null, indent))
}

describe('limits of a JSON text', () => {
  test('a text within the limits passes, with any strings, names and layout', () => {
    fc.assert(
      fc.property(json, fc.nat(3), (value, indent) => {
        fc.pre(measure(value).depth <= 32)
        expect(exceededBounds(bytesOf(value, indent))).toBeNull()
        expect(parseJson(bytesOf(value, indent))).toEqual({ ok: true, value: JSON.parse(JSON.stringify(value)) })
      }),
    )
  })

  test('a text that is too deep is refused, at any place', () => {
    fc.assert(
      fc.property(json, fc.integer({ min: 33, max: 200 }), fc.array(fc.boolean()), (value, levels, kinds) => {
        let deep: unknown = value
        for (let level = 0; level < levels; level++)
          deep = kinds[level % (kinds.length || 1)] ? { [`"[${level}`]: deep } : [deep]
        expect(exceededBounds(bytesOf([value, deep], 1))).toMatchObject({ rule: 'depth' })
      }),
    )
  })

  test.each([
    [10_000, null],
    [10_001, 'max'],
  ])('a list of %i items: %s, with its path', (length, rule) => {
    fc.assert(
      fc.property(
        fc.constantFrom('list', 'record'),
        fc.constantFrom('a', 'items', 'é'),
        fc.nat(3),
        (kind, name, before) => {
          const items = Array.from({ length }, (_, index) => index)
          const long = kind === 'list' ? items : Object.fromEntries(items.map((index) => [`k${index}`, index]))
          const value = { [name]: [...Array.from({ length: before }, () => ({ '],': 1 })), { b: long }] }
          const expected =
            rule === null ? null : { path: `${name}[${before}].b`, rule, message: 'Contains more than 10000 items.' }
          expect(exceededBounds(bytesOf(value, 0))).toEqual(expected)
        },
      ),
      { numRuns: 20 },
    )
  })

  test('more values than a thousand leads have are refused, however they are nested', () => {
    fc.assert(
      fc.property(fc.integer({ min: 21, max: 9_000 }), (width) => {
        const row = Array.from({ length: width }, () => 1)
        const rows = Array.from({ length: Math.min(9_999, Math.ceil(210_000 / (width - 1))) }, () => row)
        expect(exceededBounds(bytesOf(rows, 0))).toMatchObject({ rule: 'max', path: '' })
      }),
      { numRuns: 20 },
    )
  })

  test.each(['[', '{"a":', '[{"a":', '1,', '[1,', '"a",', '{"a":1},', '[],'])(
    'a mebibyte of %j is not parsed',
    (piece) => {
      const parse = vi.spyOn(JSON, 'parse')
      const bytes = Buffer.from(`[${piece.repeat(Math.ceil((1024 * 1024) / piece.length))}`)
      expect(parseJson(bytes).ok).toBe(false)
      expect(parse).not.toHaveBeenCalled()
    },
  )
})
