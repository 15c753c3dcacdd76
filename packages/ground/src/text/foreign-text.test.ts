import fc from 'fast-check'
import { expect, test } from 'vitest'
import { foreignText, foreignTextLengthMax } from './foreign-text.ts'

/** Any UTF-16 text: control characters and half surrogate pairs are as likely as letters. */
const anything = fc
  .array(
    fc.oneof(
      fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)),
      fc.integer({ min: 0, max: 0x9f }).map((unit) => String.fromCharCode(unit)),
      fc.integer({ min: 0xd800, max: 0xdfff }).map((unit) => String.fromCharCode(unit)),
      fc.integer({ min: 0x1_0000, max: 0x10_ffff }).map((point) => String.fromCodePoint(point)),
      fc.constantFrom('\0', '\r\n', '\r', '\n', '\t', '\u001b[2J', '\u0085', '😀', 'é'),
    ),
    { maxLength: 60 },
  )
  .map((pieces) => pieces.join(''))

test('the result has no control characters or lone surrogates, is short enough, and is stable', () => {
  fc.assert(
    fc.property(anything, fc.integer({ min: 0, max: 40 }), (text, lengthMax) => {
      const kept = foreignText(text, lengthMax)
      expect(kept.length).toBeLessThanOrEqual(lengthMax)
      expect(kept.isWellFormed()).toBe(true)
      expect(kept.replaceAll(/[\t\n]/g, '')).not.toMatch(/\p{Cc}/u)
      expect(foreignText(kept, lengthMax)).toBe(kept)
    }),
    { numRuns: 2_000 },
  )
})

test('ordinary text within the length is unchanged', () => {
  const ordinary = fc.string({ unit: 'binary' }).filter((text) => !/[^\P{Cc}\t\n]/u.test(text))
  fc.assert(
    fc.property(ordinary, (text) => {
      expect(foreignText(text)).toBe(text)
    }),
  )
})

test.each(['😀', '𐍈', '👩‍👩‍👧', '\u{10ffff}'])(
  'a surrogate pair (%s) at the limit is kept or removed as a whole',
  (pair) => {
    for (let before = 0; before <= foreignTextLengthMax; before++) {
      const kept = foreignText('x'.repeat(before) + pair)
      expect(kept.isWellFormed()).toBe(true)
      expect(kept).not.toContain('\ufffd')
      expect(kept.length).toBeLessThanOrEqual(foreignTextLengthMax)
    }
  },
)
