import { expect, test } from 'vitest'
import { detectDelimiter, FirstRow, SpreadsheetText } from './spreadsheet-text.ts'

/** Reads the bytes in pieces of this length and returns the text. */
function readInPieces(bytes: Uint8Array, length: number): string {
  const text = new SpreadsheetText()
  let read = ''
  for (let at = 0; at < bytes.length; at += length) read += text.read(bytes.subarray(at, at + length))
  return read + text.read(new Uint8Array(0), true)
}

const sample = 'email,firstName\nzoe@example.com,Zoë – “Œuvre” 🎉 日本\n'
const files: [string, Uint8Array, string][] = [
  ['UTF-8', Buffer.from(sample), sample],
  ['UTF-8 with its mark', Buffer.from(`\ufeff${sample}`), sample],
  ['UTF-16', Buffer.from(`\ufeff${sample}`, 'utf16le'), sample],
  ['UTF-16, high bytes first', Buffer.from(`\ufeff${sample}`, 'utf16le').swap16(), sample],
  ['Windows-1252', Buffer.from('a,Jos\xe9 \x96 \x93\x8cuvre\x94 \x80\n', 'latin1'), 'a,José – “Œuvre” €\n'],
  ['both in one file', Buffer.concat([Buffer.from('Zoë;'), Buffer.from('Jos\xe9', 'latin1')]), 'Zoë;José'],
  ['cut off within a character', Buffer.from('Zoë').subarray(0, -1), 'ZoÃ'],
  ['two bytes', Buffer.from('ab'), 'ab'],
  ['nothing', Buffer.from(''), ''],
]

test.each(files)('%s is read correctly in pieces of any size', (_name, bytes, expected) => {
  for (const length of [1, 2, 3, 5, 1_000]) expect(readInPieces(bytes, length)).toBe(expected)
})

test.each([
  ['email,first name\n', ','],
  ['email;first name;company, legal\r\na@example.com;A;B\n', ';'],
  ['email\tfirst name\n', '\t'],
  ['email|first name\n', '|'],
  ['"a;b;c;d",email\n', ','],
  ['\n\nemail;name\n1,2,3,4,5\n', ';'],
  ['"two\nlines;",email,c\n', ','],
  ['email\n', ','],
  ['', ','],
])('the delimiter of %j is %j', (head, delimiter) => {
  expect(detectDelimiter(head)).toEqual({ delimiter, rest: head })
})

test("Excel's sep= line sets the delimiter and is not a row", () => {
  expect(detectDelimiter('sep=;\r\nemail;name, first\n')).toEqual({ delimiter: ';', rest: 'email;name, first\n' })
})

test.each(['x', '"', ' ', '\n', ';', '"a;'])('a first row of %j without an end is kept completely', (piece) => {
  const head = piece.repeat(1_000_000)
  const first = new FirstRow()
  for (let at = 0; at < head.length; at += piece.length) first.isWhole(head.slice(at, at + piece.length))
  expect(first.text).toBe(head)
  expect(detectDelimiter(head).rest).toBe(head)
})
