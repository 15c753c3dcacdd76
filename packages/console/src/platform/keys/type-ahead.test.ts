import { expect, test } from 'vitest'
import { matchTyped, nothingTyped, typeLetter } from './type-ahead.ts'

const labels = ['Interested', 'Meeting booked', 'Meeting completed', 'Won', 'Wrong person', 'No label']

test.each([
  [-1, 'i', 'Interested'],
  [0, 'm', 'Meeting booked'],
  [1, 'mm', 'Meeting completed'],
  [2, 'M', 'Meeting booked'],
  [1, 'meeting c', 'Meeting completed'],
  [3, 'wr', 'Wrong person'],
  [3, 'won', 'Won'],
  [5, 'i', 'Interested'],
  [5, 'x', undefined],
])('at item %i the letters %j lead to %j', (current, letters, label) => {
  expect(labels[matchTyped(labels, current, letters)]).toBe(label)
})

test('letters belong together until a pause of a second', () => {
  const first = typeLetter(nothingTyped, 'm', 5_000)
  expect(typeLetter(first, 'e', 5_900)).toEqual({ letters: 'me', atMs: 5_900 })
  expect(typeLetter(first, 'e', 6_000)).toEqual({ letters: 'e', atMs: 6_000 })
})
