import { expect, test } from 'vitest'
import { findDistinctions } from './distinct-names.ts'

test('things are told apart by name, else by day, else by id', () => {
  const things = [
    { id: 'a', name: 'Spring', day: '1 Mar' },
    { id: 'b', name: 'Spring', day: '2 Mar' },
    { id: 'c', name: 'Summer', day: '2 Mar' },
    { id: 'd', name: 'Twins', day: '3 Mar' },
    { id: 'e', name: 'Twins', day: '3 Mar' },
  ]
  expect([...findDistinctions(things)]).toEqual([
    ['a', 'day'],
    ['b', 'day'],
    ['c', 'name'],
    ['d', 'id'],
    ['e', 'id'],
  ])
})
