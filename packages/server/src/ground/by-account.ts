export interface OfAccount {
  accountId: string
}

/** What was found over all accounts is changed account by account: each statement is one account's, wherever its rows lie. */
export function byAccount<Row extends OfAccount>(rows: readonly Row[]): Map<string, Row[]> {
  const accounts = new Map<string, Row[]>()
  for (const row of rows) {
    const own = accounts.get(row.accountId)
    if (own === undefined) accounts.set(row.accountId, [row])
    else own.push(row)
  }
  return accounts
}
