import { createHash } from 'node:crypto'
import { totalCountMax } from '@overture/contract/common.ts'
import { invalid, type ValidationIssue } from '@overture/contract/errors.ts'
import { isStorable } from '@overture/ground/text/storable-text.ts'
import { canonicalJson } from './json.ts'

type CursorValue = string | number

export interface PageQuery {
  page?: number | undefined
  limit: number
  cursor?: string | undefined
  /** The name of this list from `nameList`. A cursor of another list is refused. */
  listName: string
}

// Parameters for the position in a list, its length or its format. All other parameters identify the list.
const places: ReadonlySet<string> = new Set(['page', 'limit', 'cursor', 'after', 'format', 'environment'])
const listLength = 16
/** Text searches and the log count up to this number. */
export const countMax = totalCountMax

/** A short name that identifies a list by operation, tenant, parameters, filters and order. `query` is the validated query. */
export function nameList(of: { operationId: string; tenant: object; params: object; query: object }): string {
  const filters = Object.entries(of.query).filter(([name]) => !places.has(name))
  const whole = canonicalJson({ ...of, query: Object.fromEntries(filters) })
  return createHash('sha256').update(whole).digest('base64url').slice(0, listLength)
}

/** The issues of a list's query: page and cursor together, or a value that is not a cursor of this list. */
export function cursorIssues({ cursor, page, listName }: Omit<PageQuery, 'limit'>): ValidationIssue[] {
  if (cursor === undefined) return []
  if (page !== undefined)
    return [{ path: 'cursor', rule: 'exclusive', message: 'Use either page or cursor, not both.' }]
  return decode(cursor).at(-1) === listName ? [] : [foreignCursor]
}

const foreignCursor: ValidationIssue = {
  path: 'cursor',
  rule: 'cursor',
  message: 'The cursor does not belong to this list. Send it with the filters and the order of its page.',
}

/** The rows to read: `limit` rows after the row that `after` names, or after the first `offset` rows. */
export interface RowRange<Key> {
  limit: number
  offset: number
  after: Key | null
}

/** The sort key of a list, as a cursor contains it. */
export interface CursorKey<Row, Key> {
  of(row: Row): readonly CursorValue[]
  /** Returns null for values that no row of the list could have. */
  read(values: readonly CursorValue[]): Key | null
}

/** The cursor of lists that are sorted by id. */
export const byId: CursorKey<{ id: string }, string> = {
  of: (row) => [row.id],
  read: ([id, ...rest]) => (typeof id === 'string' && rest.length === 0 ? id : null),
}

/** The cursor of lists that are sorted by position, which is the order of arrival. */
export const byPosition: CursorKey<{ position: number }, number> = {
  of: (row) => [row.position],
  read: ([position, ...rest]) => (typeof position === 'number' && rest.length === 0 ? position : null),
}

export interface TimeAndId {
  at: Date
  id: string
}

/** For lists in the order of a time in milliseconds; rows of the same time are in the order of their ids. */
export function byTime<Row extends { id: string }>(readTime: (row: Row) => Date): CursorKey<Row, TimeAndId> {
  return {
    of: (row) => [readTime(row).getTime(), row.id],
    read([ms, id, ...rest]) {
      if (typeof ms !== 'number' || typeof id !== 'string' || rest.length > 0) return null
      const at = new Date(ms)
      return Number.isNaN(at.getTime()) ? null : { at, id }
    },
  }
}

interface List<Row, Key, Item> {
  key: CursorKey<NoInfer<Row>, Key>
  list(range: RowRange<Key>): Promise<Row[]>
  /**
   * Counts all rows of the list. It is not called for pages by cursor, so that each of a million pages costs as much as the first.
   * On the last page, `seen` is the number of rows up to its end, otherwise null. If `list` leaves out no rows, that is the count.
   */
  count(seen: number | null): Promise<number> | number
  present(rows: Row[]): Item[] | Promise<Item[]>
}

/**
 * Returns a list by page or by cursor, never both. A cursor contains the sort key of the last row, the number of the next page,
 * the count of the first page and the name of its list. Source: docs/contract.md, "Conventions".
 */
export async function answerList<Row, Key, Item>(query: PageQuery, list: List<Row, Key, Item>) {
  const { limit } = query
  const walk = readCursor(query, list.key)
  const page = walk?.page ?? query.page ?? 1
  const offset = walk === null ? (page - 1) * limit : 0
  const rows = await list.list({ limit: limit + 1, offset, after: walk?.after ?? null })
  const isLast = rows.length <= limit && (rows.length > 0 || offset === 0)
  const totalCount = walk?.totalCount ?? (await list.count(isLast ? offset + rows.length : null))
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  const more = rows.length > limit && last !== undefined
  return {
    results: await list.present(shown),
    pagination: describePage({ page, limit, totalCount }),
    nextCursor: more ? encode([...list.key.of(last), page + 1, totalCount, query.listName]) : null,
  }
}

/** The pagination object of a list. */
function describePage(input: { page: number; limit: number; totalCount: number }) {
  return {
    currentPage: input.page,
    totalPages: Math.ceil(input.totalCount / input.limit),
    totalCount: input.totalCount,
  }
}

interface Walk<Key> {
  after: Key
  page: number
  totalCount: number
}

function readCursor<Row, Key>(query: PageQuery, key: CursorKey<Row, Key>): Walk<Key> | null {
  if (query.cursor === undefined) return null
  const issues = cursorIssues(query)
  if (issues.length > 0) throw invalid(...issues)
  const values = decode(query.cursor)
  const [nextPage, totalCount] = values.slice(-3)
  const after = key.read(values.slice(0, -3))
  if (after === null || !isCount(nextPage) || !isCount(totalCount)) throw invalid(foreignCursor)
  return { after, page: nextPage, totalCount }
}

function encode(values: readonly CursorValue[]): string {
  return Buffer.from(JSON.stringify(values)).toString('base64url')
}

/** Returns no values if the text is not a cursor. */
function decode(cursor: string): CursorValue[] {
  try {
    const values: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'))
    return Array.isArray(values) && values.every(isCursorValue) ? values : []
  } catch {
    return []
  }
}

function isCursorValue(value: unknown): value is CursorValue {
  if (typeof value === 'string') return value.length <= 500 && isStorable(value)
  return typeof value === 'number' && Number.isSafeInteger(value)
}

function isCount(value: CursorValue | undefined): value is number {
  return typeof value === 'number' && value >= 0
}
