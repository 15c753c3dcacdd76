import fc from 'fast-check'
import { stringify } from 'csv-stringify/sync'
import { describe, expect, test } from 'vitest'
import { CsvText, UnreadableCsvError, type CsvRow } from './csv-text.ts'

function read(text: string, { delimiter = ',', pieceLength = 1_000_000 } = {}) {
  const csv = new CsvText(delimiter)
  const rows: CsvRow[] = []
  for (let at = 0; at < text.length; at += pieceLength) {
    const found = csv.read(text.slice(at, at + pieceLength))
    rows.push(...found.rows)
    if (found.error !== null) return { rows, error: found.error }
  }
  const last = csv.read('', true)
  return { rows: [...rows, ...last.rows], error: last.error }
}

/** Rows as their cells. A row with a fault is replaced by the line and column of the fault. */
const shown = (rows: readonly CsvRow[]) =>
  rows.map(({ cells, fault }) => (fault === null ? cells : [`line ${fault.line}`, `column ${fault.column}`]))

describe('a faulty row is refused alone', () => {
  test.each<[string, string, string[][]]>([
    [
      'an inch mark',
      'a,5" disk\nb,c\n',
      [
        ['line 1', 'column 1'],
        ['b', 'c'],
      ],
    ],
    [
      'text behind a closing quote',
      '"a"x,b\nc,d\n',
      [
        ['line 1', 'column 0'],
        ['c', 'd'],
      ],
    ],
    [
      'a name in quotes',
      'a,Bob "Bo" B\r\nc,d\r\n',
      [
        ['line 1', 'column 1'],
        ['c', 'd'],
      ],
    ],
    [
      'a quote that a later one closes',
      'a,"b\nc,"d"\ne,f\n',
      [
        ['line 1', 'column 1'],
        ['c', 'd'],
        ['e', 'f'],
      ],
    ],
    [
      'behind a value of two lines',
      '"a\nb",c"d\ne,f',
      [
        ['line 2', 'column 1'],
        ['e', 'f'],
      ],
    ],
    [
      'in the last row',
      'a,b\nc"',
      [
        ['a', 'b'],
        ['line 2', 'column 0'],
      ],
    ],
    [
      'old line ends',
      'a"\rb,c\r',
      [
        ['line 1', 'column 0'],
        ['b', 'c'],
      ],
    ],
    ['a semicolon between', 'x;y\na;b"', [['x;y'], ['line 2', 'column 0']]],
  ])('%s', (_, text, expected) => {
    for (const pieceLength of [1, 2, 3, 7, 1_000]) {
      const { rows, error } = read(text, { pieceLength })
      expect([shown(rows), error]).toEqual([expected, null])
    }
  })
})

test.each<[string, string, string[]]>([
  ['spaces around quotes', ' "a" , "b, c"\t,d', ['a', 'b, c', 'd']],
  ['doubled quotes', '"a ""b""",""', ['a "b"', '']],
  ['a line end in quotes', '"a\r\nb",c', ['a\r\nb', 'c']],
])('a row with %s is read', (_, text, expected) => expect(shown(read(text).rows)).toEqual([expected]))

test('blank rows are skipped but counted in line numbers', () => {
  const { rows } = read('a,b\n,\n\n"", \nc,d\n,,,\n')
  expect(rows.map(({ line, cells }) => [line, ...cells])).toEqual([
    [1, 'a', 'b'],
    [5, 'c', 'd'],
  ])
})

test.each([
  ['a,b\nc,"d\ne,f\ng,h\n', 2, 1],
  ['"x\ny",z\n\nq,r,  "open', 4, 2],
  ['"', 1, 0],
])('the unclosed quote of %j is reported with its place', (text, line, column) => {
  for (const pieceLength of [1, 4, 1_000])
    expect(read(text, { pieceLength }).error).toMatchObject({ fault: { line, column } })
  expect(read(text).error?.message).toBe(`Line ${line}, column ${column + 1}: The quote that opens here is not closed.`)
})

test('a row longer than a million characters is refused', () => {
  const long = read(`a\n"${'x'.repeat(1_000_001)}`, { pieceLength: 1_000 }).error
  expect(long).toBeInstanceOf(UnreadableCsvError)
  expect(long?.fault).toMatchObject({ line: 2, column: 0 })
  expect(read(`a\n${'x'.repeat(1_000_001)}\n`).error?.message).toContain('longer than 1000000 characters')
})

const cell = fc.string({ unit: fc.constantFrom('a', 'é', '"', ',', ';', '\n', '\r', ' ', '\t', '|'), maxLength: 8 })

test('correctly written rows are read exactly, with pieces of any length', () => {
  fc.assert(
    fc.property(
      fc.array(fc.array(cell, { minLength: 1, maxLength: 4 }), { maxLength: 6 }),
      fc.constantFrom(',', ';', '\t', '|'),
      fc.constantFrom('\n', '\r\n', '\r'),
      fc.integer({ min: 1, max: 20 }),
      (meant, delimiter, end, pieceLength) => {
        const text = stringify(meant, { delimiter, record_delimiter: end, quoted: true })
        const { rows, error } = read(text, { delimiter, pieceLength })
        const filled = meant.filter((cells) => cells.some((one) => one.trim() !== ''))
        expect([rows.map(({ cells }) => cells), error]).toEqual([filled, null])
      },
    ),
    { numRuns: 1_000 },
  )
})

test('text in pieces is read like the whole text', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom('a', '"', ',', '\n', '\r', ' ', '""'), maxLength: 60 }),
      fc.integer({ min: 1, max: 9 }),
      (text, pieceLength) => {
        expect(read(text, { pieceLength })).toEqual(read(text))
      },
    ),
    { numRuns: 2_000 },
  )
})
