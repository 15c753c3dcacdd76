import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fitted, moved, opened, zoomed, type Size } from './viewport.ts'

const size = fc.record({ width: fc.integer({ min: 50, max: 4_000 }), height: fc.integer({ min: 50, max: 9_000 }) })
const shown: Size = { width: 800, height: 600 }

test('a fitted picture is visible as a whole, and is not enlarged', () => {
  fc.assert(
    fc.property(size, (picture) => {
      const { x, y, scale } = fitted(picture, shown)
      expect(scale).toBeLessThanOrEqual(1)
      expect(x).toBeGreaterThanOrEqual(0)
      expect(y).toBeGreaterThanOrEqual(0)
      expect(x + picture.width * scale).toBeLessThanOrEqual(shown.width)
      expect(y + picture.height * scale).toBeLessThanOrEqual(shown.height)
    }),
  )
  expect(fitted({ width: 100, height: 50 }, shown)).toEqual({ scale: 1, x: 350, y: 275 })
})

test('zooming keeps the point under the pointer, within limits', () => {
  const view = { x: 10, y: 20, scale: 1 }
  const at = { x: 210, y: 120 }
  expect(zoomed(view, 2, at)).toEqual({ scale: 2, x: -190, y: -80 })
  expect(zoomed(zoomed(view, 2, at), 0.5, at)).toEqual(view)
  expect(zoomed(view, 1_000, at).scale).toBe(3)
  expect(zoomed(view, 0, at).scale).toBe(0.05)
})

test('a part of the picture stays visible however far it is moved', () => {
  const picture = { width: 400, height: 2_000 }
  for (const far of [-100_000, 100_000]) {
    const { x, y, scale } = moved({ x: 0, y: 0, scale: 0.5 }, { x: far, y: far }, picture, shown)
    expect(x + picture.width * scale).toBeGreaterThan(40)
    expect(y + picture.height * scale).toBeGreaterThan(40)
    expect(x).toBeLessThan(shown.width)
    expect(y).toBeLessThan(shown.height)
  }
  expect(moved({ x: 5, y: 5, scale: 1 }, { x: 10, y: -10 }, picture, shown)).toEqual({ x: 15, y: -5, scale: 1 })
})

test('a picture opens as a whole, or with its upper part if the words would be too small', () => {
  const firstX = 100
  expect(opened({ width: 700, height: 500, firstX }, shown)).toEqual(fitted({ width: 700, height: 500 }, shown))
  expect(opened({ width: 400, height: 9_000, firstX }, shown)).toEqual({ scale: 1, x: 200, y: 16 })
  expect(opened({ width: 960, height: 9_000, firstX }, shown)).toEqual({ scale: 0.8, x: 16, y: 16 })
})

test.each([
  ['at the left', 100, 16],
  ['in the middle', 4_500, -2_300],
  ['at the right', 8_900, -4_616],
])('a wide picture opens with its first box %s in view', (_place, firstX, x) => {
  expect(opened({ width: 9_000, height: 9_000, firstX }, shown)).toEqual({ scale: 0.6, x, y: 16 })
})
