import type { CsvRow } from '@overture/ground/text/csv-text.ts'
import { unpack } from './workbook-archive.shell.ts'
import { RelationsPart, SharedStrings, type Sheet, Styles, WorkbookPart } from './workbook-parts.ts'
import { SheetRows } from './workbook-sheet.ts'
import { type ElementHandlers, readXml, UnreadableWorkbookError } from './workbook-xml.ts'

/** The largest workbook. A workbook with 200,000 leads has about 20 MiB. */
export const workbookBytesMax = 32 * 1024 * 1024
const zipMark = [0x50, 0x4b, 0x03, 0x04]
/** The first bytes of .xls files, and of .xlsx files with a password. */
const oldMark = [0xd0, 0xcf, 0x11, 0xe0]
const workbookPart = 'xl/workbook.xml'

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
 * values, dates are written as `2026-11-29`. The fault of a row is a `SheetFault`. Throws `UnreadableWorkbookError`.
 */
export async function* readWorkbookRows(raw: Uint8Array, sheet: string | null): AsyncGenerator<CsvRow[], void, void> {
  const workbook = new WorkbookPart()
  const relations = new RelationsPart()
  const shared = new SharedStrings()
  const styles = new Styles()
  await readParts(raw, {
    [workbookPart]: workbook,
    'xl/_rels/workbook.xml.rels': relations,
    'xl/sharedstrings.xml': shared,
    'xl/styles.xml': styles,
  })
  const { name, relation } = chosenSheet(workbook, sheet)
  const { countsFrom1904 } = workbook
  const { dates, durations } = styles
  const rows = new SheetRows({ sheet: name, shared: shared.texts, dates, durations, countsFrom1904 })
  const part = relations.parts.get(relation)
  let isFound = false
  for await (const _piece of unpack(raw, (found) => (found === part ? readXml(rows) : null))) {
    isFound = true
    yield* rows.take()
    if (rows.isDone()) return
  }
  if (isFound) return
  throw new UnreadableWorkbookError(
    `The workbook lacks the data of the sheet “${name}”. Save it again in a spreadsheet program.`,
  )
}

/** The names of the sheets in their order, and the one that is read: the named one, else the first one that is visible. */
export async function readSheetNames(
  raw: Uint8Array,
  sheet: string | null,
): Promise<{ sheets: string[]; sheet: string }> {
  const workbook = new WorkbookPart()
  await readParts(raw, { [workbookPart]: workbook })
  return { sheets: workbook.sheets.map(({ name }) => name), sheet: chosenSheet(workbook, sheet).name }
}

async function readParts(raw: Uint8Array, parts: Readonly<Record<string, ElementHandlers>>): Promise<void> {
  const wanted = new Map(Object.entries(parts))
  const open = (name: string) => {
    const part = wanted.get(name)
    return part === undefined ? null : readXml(part)
  }
  for await (const _piece of unpack(raw, open)) continue
}

function chosenSheet({ sheets }: WorkbookPart, name: string | null): Sheet {
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
