import { byAccount, type OfAccount } from '@overture/ground/by-account.ts'
import type { Executor } from '../db/database.ts'

type List<Row, Bound> = (db: Executor, bound: Bound, limit: number) => Promise<Row[]>
type Remove<Row, Bound> = (db: Executor, accountId: string, rows: readonly Row[], bound: Bound) => Promise<number>

/**
 * Deletes rows from before a bound, over all accounts, the oldest first. Returns how many were deleted. `remove` checks the bound
 * again, because a found row may have been renewed meanwhile. Rows locked by another transaction stay for the next round.
 */
export function forgetByAccount<Row extends OfAccount, Bound>(list: List<Row, Bound>, remove: Remove<Row, Bound>) {
  return async (db: Executor, bound: Bound, limit: number): Promise<number> => {
    let gone = 0
    for (const [accountId, rows] of byAccount(await list(db, bound, limit)))
      gone += await remove(db, accountId, rows, bound)
    return gone
  }
}
