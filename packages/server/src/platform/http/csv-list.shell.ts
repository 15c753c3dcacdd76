import { Readable } from 'node:stream'
import { stringify } from 'csv-stringify/sync'
import { z } from 'zod'
import type { Endpoint } from '@overture/contract/endpoint.ts'
import { guardCell } from '@overture/ground/text/spreadsheet-cell.ts'
import { operate } from './operate.shell.ts'
import type { Operation, Result } from './operation.ts'
import type { PageQuery } from './paging.ts'

const csvType = 'text/csv'
const rowsMax = 1_000_000
const pageRows = 500
/** Without it Excel does not read the file as UTF-8. An import skips it. */
const byteOrderMark = '\ufeff'

/** The column for fields without their own column: names in a later row that the first page did not have. */
const restColumn = '*'
const depthMax = 4

interface Page {
  results: unknown[]
  nextCursor: string | null
}

/** Whether a list is requested as CSV: by the Accept header, or by a query parameter for links, which can't send headers. */
export function wantsCsv({ query, outputType }: Endpoint, queryInput: unknown, accept: string | undefined): boolean {
  if (outputType !== undefined || !(query instanceof z.ZodObject) || !('cursor' in query.shape)) return false
  const { format } = queryInput as { format?: string }
  return format === 'csv' || (format === undefined && (accept ?? '').toLowerCase().includes(csvType))
}

/** Returns the whole list, page by page as the client reads. An error of the first page is returned as usual. */
export async function answerCsv(operation: Operation): Promise<Result> {
  const { route } = operation
  // The file counts as one export in the audit log, however many pages it has.
  const exporting = { ...route, endpoint: { ...route.endpoint, exports: true as const } }
  const first = await readPage({ ...operation, route: exporting }, null)
  const name = operation.route.endpoint.path.split('/').findLast((part) => !part.startsWith(':')) ?? 'list'
  return {
    status: 200,
    headers: {
      'content-type': `${csvType}; charset=utf-8; header=present`,
      'content-disposition': `attachment; filename="${name}.csv"`,
      'x-content-type-options': 'nosniff',
    },
    body: Readable.from(lines(operation, first)),
  }
}

async function* lines(operation: Operation, first: Page): AsyncGenerator<string> {
  const columns = listColumns(listedItem(operation.route.endpoint), first.results)
  yield byteOrderMark + stringify([columns])
  let count = 0
  for (let page = first; ; page = await readPage(operation, page.nextCursor)) {
    const rows = page.results.slice(0, rowsMax - count)
    count += rows.length
    if (rows.length > 0) yield stringify(rows.map((row) => toRow(row, columns)))
    if (page.nextCursor === null || count === rowsMax) return
  }
}

async function readPage(operation: Operation, cursor: string | null): Promise<Page> {
  const { page: _page, cursor: _cursor, ...filters } = operation.input.query as PageQuery
  const query = { ...filters, limit: pageRows, ...(cursor !== null && { cursor }) }
  const { body } = await operate({ ...operation, input: { ...operation.input, query } })
  return JSON.parse(body as string) as Page
}

function listedItem({ output }: Endpoint): z.ZodType {
  const { results } = (output as z.ZodObject).shape as { results: z.ZodArray }
  return results.element as z.ZodType
}

type Cells = Map<string, string>

/** The columns of a list: the fields that its items always have, other fields of the first page, then the rest column. */
function listColumns(item: z.ZodType, first: readonly unknown[]): string[] {
  const known = namesIn(item, '', 0)
  const found = first.flatMap((one) => [...collectCells(one).keys()])
  // A field that contains fields is replaced by them, if there are any.
  const names = [...new Set([...known, ...found])]
  const parents = new Set(
    names.flatMap((name) =>
      name
        .split('.')
        .slice(0, -1)
        .map((_, at, parts) => parts.slice(0, at + 1).join('.')),
    ),
  )
  return [...names.filter((name) => !parents.has(name)), restColumn]
}

/** One item as the cells of these columns, escaped so that a spreadsheet does not run them as formulas. */
function toRow(item: unknown, columns: readonly string[]): string[] {
  const cells = collectCells(item)
  const row = columns.slice(0, -1).map((name) => cells.get(name) ?? '')
  const rest = [...cells].filter(([name, value]) => value !== '' && !columns.includes(name))
  return [...row, rest.length === 0 ? '' : JSON.stringify(Object.fromEntries(rest))]
}

function namesIn(schema: z.ZodType, path: string, depth: number): string[] {
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional)
    return namesIn(schema.unwrap() as z.ZodType, path, depth)
  if (schema instanceof z.ZodUnion)
    return [...new Set(schema.options.flatMap((option) => namesIn(option as z.ZodType, path, depth)))]
  if (schema instanceof z.ZodRecord) return []
  if (!(schema instanceof z.ZodObject) || depth === depthMax) return [path]
  return Object.entries(schema.shape).flatMap(([name, part]) =>
    namesIn(part as z.ZodType, path === '' ? name : `${path}.${name}`, depth + 1),
  )
}

function collectCells(item: unknown, path = '', cells: Cells = new Map(), depth = 0): Cells {
  if (typeof item !== 'object' || item === null || Array.isArray(item) || depth === depthMax) {
    cells.set(path, toCell(item))
    return cells
  }
  for (const [name, value] of Object.entries(item))
    collectCells(value, path === '' ? name : `${path}.${name}`, cells, depth + 1)
  return cells
}

function toCell(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'string') return guardCell(value)
  return JSON.stringify(value)
}
