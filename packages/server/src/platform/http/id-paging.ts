import { invalid } from '@overture/contract/errors.ts'
import { decodeCursor, encodeCursor, pageOf } from './paging.ts'

export interface PageQuery {
  page?: number | undefined
  limit: number
  cursor?: string | undefined
}

/** Where to read a list that is ordered by id. */
export interface IdPage {
  limit: number
  offset: number
  /** Rows after this id; null at the start and for numbered pages. */
  afterId: string | null
  currentPage: number
}

/** Reads `page` or `cursor` (never both) of a list that is ordered by id. Source: contract 1. */
export function readIdPage(query: PageQuery): IdPage {
  if (query.cursor === undefined) {
    const currentPage = query.page ?? 1
    return { limit: query.limit, offset: (currentPage - 1) * query.limit, afterId: null, currentPage }
  }
  if (query.page !== undefined)
    throw invalid({ path: 'cursor', rule: 'exclusive', message: 'Either page or cursor, not both.' })
  const [afterId, currentPage] = decodeCursor(query.cursor, 2)
  return { limit: query.limit, offset: 0, afterId: String(afterId), currentPage: Number(currentPage) }
}

/** The `pagination` and `nextCursor` that go with a page of rows. */
export function idPageAnswer(page: IdPage, answer: { totalCount: number; ids: readonly string[] }) {
  const last = answer.ids.at(-1)
  const more = last !== undefined && answer.ids.length === page.limit
  return {
    pagination: pageOf({ page: page.currentPage, limit: page.limit, totalCount: answer.totalCount }),
    nextCursor: more ? encodeCursor([last, page.currentPage + 1]) : null,
  }
}
