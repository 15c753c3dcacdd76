import { expect, test } from 'vitest'
import { AppError } from '@overture/contract/errors.ts'
import { answerList, byId, byPosition, byTime, type At, type CursorKey, type PageQuery } from './paging.ts'

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

/** A list over an array, and what was asked of it. */
function listing<Key>(key: CursorKey<Row, Key>, isAfter: (row: Row, key: Key) => boolean) {
  const asked: { at: At<Key>[]; counts: number } = { at: [], counts: 0 }
  const answer = (query: PageQuery) =>
    answerList(query, {
      key,
      async list(at) {
        asked.at.push(at)
        const { after } = at
        const rest = after === null ? rows.slice(at.offset) : rows.filter((row) => isAfter(row, after))
        return rest.slice(0, at.limit)
      },
      async count() {
        asked.counts++
        return rows.length
      },
      present: (some) => some.map((row) => row.id),
    })
  return { asked, answer }
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
])('walking by %s meets every row once, and counts them once', async (_name, make) => {
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

test('a numbered page is read by its offset', async () => {
  const { asked, answer } = listing(byId, (row, id) => row.id > id)
  expect(await answer({ page: 3, limit: 10 })).toEqual({
    results: everyId.slice(20),
    pagination: { currentPage: 3, totalPages: 3, totalCount: 23 },
    nextCursor: null,
  })
  expect(asked.at).toEqual([{ limit: 11, offset: 20, after: null }])
})

test('what is not a cursor of the list is 400, and so are page and cursor together', async () => {
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const { answer } = listing(
    byTime((row: Row) => row.at),
    () => true,
  )
  const good = encode([1000, 'row_1', 2, 23])
  expect(await answer({ limit: 5, cursor: good })).toBeDefined()
  const refused: PageQuery[] = [
    { limit: 5, page: 1, cursor: good },
    ...['', 'nonsense', '💥', encode(null), encode({}), encode([]), encode([2, 23]), encode(['row_1', 2, 23])].map(
      (cursor) => ({ limit: 5, cursor }),
    ),
    ...[
      [1000, 'row_1', 'x', 23],
      [1000, 'row_1', 2, -1],
      [1000, 'row_1', 2, null],
      [9e15, 'row_1', 2, 23],
      ['2026-01-01', 'row_1', 2, 23],
      [1000, 'row\0', 2, 23],
      [1000, 'row_1', 'more', 2, 23],
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
