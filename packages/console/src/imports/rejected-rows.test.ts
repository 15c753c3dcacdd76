import { expect, test } from 'vitest'
import { rejectedRows } from './rejected-rows.ts'

test('rejected rows have the number that the spreadsheet shows, the code and the words', () => {
  const csv = [
    'row,reason,email,city',
    '2,invalid_email,not an address,"Berlin, Mitte"',
    '8,"invalid_field: Zone: Write a time zone such as: UTC",a@example.com,x',
    '',
  ].join('\n')
  expect(rejectedRows(csv, 100)).toEqual([
    { row: 3, code: 'invalid_email', message: '' },
    { row: 9, code: 'invalid_field', message: 'Zone: Write a time zone such as: UTC' },
  ])
  expect(rejectedRows(csv, 1)).toHaveLength(1)
})
