import { expect, test } from 'vitest'
import { guardCell, unguardCell } from './spreadsheet-cell.ts'

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
