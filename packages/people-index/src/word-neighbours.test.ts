import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isOneEdit } from './records/text.ts'
import { WordNeighbours } from './word-neighbours.ts'

const wordArb = fc.stringMatching(/^[abc]{1,7}$/)

test('finds exactly the words at edit distance one', () => {
  fc.assert(
    fc.property(fc.uniqueArray(wordArb, { maxLength: 60 }), wordArb, (words, word) => {
      const expected = words.flatMap((other, code) => (other.length >= 4 && isOneEdit(word, other) ? [code] : []))
      expect(new WordNeighbours(words, 4).find(word).toSorted((a, b) => a - b)).toEqual(expected)
    }),
    { numRuns: 500 },
  )
})
