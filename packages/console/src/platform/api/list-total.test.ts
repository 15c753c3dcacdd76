import { totalCountMax } from '@overture/contract/common.ts'
import { expect, test } from 'vitest'
import { countedMax, readTotal, totalText } from './list-total.ts'

test('the console and the contract agree on the number to which a search counts', () => {
  expect(countedMax).toBe(totalCountMax)
})

test.each([
  [9_999, true, '9,999'],
  [10_000, true, '10,000+'],
  [10_000, false, '10,000'],
  [25_000, false, '25,000'],
])('a total of %i in a list with capped count %s is shown as %s', (count, isCapped, shown) => {
  expect(totalText(readTotal(count, isCapped))).toBe(shown)
})
