import type { Executor } from '../db/database.ts'

interface OfAccount {
  accountId: string
}

/** What was found over all accounts is changed account by account: each statement is one account's, wherever its rows lie. */
async function inEachAccount<Row extends OfAccount>(
  rows: readonly Row[],
  change: (accountId: string, own: readonly Row[]) => Promise<number>,
): Promise<number> {
  const byAccount = new Map<string, Row[]>()
  for (const row of rows) {
    const own = byAccount.get(row.accountId)
    if (own === undefined) byAccount.set(row.accountId, [row])
    else own.push(row)
  }
  let changed = 0
  for (const [accountId, own] of byAccount) changed += await change(accountId, own)
  return changed
}

type List<Row, Bound> = (db: Executor, bound: Bound, limit: number) => Promise<Row[]>
type Remove<Row, Bound> = (db: Executor, accountId: string, rows: readonly Row[], bound: Bound) => Promise<number>

/**
 * Takes out what lies before a bound, the oldest of all accounts first; answers how many went. `remove` looks at the bound
 * again: what was found may have been renewed meanwhile, and what somebody else holds stays for the next round.
 */
export function forgetByAccount<Row extends OfAccount, Bound>(list: List<Row, Bound>, remove: Remove<Row, Bound>) {
  return async (db: Executor, bound: Bound, limit: number): Promise<number> => {
    const found = await list(db, bound, limit)
    return inEachAccount(found, (accountId, own) => remove(db, accountId, own, bound))
  }
}
