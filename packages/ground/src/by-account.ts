export interface OfAccount {
  accountId: string
}

/** Groups rows that were found over all accounts by their account, since each changing statement concerns one account only. */
export function byAccount<Row extends OfAccount>(rows: readonly Row[]): Map<string, Row[]> {
  const accounts = new Map<string, Row[]>()
  for (const row of rows) {
    const own = accounts.get(row.accountId)
    if (own === undefined) accounts.set(row.accountId, [row])
    else own.push(row)
  }
  return accounts
}
