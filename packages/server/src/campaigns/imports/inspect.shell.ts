import {
  inspectedBytesMax,
  importColumnsMax,
  type InspectedFile,
  type SpreadsheetEncoding,
} from '@overture/contract/campaigns/imports.ts'
import { UnreadableCsvError, type CsvFault, type CsvRow } from '@overture/ground/text/csv-text.ts'
import { detectCertainEncoding, guessEncoding } from '@overture/ground/text/spreadsheet-encoding.ts'
import { detectDelimiter, detectEncoding, FirstRow, SpreadsheetText } from '@overture/ground/text/spreadsheet-text.ts'
import { createTurns } from '../../platform/clock.ts'
import { readCsvRows } from '../../platform/files/csv-records.shell.ts'
import type { SpreadsheetOptions } from '../../platform/imports/spreadsheet-rows.shell.ts'
import { isWorkbook, readSheetNames, workbookBytesMax } from '../../platform/files/workbook-rows.shell.ts'
import { tooLarge, type Upload } from '../../platform/http/upload.ts'
import { readRecords } from '../../platform/imports/import-records.shell.ts'
import { firstIssues, inspectRows, isFull } from './inspect.ts'

const turnMsMax = 10

/** Reads the beginning of a file as an import would read it. */
export async function inspectUpload(
  upload: Upload,
  { encoding: named, sheet }: SpreadsheetOptions,
): Promise<InspectedFile> {
  const bytes = await readAll(upload)
  if (isWorkbook(bytes)) return inspectWorkbook(bytes, sheet)
  const { rows, fault } = await readRows(bytes, named)
  const unguessed = named ?? detectEncoding(bytes)
  const likely = named === null && unguessed === 'windows-1252' ? guessEncoding(bytes) : null
  const isCut = bytes.at(-1) !== 0x0a
  // Unclosed quotes are caused by the cut.
  const isCutOff = fault !== null && isCut && rows.length > 0 && bytes.length >= inspectedBytesMax / 2
  const read = { rows, isCut: isCut && !isCutOff, fault: isCutOff ? null : fault, bytes: bytes.length }
  const { columns, issues: found } = inspectRows(read)
  const encoding = (likely === null ? null : detectCertainEncoding(bytes)) ?? unguessed
  const issues: InspectedFile['issues'] = []
  if ((rows[0]?.cells.length ?? 0) > importColumnsMax) issues.push({ row: 0, code: 'too_many_columns' })
  if (likely !== null) issues.push({ row: 0, code: 'other_encoding', message: encodingMessage(likely, encoding) })
  await addIssues(issues, found)
  return {
    encoding,
    ...(likely === null ? {} : { likelyEncoding: likely }),
    delimiter: delimiterIn(bytes, named),
    sheets: [],
    sheet: null,
    columns: columns.slice(0, importColumnsMax),
    issues: firstIssues(issues),
  }
}

async function inspectWorkbook(bytes: Uint8Array, sheet: string | null): Promise<InspectedFile> {
  const rows: CsvRow[] = []
  let chars = 0
  for await (const found of readRecords(once(bytes), { encoding: null, sheet })) {
    for (const row of found) chars += row.cells.join().length
    rows.push(...found)
    if (chars > inspectedBytesMax) break
  }
  const isCut = chars > inspectedBytesMax
  const { columns, issues: found } = inspectRows({ rows, isCut, fault: null, bytes: bytes.length })
  const issues: InspectedFile['issues'] = []
  await addIssues(issues, found)
  const names = await readSheetNames(bytes, sheet)
  return { encoding: 'utf-8', delimiter: ',', ...names, columns, issues: firstIssues(issues) }
}

async function addIssues(
  issues: InspectedFile['issues'],
  found: ReturnType<typeof inspectRows>['issues'],
): Promise<void> {
  const turn = createTurns(turnMsMax)
  for (const issue of found) {
    await turn()
    if (issue !== null) issues.push(issue)
    if (isFull(issues)) return
  }
}

function encodingMessage(likely: SpreadsheetEncoding, read: SpreadsheetEncoding): string {
  return likely === read
    ? `The file is not UTF-8. It is read as ${likely}, judged by its letters. If names look wrong, set another encoding.`
    : `The file is not UTF-8. It is read as ${read}. If names look wrong, try encoding=${likely}, judged by its letters.`
}

async function readRows(
  bytes: Uint8Array,
  named: SpreadsheetEncoding | null,
): Promise<{ rows: CsvRow[]; fault: CsvFault | null }> {
  const rows: CsvRow[] = []
  try {
    for await (const found of readCsvRows(once(bytes), named)) for (const row of found) rows.push(row)
  } catch (error) {
    if (!(error instanceof UnreadableCsvError)) throw error
    return { rows, fault: error.fault }
  }
  return { rows, fault: null }
}

async function readAll(upload: Upload): Promise<Uint8Array> {
  const pieces: Uint8Array[] = []
  let length = 0
  for await (const piece of upload) {
    length += piece.length
    pieces.push(piece)
    const bytesMax = isWorkbook(pieces[0] ?? piece) ? workbookBytesMax : inspectedBytesMax
    if (length > bytesMax) throw tooLarge(bytesMax)
  }
  return Buffer.concat(pieces)
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

function delimiterIn(bytes: Uint8Array, named: SpreadsheetEncoding | null): string {
  const first = new FirstRow()
  first.isWhole(new SpreadsheetText(named).read(bytes, true))
  return detectDelimiter(first.text).delimiter
}
