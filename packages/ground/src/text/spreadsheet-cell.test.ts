import { expect, test } from 'vitest'
import { guardCell, unguardCell } from './spreadsheet-cell.ts'

test.each([
  ['=1+1', "'=1+1"],
  ['x;=1+1', "x;'=1+1"],
  [';+1;-2;@cmd', ";'+1;'-2;'@cmd"],
  ['=a;=b', "'=a;'=b"],
  ['a; =b', 'a; =b'],
  ['plain; text', 'plain; text'],
])('%j runs in no spreadsheet, whether it splits at commas or semicolons, and reads back', (cell, guarded) => {
  expect(guardCell(cell)).toBe(guarded)
  expect(unguardCell(guarded)).toBe(cell)
})
