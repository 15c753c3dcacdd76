import { Readable } from 'node:stream'
import { stringify } from 'csv-stringify/sync'
import { z } from 'zod'
import type { Endpoint } from '@overture/contract/endpoint.ts'
import { byteOrderMark, createRowWriter, listColumns } from '../files/csv-columns.ts'
import { operate } from './operate.shell.ts'
import type { Operation, Result } from './operation.ts'
import type { PageQuery } from './paging.ts'

const csvType = 'text/csv'
const rowsMax = 1_000_000
const pageRows = 500

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
  const toRow = createRowWriter(columns)
  yield byteOrderMark + stringify([columns])
  let count = 0
  for (let page = first; ; page = await readPage(operation, page.nextCursor)) {
    const rows = page.results.slice(0, rowsMax - count)
    count += rows.length
    if (rows.length > 0) yield stringify(rows.map((row) => toRow(row)))
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
