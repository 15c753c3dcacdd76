import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyOf, before, captured, notBefore, optional, repeated, sequence } from './patterns.ts'

const word = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 })
const words = fc.array(word, { minLength: 1, maxLength: 6 })

describe('patterns of words', () => {
  test('a word matches itself, with any characters', () => {
    fc.assert(fc.property(words, (all) => all.every((one) => anyOf(all).exec(one)?.index === 0)))
    fc.assert(fc.property(word, word, (one, other) => anyOf([one]).test(other) === other.includes(one)))
  })

  test('a list within a sequence is a choice', () => {
    fc.assert(
      fc.property(words, words, (first, second) => {
        const whole = sequence([/^/, first, '+', second, /$/])
        return first.every((a) => second.every((b) => whole.test(`${a}+${b}`)))
      }),
    )
  })

  test.each([
    ['a choice applies to its own part only', sequence([/a|b/, 'c']), ['ac', 'bc'], ['a', 'c']],
    ['a nested choice too', sequence(['x', anyOf(['a', 'b']), 'y']), ['xay', 'xby'], ['xa', 'by']],
    ['a bar in a class is no choice', sequence([/[|]/, 'c']), ['|c'], ['c']],
    ['an escaped bar is no choice', sequence([/\|/, 'c']), ['|c'], ['c']],
    ['one or none', sequence([/^/, optional(['a', 'bc']), 'd', /$/]), ['d', 'ad', 'bcd'], ['abcd', 'bd']],
    ['a repetition', sequence([/^/, repeated(['a', 'bc'], '{2,3}'), /$/]), ['abc', 'aaa', 'bcbc'], ['a', 'aaaa']],
    ['what follows', sequence(['a', before(['b', 'c'])]), ['ab', 'ac'], ['a', 'ad']],
    ['what does not', sequence(['a', notBefore(['b', 'c'])]), ['a', 'ad'], ['ab', 'ac']],
    ['letters of every script', sequence([/^/, anyOf([/\p{L}{2}/u]), /$/]), ['äß', 'ящ'], ['p{L}', 'a1']],
    ['in either case', anyOf(['über'], 'iu'), ['ÜBER'], ['uber']],
  ])('%s', (_, pattern, good, bad) => {
    expect(good.filter((text) => !pattern.test(text))).toEqual([])
    expect(bad.filter((text) => pattern.test(text))).toEqual([])
  })

  test('captured parts are available by index or name', () => {
    expect(sequence([captured(['a', 'b']), 'c']).exec('bc')?.[1]).toBe('b')
    expect(sequence([captured(['a', 'b'], 'first'), 'c']).exec('bc')?.groups?.['first']).toBe('b')
  })
})
