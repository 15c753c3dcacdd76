import { expect, test } from 'vitest'
import { guardCell, guardJson, unguardCell } from './spreadsheet-cell.ts'

test.each([
  ['=1+1', "'=1+1"],
  ['x;=1+1', "x;'=1+1"],
  [';+1;-2;@cmd', ";'+1;'-2;'@cmd"],
  ['=a;=b', "'=a;'=b"],
  ['a; =b', 'a; =b'],
  ['plain; text', 'plain; text'],
])('%j is escaped for any separator and can be read back', (cell, guarded) => {
  expect(guardCell(cell)).toBe(guarded)
  expect(unguardCell(guarded)).toBe(cell)
})

test.each([[{ body: 'A&nbsp;-B;=1;@x \\;+2' }], [['x;=HYPERLINK("http://a.test")', ';']], ['plain; text']])(
  'the JSON text of %j is escaped for any separator and has the same value',
  (value) => {
    const guarded = guardJson(JSON.stringify(value))
    expect(guarded).not.toMatch(/;[=+\-@]/)
    expect(guardCell(guarded)).toBe(guarded)
    expect(JSON.parse(guarded)).toEqual(value)
  },
)
