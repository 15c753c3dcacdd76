import { byAccount, type OfAccount } from '../../ground/by-account.ts'
import type { Executor } from '../db/database.ts'

type List<Row, Bound> = (db: Executor, bound: Bound, limit: number) => Promise<Row[]>
type Remove<Row, Bound> = (db: Executor, accountId: string, rows: readonly Row[], bound: Bound) => Promise<number>

/**
 * Takes out what lies before a bound, the oldest of all accounts first; answers how many went. `remove` looks at the bound
 * again: what was found may have been renewed meanwhile, and what somebody else holds stays for the next round.
 */
export function forgetByAccount<Row extends OfAccount, Bound>(list: List<Row, Bound>, remove: Remove<Row, Bound>) {
  return async (db: Executor, bound: Bound, limit: number): Promise<number> => {
    let gone = 0
    for (const [accountId, rows] of byAccount(await list(db, bound, limit)))
      gone += await remove(db, accountId, rows, bound)
    return gone
  }
}
