import { expect, test } from 'vitest'
import { AppError } from '@overture/contract/errors.ts'
import {
  answerList,
  byId,
  byPosition,
  byTime,
  nameList,
  type RowRange,
  type CursorKey,
  type PageQuery,
} from './paging.ts'

interface Row {
  id: string
  position: number
  at: Date
}
const rows: Row[] = Array.from({ length: 23 }, (_, index) => ({
  id: `row_${String(index).padStart(3, '0')}`,
  position: index,
  at: new Date(Math.floor(index / 4) * 1000),
}))

/** A list over an array, which records the ranges and counts that were requested. */
function listing<Key>(key: CursorKey<Row, Key>, isAfter: (row: Row, key: Key) => boolean) {
  const requested: { at: RowRange<Key>[]; counts: number } = { at: [], counts: 0 }
  const answer = (query: Omit<PageQuery, 'listName'> & { listName?: string }) =>
    answerList(
      { listName: 'rows', ...query },
      {
        key,
        async list(at) {
          requested.at.push(at)
          const { after } = at
          const rest = after === null ? rows.slice(at.offset) : rows.filter((row) => isAfter(row, after))
          return rest.slice(0, at.limit)
        },
        async count() {
          requested.counts++
          return rows.length
        },
        present: (some) => some.map((row) => row.id),
      },
    )
  return { asked: requested, answer }
}

const everyId = rows.map((row) => row.id)

test.each([
  ['id', () => listing(byId, (row, id) => row.id > id)],
  ['position', () => listing(byPosition, (row, position) => row.position > position)],
  [
    'time',
    () =>
      listing(
        byTime((row: Row) => row.at),
        (row, { at, id }) => row.at > at || (+row.at === +at && row.id > id),
      ),
  ],
])('a walk by %s returns every row once, and counts once', async (_name, make) => {
  for (const limit of [1, 5, 22, 23, 24, 100]) {
    const { asked, answer } = make()
    const seen: string[] = []
    const pages: number[] = []
    for (let cursor: string | undefined; ;) {
      const page = await answer({ limit, cursor })
      seen.push(...page.results)
      pages.push(page.pagination.currentPage)
      expect(page.pagination).toMatchObject({ totalCount: 23, totalPages: Math.ceil(23 / limit) })
      if (page.nextCursor === null) break
      cursor = page.nextCursor
    }
    expect(seen).toEqual(everyId)
    expect(pages).toEqual(Array.from({ length: Math.ceil(23 / limit) }, (_, index) => index + 1))
    expect(asked.counts).toBe(1)
    expect(asked.at.every((at) => at.offset === 0 && at.limit === limit + 1)).toBe(true)
  }
})

test('the last page gives the total, and other pages need a count', async () => {
  for (const size of [0, 1, 9, 10, 11, 23])
    for (const limit of [1, 10, 11])
      for (const page of [1, 2, 3, 4]) {
        const counted: (number | null)[] = []
        const all = rows.slice(0, size)
        const { pagination } = await answerList(
          { listName: 'rows', page, limit },
          {
            key: byId,
            list: async ({ offset, limit: most }) => all.slice(offset, offset + most),
            count(seen) {
              counted.push(seen)
              return seen ?? size
            },
            present: (some) => some,
          },
        )
        expect(pagination).toEqual({ currentPage: page, totalCount: size, totalPages: Math.ceil(size / limit) })
        const reached = (page - 1) * limit < size || page === 1
        expect(counted).toEqual([reached && size <= page * limit ? size : null])
      }
})

test('a numbered page is read by offset', async () => {
  const { asked, answer } = listing(byId, (row, id) => row.id > id)
  expect(await answer({ page: 3, limit: 10 })).toEqual({
    results: everyId.slice(20),
    pagination: { currentPage: 3, totalPages: 3, totalCount: 23 },
    nextCursor: null,
  })
  expect(asked.at).toEqual([{ limit: 11, offset: 20, after: null }])
})

test('a foreign cursor is 400, and so are page and cursor together', async () => {
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const { answer } = listing(
    byTime((row: Row) => row.at),
    () => true,
  )
  const good = encode([1000, 'row_1', 2, 23, 'rows'])
  expect(await answer({ limit: 5, cursor: good })).toBeDefined()
  const refused: Omit<PageQuery, 'listName'>[] = [
    { limit: 5, page: 1, cursor: good },
    ...[
      '',
      'nonsense',
      '💥',
      encode(null),
      encode({}),
      encode([]),
      encode([2, 23, 'rows']),
      encode(['row_1', 2, 23, 'rows']),
    ].map((cursor) => ({ limit: 5, cursor })),
    ...[
      [1000, 'row_1', 'x', 23, 'rows'],
      [1000, 'row_1', 2, -1, 'rows'],
      [1000, 'row_1', 2, null, 'rows'],
      [9e15, 'row_1', 2, 23, 'rows'],
      ['2026-01-01', 'row_1', 2, 23, 'rows'],
      [1000, 'row\0', 2, 23, 'rows'],
      [1000, 'row_1', 'more', 2, 23, 'rows'],
      [1000, 'row_1', 2, 23],
      [1000, 'row_1', 2, 23, 'other rows'],
      [1000, 'row_1', 2, 23, 5],
    ].map((values) => ({ limit: 5, cursor: encode(values) })),
  ]
  for (const query of refused) {
    const error = await answer(query).then(
      () => null,
      (thrown: unknown) => thrown,
    )
    expect(error, JSON.stringify(query)).toBeInstanceOf(AppError)
    expect(error).toMatchObject({ code: 'VALIDATION_ERROR', details: { issues: [{ path: 'cursor' }] } })
  }
})

test("a list's name depends on account, operation, filters and order, not on the page", () => {
  const tenant = { accountId: 'acc_1', environment: 'test' }
  const of = { operationId: 'listThings', tenant, params: { id: 'one' }, query: { limit: 25, q: 'a', order: 'asc' } }
  const name = nameList(of)
  for (const query of [
    { order: 'asc', q: 'a', limit: 3, page: 2 },
    { limit: 25, q: 'a', order: 'asc', cursor: 'x', after: 'evt_1', status: undefined },
  ])
    expect(nameList({ ...of, query })).toBe(name)
  const others = [
    { ...of, operationId: 'listOthers' },
    { ...of, tenant: { ...tenant, environment: 'live' } },
    { ...of, params: { id: 'two' } },
    { ...of, query: { ...of.query, q: 'b' } },
    { ...of, query: { ...of.query, order: 'desc' } },
    { ...of, query: { ...of.query, status: 'active' } },
    { ...of, query: { limit: 25, order: 'asc' } },
  ].map(nameList)
  expect(new Set([name, ...others]).size).toBe(others.length + 1)
})
