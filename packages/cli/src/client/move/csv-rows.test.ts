import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { columnNotes } from './columns.ts'
import { readCsv, type CsvRow } from './csv-rows.ts'
import { instantly } from './instantly.ts'
import { lemlist } from './lemlist.ts'

// The files are at their largest sizes.
vi.setConfig({ testTimeout: 180_000 })

let folder: string
beforeAll(async () => (folder = await mkdtemp(join(tmpdir(), 'overture-csv-'))))
afterAll(() => rm(folder, { recursive: true, force: true }))

async function read(bytes: Uint8Array): Promise<CsvRow[]> {
  const file = join(folder, 'export.csv')
  await writeFile(file, bytes)
  const rows: CsvRow[] = []
  for await (const row of readCsv(file, { onBytes: () => undefined })) rows.push(row)
  return rows
}

// An ASCII letter follows each letter outside ASCII: two Windows-1252 bytes in a row may be valid UTF-8, so the encoding would be
// ambiguous.
const letters = ['a', 'Z', '7', ' ', 'éa', 'ß.', 'Œu', '–-', '“q', '€5', 'Åb']
const separators = [',', ';', '\t', '|']
const lineEnds = ['\r\n', '\n', '\r']
const encodings = {
  'UTF-8': (text: string) => Buffer.from(text),
  'UTF-8 with its mark': (text: string) => Buffer.from(`\uFEFF${text}`),
  'UTF-16, low bytes first': (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le'),
  'UTF-16, high bytes first': (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le').swap16(),
  'Windows-1252': inWindows1252,
}

function inWindows1252(text: string): Buffer {
  const upper = { Œ: 0x8c, '–': 0x96, '“': 0x93, '€': 0x80 } as Record<string, number>
  return Buffer.from(Array.from(text, (letter) => upper[letter] ?? letter.codePointAt(0)!))
}

interface Cell {
  text: string
  quoted: boolean
}

/** Cells with every character that could be mistaken for a separator. Cells that need quotes are quoted. */
function cellOf(pieces: readonly string[], lengthMax: number): fc.Arbitrary<Cell> {
  return fc
    .record({
      text: fc.array(fc.constantFrom(...letters, ...pieces), { maxLength: lengthMax }).map((all) => all.join('')),
      wanted: fc.boolean(),
    })
    .map(({ text, wanted }) => ({ text, quoted: wanted || /[",;|\t\r\n]/.test(text) }))
}

function written({ text, quoted }: Cell): string {
  return quoted ? `"${text.replaceAll('"', '""')}"` : text
}

const width = 4
const exports_ = fc.record({
  encoding: fc.constantFrom(...(Object.keys(encodings) as (keyof typeof encodings)[])),
  separator: fc.constantFrom(...separators),
  named: fc.boolean(),
  titles: fc.array(cellOf(['"', '""', ',', ';', '\t', '|', ' "x" '], 6), {
    minLength: width - 1,
    maxLength: width - 1,
  }),
  rows: fc.array(
    fc.record({
      cells: fc.array(cellOf(['"', ',', ';', '\t', '\r\n', '\n'], 8), { minLength: width - 1, maxLength: width - 1 }),
      end: fc.constantFrom(...lineEnds),
      blank: fc.boolean(),
    }),
    { minLength: 1, maxLength: 6 },
  ),
  titlesEnd: fc.constantFrom(...lineEnds),
  endsInLine: fc.boolean(),
})

type Export = typeof exports_ extends fc.Arbitrary<infer Found> ? Found : never

/** The export as a text, and the line on which each of its rows begins. */
function textOf({ separator, named, titles, rows, titlesEnd, endsInLine }: Export) {
  const lines: number[] = []
  let text =
    (named ? `sep=${separator}${titlesEnd}` : '') + ['Email', ...titles.map(written)].join(separator) + titlesEnd
  for (const [index, { cells, end, blank }] of rows.entries()) {
    lines.push(text.split(/\r\n|\r|\n/).length)
    const isLast = index === rows.length - 1
    text += [`lead${index}@x.test`, ...cells.map(written)].join(separator)
    // A blank line gets an end that can't merge with the one before: `\r` followed by `\n` would be one line end.
    text += isLast && endsInLine ? '' : end + (blank && end !== '\r' ? end : '')
  }
  return { text, lines }
}

test('an export is read exactly, with any encoding, separator, quotes and line ends', async () => {
  await fc.assert(
    fc.asyncProperty(exports_, async (given) => {
      const { text, lines } = textOf(given)
      const found = await read(encodings[given.encoding](text))
      expect(found.map(({ row }) => row['email'])).toEqual(given.rows.map((_, index) => `lead${index}@x.test`))
      expect(found.map(({ line }) => line)).toEqual(lines)
      expect(found.map(({ fault }) => fault)).toEqual(given.rows.map(() => null))
      // Each cell of a row is one that was written, even if several titles are the same.
      for (const [index, { row }] of found.entries()) {
        const cells = new Set(given.rows[index]!.cells.map((cell) => cell.text.trim()))
        for (const [name, value] of Object.entries(row)) if (name !== 'email') expect(cells).toContain(value)
      }
    }),
    { numRuns: 300 },
  )
})

test('a file cut at any place gives no wrong rows', async () => {
  await fc.assert(
    fc.asyncProperty(exports_, fc.double({ min: 0, max: 1, noNaN: true }), async (given, part) => {
      const { text } = textOf({ ...given, endsInLine: false })
      const bytes = encodings[given.encoding](text)
      const cut = bytes.subarray(0, Math.floor(part * bytes.length))
      const all = await read(bytes)
      const found = await read(cut).catch((error: Error) => error)
      // An unclosed quote is reported with its line, and no lead is added.
      if (found instanceof Error) {
        expect(found.message).toMatch(/export\.csv:\d+: not readable as CSV/)
        return
      }
      for (const [index, { row, fault }] of found.entries()) {
        const whole = all[index]?.row ?? {}
        if (index < found.length - 1) expect(row).toEqual(whole)
        // A row with missing cells has a fault. Only the last cell of the last line may be cut short.
        else if (fault === null) expect(Object.keys(whole)).toEqual(expect.arrayContaining(Object.keys(row)))
      }
    }),
    { numRuns: 300 },
  )
})

const some = { name: 'instantly', product: instantly, isList: false } as const
const asking = [
  { campaigns: instantly.campaigns({ name: 'x', sequences: [{ steps: [{ variants: [{ body: '{{hook}}' }] }] }] }) },
]

test.each<[string, string[], string[]]>([
  ['all known', ['Email', 'First Name', 'Lead Status', 'Campaign', 'Hook', 'Payload'], []],
  [
    'a title twice, in two spellings',
    ['Email', 'Hook', 'hook'],
    ['Columns 2 (Hook), 3 (hook) all mean hook. Each row uses the first one that is not empty.'],
  ],
  [
    'two titles of one field',
    ['Company', 'Email', 'Company Name'],
    ['Columns 1 (Company), 3 (Company Name) all mean company. Each row uses the first one that is not empty.'],
  ],
  [
    'unknown, also in letters that no template can name',
    ['Email', 'Shoe Size', '会社'],
    [
      'Column 2 (Shoe Size) is unknown for instantly, and no text uses it. It becomes customVariables.shoeSize.',
      'Column 3 (会社) is unknown for instantly, and no text uses it. It becomes customVariables.v4f1a793e.',
    ],
  ],
  ['without a title', ['Email', '', 'Hook', ' '], ['Columns without a title are ignored: 2, 4.']],
  ['without addresses', ['Hook'], ['No column has a known title for addresses, so no row is moved.']],
])('notes about columns: %s', (_name, titles, notes) => {
  expect(columnNotes(titles, { ...some, campaigns: asking })).toEqual(notes)
})

test('notes about a list of opt-outs: no address column, or several', () => {
  const list = { name: 'lemlist', product: lemlist, campaigns: [], isList: true } as const
  expect(columnNotes(['_id', 'value', 'Shoe Size'], list)).toEqual([])
  expect(columnNotes(['Email', 'email '], list)).toEqual([
    'Columns 1 (Email), 2 (email) all mean email. Each row uses the first one that is not empty.',
  ])
  expect(columnNotes(['who'], list)[0]).toContain('addresses or domains')
})
