import { Unzip, UnzipInflate } from 'fflate'
import type { CsvRow } from '@overture/ground/text/csv-text.ts'
import { createTurns } from '../clock.ts'
import {
  type ElementHandlers,
  readXml,
  RelationsPart,
  SharedStrings,
  SheetRows,
  Styles,
  UnreadableWorkbookError,
  WorkbookPart,
} from './workbook-xml.ts'

/** The largest workbook. A workbook with 200,000 leads has about 20 MiB. */
export const workbookBytesMax = 32 * 1024 * 1024
const unpackedBytesMax = 512 * 1024 * 1024
/** Packed bytes that are unpacked at once. Deflate grows by a factor of 1,032 at most, so one step gives 4 MB at most. */
const stepBytes = 4 * 1024
const turnMsMax = 10
const zipMark = [0x50, 0x4b, 0x03, 0x04]
/** The first bytes of .xls files, and of .xlsx files with a password. */
const oldMark = [0xd0, 0xcf, 0x11, 0xe0]

export function isWorkbook(begin: Uint8Array): boolean {
  return beginsWith(begin, zipMark)
}

/** Throws for files of older spreadsheet programs and files with a password, which have the same beginning. */
export function refuseOldWorkbook(begin: Uint8Array): void {
  if (!beginsWith(begin, oldMark)) return
  throw new UnreadableWorkbookError(
    'This is an .xls file, or it has a password. Save it as .xlsx or CSV without a password.',
  )
}

function beginsWith(bytes: Uint8Array, mark: readonly number[]): boolean {
  return mark.every((byte, at) => bytes[at] === byte)
}

/**
 * Yields the rows of a sheet of an .xlsx file: of the named sheet, else of the first one that is visible. Formulas give their stored
 * values, dates are written as `2026-11-29`. Throws `UnreadableWorkbookError`.
 */
export async function* readWorkbookRows(raw: Uint8Array, sheet: string | null): AsyncGenerator<CsvRow[], void, void> {
  const workbook = new WorkbookPart()
  const relations = new RelationsPart()
  const shared = new SharedStrings()
  const styles = new Styles()
  const parts = new Map<string, ElementHandlers>([
    ['xl/workbook.xml', workbook],
    ['xl/_rels/workbook.xml.rels', relations],
    ['xl/sharedStrings.xml', shared],
    ['xl/styles.xml', styles],
  ])
  const opened = (name: string) => {
    const part = parts.get(name)
    return part === undefined ? null : readXml(part)
  }
  for await (const _step of unpack(raw, opened)) continue
  const path = relations.paths.get(chosenSheet(workbook, sheet).relation)
  const rows = new SheetRows({ shared: shared.texts, dates: styles.dates, countsFrom1904: workbook.countsFrom1904 })
  for await (const _step of unpack(raw, (name) => (name === path ? readXml(rows) : null))) {
    const found = rows.take()
    if (found.length > 0) yield found
  }
}

/** The names of the sheets in their order, and the one that is read: the named one, else the first one that is visible. */
export async function readSheetNames(
  raw: Uint8Array,
  sheet: string | null,
): Promise<{ sheets: string[]; sheet: string }> {
  const workbook = new WorkbookPart()
  for await (const _step of unpack(raw, (name) => (name === 'xl/workbook.xml' ? readXml(workbook) : null))) continue
  return { sheets: workbook.sheets.map(({ name }) => name), sheet: chosenSheet(workbook, sheet).name }
}

function chosenSheet({ sheets }: WorkbookPart, name: string | null): WorkbookPart['sheets'][number] {
  if (sheets.length === 0) throw new UnreadableWorkbookError('This file is no workbook. Send an .xlsx or CSV file.')
  const chosen = name === null ? sheets.find(({ isHidden }) => !isHidden) : sheets.find((one) => one.name === name)
  if (chosen !== undefined) return chosen
  const names = sheets.slice(0, 20).map((one) => `“${one.name.slice(0, 40)}”`)
  throw new UnreadableWorkbookError(
    name === null
      ? 'All sheets of the workbook are hidden.'
      : `There is no sheet of this name. The sheets are ${names.join(', ')}.`,
  )
}

type TakePiece = (piece: Uint8Array, isLast: boolean) => void

/** Unpacks the files of a ZIP archive that `open` wants, step by step, and yields after each step. */
async function* unpack(raw: Uint8Array, open: (name: string) => TakePiece | null): AsyncGenerator<void, void, void> {
  let bytes = 0
  const unzip = new Unzip((file) => {
    const take = open(file.name)
    if (take === null) return
    file.ondata = (error, piece, isLast) => {
      if (error !== null) throw error
      bytes += piece.length
      if (bytes > unpackedBytesMax) throw new UnreadableWorkbookError('The workbook is too large. Send it as CSV.')
      take(piece, isLast)
    }
    file.start()
  })
  unzip.register(UnzipInflate)
  const turn = createTurns(turnMsMax)
  for (let at = 0; at < raw.length; at += stepBytes) {
    push(unzip, raw.subarray(at, at + stepBytes), at + stepBytes >= raw.length)
    yield
    await turn()
  }
}

/** An error of the library means that the archive is broken or cut. */
function push(unzip: Unzip, step: Uint8Array, isLast: boolean): void {
  try {
    unzip.push(step, isLast)
  } catch (error) {
    if (error instanceof UnreadableWorkbookError) throw error
    throw new UnreadableWorkbookError('The workbook is damaged or incomplete. Save it again in a spreadsheet program.')
  }
}
