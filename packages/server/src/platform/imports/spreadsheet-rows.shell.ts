import type { SpreadsheetEncoding } from '@overture/contract/campaigns/imports.ts'
import { AppError } from '@overture/contract/errors.ts'
import type { CsvRow } from '@overture/ground/text/csv-text.ts'
import { tooLarge } from '../http/upload.ts'
import { readCsvRows } from '../files/csv-records.shell.ts'
import { isWorkbook, readWorkbookRows, refuseOldWorkbook, workbookBytesMax } from '../files/workbook-rows.shell.ts'

/** How a file is read, unless the file itself says it. */
export interface SpreadsheetOptions {
  encoding: SpreadsheetEncoding | null
  /** The sheet of a workbook. Null for the first visible one. */
  sheet: string | null
}

/** A workbook is read from memory, so a process reads only a few at once. */
const workbooksAtOnceMax = 2
let workbooks = 0

/** Yields the rows of a CSV file or a workbook. Throws `UnreadableCsvError` or `UnreadableWorkbookError`. */
export async function* readSpreadsheetRows(
  bytes: AsyncIterable<Uint8Array>,
  { encoding, sheet }: SpreadsheetOptions,
): AsyncGenerator<CsvRow[], void, void> {
  const { begin, whole } = await peek(bytes)
  refuseOldWorkbook(begin)
  if (!isWorkbook(begin)) return yield* readCsvRows(whole, encoding)
  if (workbooks === workbooksAtOnceMax)
    throw new AppError('SERVICE_UNAVAILABLE', 'Other workbooks are being read. Try again in a minute, or send CSV.')
  workbooks++
  try {
    yield* readWorkbookRows(await inMemory(whole), sheet)
  } finally {
    workbooks--
  }
}

const beginBytes = 4

/** The first bytes of a file, and the file with them. */
async function peek(
  bytes: AsyncIterable<Uint8Array>,
): Promise<{ begin: Uint8Array; whole: AsyncGenerator<Uint8Array, void, void> }> {
  const iterator = bytes[Symbol.asyncIterator]()
  let begin: Uint8Array = new Uint8Array(0)
  while (begin.length < beginBytes) {
    const next = await iterator.next()
    if (next.done === true) break
    begin = Buffer.concat([begin, next.value])
  }
  async function* whole(): AsyncGenerator<Uint8Array, void, void> {
    yield begin
    yield* { [Symbol.asyncIterator]: () => iterator }
  }
  return { begin, whole: whole() }
}

async function inMemory(bytes: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const pieces: Uint8Array[] = []
  let length = 0
  for await (const piece of bytes) {
    length += piece.length
    if (length > workbookBytesMax) throw tooLarge(workbookBytesMax)
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}
