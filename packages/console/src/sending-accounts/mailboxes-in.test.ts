import { expect, test } from 'vitest'
import { mailboxesIn } from './mailboxes-in.ts'

test('reads addresses in all common formats', () => {
  const pasted =
    ' ada@example.com\r\n\nBo Lind <bo@example.com>;cy@example.com, "Dee" <dee@example.com>\n<eve@example.com>\nno address'
  expect(mailboxesIn(pasted)).toEqual([
    { email: 'ada@example.com' },
    { email: 'bo@example.com', fromName: 'Bo Lind' },
    { email: 'cy@example.com' },
    { email: 'dee@example.com', fromName: 'Dee' },
    { email: 'eve@example.com' },
    { email: 'no address' },
  ])
  expect(mailboxesIn(' \n ;')).toEqual([])
})
