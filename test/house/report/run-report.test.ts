import { expect, test } from 'vitest'
import { buildTable, pageLines, skipLines } from './run-report.ts'

test('the slowest files come first, with CPU time and preparation time', () => {
  const fast = { path: 'fast.test.ts', testsMs: 100, importMs: 20, spent: { cpuMs: 90, preparations: { server: 60 } } }
  const slow = {
    path: 'slow.test.ts',
    testsMs: 9_000,
    importMs: 1_000,
    spent: { cpuMs: 4_000, preparations: { server: 2_500 } },
  }
  expect(buildTable([fast, slow])).toEqual([
    'Slowest files, in seconds:',
    '    tests  import     CPU  file, and the seconds that it prepared',
    '      9.0     1.0     4.0  slow.test.ts (server 2.5)',
    '      0.1     0.0     0.1  fast.test.ts',
    'All 2 files: tests 9.1 s, import 1.0 s, CPU 4.1 s',
  ])
})

test('a table has at most thirty files, and its sums include all', () => {
  const files = Array.from({ length: 50 }, (_file, at) => ({
    path: `${at}.test.ts`,
    testsMs: 1_000,
    importMs: 0,
    spent: { cpuMs: 0, preparations: {} },
  }))
  const lines = buildTable(files)
  expect(lines).toHaveLength(33)
  expect(lines.at(-1)).toBe('All 50 files: tests 50.0 s, import 0.0 s, CPU 0.0 s')
})

test('skipped tests are listed with what the machine is missing', () => {
  expect(skipLines([], new Set())).toEqual([])
  expect(skipLines(['b: two', 'a: one'], new Set(['It lacks Chromium.']))).toEqual([
    '',
    'Skipped tests: 2',
    'It lacks Chromium.',
    '  a: one',
    '  b: two',
  ])
})

test('the pages of failed tests are shown as one line each', () => {
  const pages = Array.from({ length: 7 }, (_test, at) => ({ name: `waits ${at}`, said: 'Inbox\n\n  Try again\n' }))
  expect(pageLines([{ name: 'has no page', said: '' }])).toEqual([])
  expect(pageLines(pages).slice(0, 3)).toEqual(['', 'The pages of the failed test “waits 0”:', 'Inbox | Try again | '])
  expect(pageLines(pages)).toHaveLength(15)
})
