import { inspectedBytesMax, importColumnsMax, type InspectedFile } from '@overture/contract/campaigns/imports.ts'
import { AppError } from '@overture/contract/errors.ts'
import { tooLarge, type Upload } from '../../platform/http/upload.ts'
import { readRecords } from './import-records.shell.ts'
import { delimiterOf, encodingOf, FirstRow, SpreadsheetText } from '../../ground/text/spreadsheet-text.ts'
import { inspectRows } from './inspect.ts'

/** Looks at the beginning of a file as an import would read it. */
export async function inspectUpload(upload: Upload): Promise<InspectedFile> {
  const bytes = await readAll(upload)
  const rows: string[][] = []
  let isBroken = false
  try {
    for await (const records of readRecords(once(bytes))) rows.push(...records)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    isBroken = true
  }
  const isCut = bytes.at(-1) !== 0x0a
  // Quotes that nobody closes are what a cut leaves behind.
  const isCutOff = isBroken && isCut && rows.length > 0 && bytes.length >= inspectedBytesMax / 2
  const found = inspectRows(rows, { isCut: isCut && !isCutOff, isBroken: isBroken && !isCutOff, bytes: bytes.length })
  const isWide = (rows[0]?.length ?? 0) > importColumnsMax
  return {
    encoding: encodingOf(bytes),
    delimiter: delimiterIn(bytes),
    columns: found.columns.slice(0, importColumnsMax),
    issues: isWide ? [{ row: 0, code: 'too_many_columns' }, ...found.issues] : found.issues,
  }
}

async function readAll(upload: Upload): Promise<Uint8Array> {
  const pieces: Uint8Array[] = []
  let length = 0
  for await (const piece of upload) {
    length += piece.length
    if (length > inspectedBytesMax) throw tooLarge(inspectedBytesMax)
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

function delimiterIn(bytes: Uint8Array): string {
  const first = new FirstRow()
  first.isWhole(new SpreadsheetText().read(bytes, true))
  return delimiterOf(first.text).delimiter
}
