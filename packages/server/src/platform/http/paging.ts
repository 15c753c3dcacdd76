import { invalid } from '@overture/contract/errors.ts'
import { isStorable } from './json.ts'

type CursorValue = string | number

/** An opaque cursor that holds the sort key of the last row of a page. */
export function encodeCursor(value: readonly CursorValue[]): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

/** The values of a cursor that `encodeCursor` made of `length` values; anything else is 400 on `cursor`. */
export function decodeCursor(text: string, length: number): CursorValue[] {
  const values = parse(text)
  if (!Array.isArray(values) || values.length !== length || !values.every(isCursorValue)) {
    throw invalid({ path: 'cursor', rule: 'cursor', message: 'Not a cursor of this list.' })
  }
  return values
}

/** The pagination object of a list; a page is 1 where a cursor was used. */
export function pageOf(input: { page?: number | undefined; limit: number; totalCount: number }) {
  return {
    currentPage: input.page ?? 1,
    totalPages: Math.ceil(input.totalCount / input.limit),
    totalCount: input.totalCount,
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString('utf8'))
  } catch {
    return undefined
  }
}

function isCursorValue(value: unknown): value is CursorValue {
  if (typeof value === 'string') return value.length <= 500 && isStorable(value)
  return typeof value === 'number' && Number.isSafeInteger(value)
}
