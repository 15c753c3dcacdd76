import { expect, test } from 'vitest'
import { tagKey } from './tag-key.ts'

test.each([
  ['ascii', ['Alpha', 'ALPHA', 'alpha'], 'alpha'],
  ['sharp s', ['STRA\u1e9eE', 'stra\u00dfe', 'Stra\u00dfe'], 'stra\u00dfe'],
  ['ohm and omega', ['\u2126', '\u03a9', '\u03c9'], '\u03c9'],
  ['kelvin and k', ['\u212a', 'K', 'k'], 'k'],
  ['sigma at the end, in capitals and within', ['\u0391\u03a3', '\u03b1\u03c2', '\u03b1\u03c3'], '\u03b1\u03c3'],
  ['composed and decomposed e', ['\u00c9', 'E\u0301', 'e\u0301', '\u00e9'], '\u00e9'],
  ['capital i with a dot', ['\u0130', 'I\u0307', 'i\u0307'], 'i\u0307'],
])('names that differ only in case or composition have one key: %s', (_case, names, key) => {
  expect(names.map(tagKey)).toEqual(names.map(() => key))
})

test.each([
  ['the i without a dot and i', '\u0131', 'i'],
  ['the capital i with a dot and i', '\u0130', 'i'],
  ['sharp s and two s', '\u00df', 'ss'],
  ['letters with and without an accent', '\u00e9', 'e'],
])('other letters have other keys: %s', (_case, one, other) => {
  expect(tagKey(one)).not.toBe(tagKey(other))
})
