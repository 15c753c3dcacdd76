import { numberText } from '../time/format.ts'

/** The API counts the rows of a search by text, and of the event log, only to this number. */
export const countedMax = 10_000

/** The number of rows in a list. */
export interface ListTotal {
  count: number
  /** Whether there may be more rows than `count`, because the API stopped counting. */
  isLeast: boolean
}

export function readTotal(totalCount: number, isCapped: boolean): ListTotal {
  return { count: totalCount, isLeast: isCapped && totalCount >= countedMax }
}

/** The total for people, with a plus sign if there may be more rows: `10,000+`. */
export function totalText({ count, isLeast }: ListTotal): string {
  return `${numberText(count)}${isLeast ? '+' : ''}`
}
