import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readCsvRows, readTracedRecords } from './csv-records.shell.ts'

async function* inPieces(bytes: Uint8Array, length: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length)
}

async function all<Found>(pieces: AsyncIterable<Found[]>): Promise<Found[]> {
  const found: Found[] = []
  for await (const piece of pieces) found.push(...piece)
  return found
}

const file = fc.record({
  lines: fc.array(
    fc.record({
      cells: fc.array(fc.constantFrom('a', 'é', '"q;""\r\n"', ''), { minLength: 2, maxLength: 3 }),
      end: fc.constantFrom('\r\n', '\n', '\r'),
    }),
    { minLength: 1, maxLength: 5 },
  ),
  pieceLength: fc.integer({ min: 1, max: 20 }),
})

test('each line is a record, with any line end and pieces of any size', async () => {
  await fc.assert(
    fc.asyncProperty(file, async ({ lines, pieceLength }) => {
      const text = lines.map(({ cells, end }, index) => [`n${index}`, ...cells].join(';') + end).join('')
      const bytes = Buffer.from(text)
      const meant = lines.map(({ cells }, index) => [
        `n${index}`,
        ...cells.map((cell) => (cell.startsWith('"') ? 'q;"\r\n' : cell)),
      ])
      const rows = await all(readCsvRows(inPieces(bytes, pieceLength)))
      expect(rows.map(({ cells }) => cells)).toEqual(meant)
      const traced = await all(readTracedRecords(inPieces(bytes, pieceLength)))
      expect(traced.map(({ record }) => record)).toEqual(meant)
    }),
    { numRuns: 500 },
  )
})

test('a sep= line counts in the line numbers', async () => {
  const [titles, row] = await all(readTracedRecords(inPieces(Buffer.from('sep=;\r\nemail;a,b\r\nx;y\r\n'), 7)))
  expect([titles!.record, titles!.info.lines, row!.info.lines]).toEqual([['email', 'a,b'], 2, 3])
})
