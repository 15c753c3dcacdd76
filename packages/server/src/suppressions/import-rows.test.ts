import { describe, expect, test } from 'vitest'
import { readEntry, readEntryColumns } from './import-rows.ts'

const header = ['email', 'domain', 'sha256', 'reason', 'expiresAt']
const columns = readEntryColumns(header)
const digest = 'AB'.repeat(32)
const nothing = { email: null, domain: null, sha256: null, reason: null, expiresAt: null }

describe('the first row of a suppression list', () => {
  test.each<[string, string[], object]>([
    ['finds fields in any spelling and order', ['Expires at', 'E-Mail'], { expiresAt: 0, email: 1 }],
    ['ignores other columns', ['name', 'domain', ''], { domain: 1 }],
    ['ignores the columns of a file of refused rows', ['row', 'reason', 'email', 'reason'], { email: 2, reason: 3 }],
  ])('%s', (_name, titles, found) => expect(readEntryColumns(titles)).toEqual(found))

  test.each([
    ['has no column that identifies an entry', ['name', 'reason']],
    ['has a column twice', ['email', 'Email address']],
  ])('is refused if it %s', (_name, titles) => expect(() => readEntryColumns(titles)).toThrow())
})

describe('a row of a suppression list', () => {
  test.each<[string, string[], object]>([
    ['has an address', [' Ada@Example.com '], { email: 'ada@example.com' }],
    ['has a domain', ['', '@Example.com'], { domain: 'example.com' }],
    ['has a digest', ['', '', digest], { sha256: digest.toLowerCase() }],
    ['has a reason', ['ada@example.com', '', '', "'=said no"], { email: 'ada@example.com', reason: '=said no' }],
    [
      'ends at a time with an offset',
      ['ada@example.com', '', '', '', '2027-01-31T12:00:00+01:00'],
      { email: 'ada@example.com', expiresAt: new Date('2027-01-31T11:00:00Z') },
    ],
    [
      'ends after the day of a date',
      ['ada@example.com', '', '', '', '2027-01-31'],
      { email: 'ada@example.com', expiresAt: new Date('2027-02-01T00:00:00Z') },
    ],
  ])('%s', (_name, cells, entry) => expect(readEntry(columns, cells)).toEqual({ kind: 'entry', ...nothing, ...entry }))

  test.each([
    ['no_entry', ['', '', '', 'why']],
    ['several_entries', ['ada@example.com', 'example.com']],
    ['invalid_email', ['not an address']],
    ['invalid_field: domain:', ['', 'not a domain']],
    ['invalid_field: sha256: Not 64 hexadecimal digits.', ['', '', 'ab'.repeat(31)]],
    ['invalid_field: expiresAt:', ['ada@example.com', '', '', '', 'tomorrow']],
    ['invalid_field: expiresAt:', ['ada@example.com', '', '', '', '2027-02-30']],
    ['invalid_field: reason:', ['ada@example.com', '', '', 'x'.repeat(501)]],
  ])('is refused with %s', (reason, cells) =>
    expect(readEntry(columns, cells)).toEqual({ kind: 'refused', reason: expect.stringContaining(reason) }),
  )
})
