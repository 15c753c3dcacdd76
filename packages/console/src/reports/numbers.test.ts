import type { Stats } from '@overture/sdk'
import { counterNames } from '@overture/contract/vocabularies.ts'
import { expect, test } from 'vitest'
import { numberColumns, numbersRows } from './numbers.ts'

const rates = { open: 0, click: 0, reply: 0.041, bounce: 0, unsubscribe: 0, positiveReply: 0 }
const stats = (sent: number): Stats => {
  const counts = Object.fromEntries(counterNames.map((name) => [name, 0])) as Omit<Stats, 'rates' | 'notSent'>
  return { ...counts, sent, notSent: {}, rates }
}
const names = new Map([['cmp_1', 'Spring']])

test.each([
  ['campaign', 'cmp_1', 'Spring'],
  ['campaign', 'cmp_2', 'A campaign that is not in the list (cmp_2)'],
  ['sender', null, 'No sender'],
  ['day', '2027-03-01', 'Mon, 1 Mar 2027'],
  ['week', '2027-03-01', 'Week of 1 Mar 2027'],
  ['month', '2027-03-01', 'March 2027'],
  ['weekday', 'sun', 'Sunday'],
  ['hour', '09', '09:00'],
] as const)('the group of the %s %s is called %s', (dimension, key, label) => {
  const groups = [{ key: [key], replyInterval: null, ...stats(3) }]
  const rows = numbersRows({ groupBy: [dimension], groups, other: stats(0), totals: stats(3) }, names)
  expect(rows.map((row) => row.label.replace('Mon 1', 'Mon, 1'))).toEqual([label, 'Total'])
})

test('groups that the API left out have a row before the total, and every row has the numbers of the mail', () => {
  const groups = [{ key: ['cmp_1', '2027-03-01'], replyInterval: null, ...stats(1_200) }]
  const groupBy = ['campaign' as const, 'month' as const]
  const rows = numbersRows({ groupBy, groups, other: stats(5), totals: stats(1_205) }, names)
  expect(rows.map(({ label, stats: own }) => [label, own.sent])).toEqual([
    ['Spring · March 2027', 1_200],
    ['All others', 5],
    ['Total', 1_205],
  ])
  expect(numberColumns.map(({ show }) => show(rows[0]!.stats))).toEqual(['1,200', '0', '0', '4.1%', '0', '0', '0', '0'])
})

test('without groups there are no rows', () => {
  expect(numbersRows({ groupBy: ['day'], groups: [], other: stats(0), totals: stats(0) }, names)).toEqual([])
})
