import { CsvText } from '@overture/ground/text/csv-text.ts'
import { detectDelimiter, FirstRow } from '@overture/ground/text/spreadsheet-text.ts'
import { findHints } from '@overture/server/templates/hints.ts'
import { measureGrowth, type Grown } from './growth.ts'

const rowPieces = ['x', '"', ' ', '\n', ';', '"a;']
const csvPieces = ['"', 'a"\n', '"a\n', '""', '"""\n', ',"', '"x""\n', '\r']
const templatePieces = ['{{', '}}', '<', '>', '{%', "'", '"', '|', 'http://', 'free ', 'A', '\n', '\\']
const csvChars = 600_000
const templateChars = 20_000
const pieceLength = 1_000

/** Tables and templates in which one piece repeats without end. */
export function* textGrowth(): Generator<Grown> {
  for (const piece of rowPieces)
    yield {
      name: `${JSON.stringify(piece)} in a first row`,
      times: measureGrowth(repeated(piece, csvChars), readFirstRow),
    }
  for (const piece of csvPieces)
    yield { name: `${JSON.stringify(piece)} in a table`, times: measureGrowth(repeated(piece, csvChars), readTable) }
  for (const piece of templatePieces)
    for (const other of templatePieces) {
      const times = measureGrowth(repeated(piece + other, templateChars), (body) => findHints({ subject: piece, body }))
      yield { name: `${JSON.stringify(piece + other)} in a template`, times }
    }
}

function repeated(piece: string, chars: number): (times: number) => string {
  return (times) => piece.repeat(Math.ceil(chars / piece.length) * times)
}

function readFirstRow(head: string): void {
  const first = new FirstRow()
  for (let at = 0; at < head.length; at += pieceLength) first.isWhole(head.slice(at, at + pieceLength))
  detectDelimiter(head)
}

function readTable(text: string): void {
  const csv = new CsvText(',')
  for (let at = 0; at < text.length; at += pieceLength)
    if (csv.read(text.slice(at, at + pieceLength)).error !== null) return
  csv.read('', true)
}
