import { AppError, notFound } from '@overture/contract/errors.ts'
import type { App } from '../platform/app.ts'
import { monotonicMs, sleep } from '../platform/clock.ts'
import type { Transaction } from '../platform/db/database.ts'
import {
  deleteAccountRow,
  deleteClaimsNotInFlight,
  deleteRowsOfAccount,
  hasEndedBefore,
  hasMessageOfAccountInFlight,
  listTablesOfAccounts,
  lockEndingAccount,
  updateAccountClosed,
} from './account-end.sql.ts'

const rowsAtOnce = 10_000
const sendersMax = 100_000
const waitMs = 90_000
const waitStepMs = 200

/** They end who may ask, and by whom mail could leave. */
const doors = ['sending_accounts', 'sessions', 'api_keys', 'user_links', 'users']
/** Written once: their rows go when the account is no more, and not before. */
const writtenOnce = /^(?:accounts|credit_ledger|audit_)/

interface AccountEnd {
  accountId: string
  /** Rows that went, by table. */
  deleted: Record<string, number>
}

interface EndOptions {
  /** Told after each batch. */
  progress?: (table: string, deleted: number) => void
  /** In the transaction that closes the account: the operator's own log. */
  recorded?: (tx: Transaction) => Promise<void>
  rowsAtOnce?: number
}

/**
 * Deletes an account and everything of it. First nobody can ask and nothing can leave any more, in one transaction, which
 * is refused while a message is between its gate and the answer; then table by table, some rows at a time. Ended halfway,
 * it goes on where it was when it is called again. What works beside it may write a last row: it is looked for at the end.
 */
export async function endAccount(app: App, accountId: string, options: EndOptions = {}): Promise<AccountEnd> {
  const end: AccountEnd = { accountId, deleted: {} }
  const sweep = { ...options, rowsAtOnce: options.rowsAtOnce ?? rowsAtOnce }
  const wasThere = await closeAccount(app, end, sweep)
  const tables = await listTablesOfAccounts(app.db)
  await deleteClaims(app, end, sweep)
  const early = tables.filter((table) => table !== 'claims' && !writtenOnce.test(table))
  for (const table of early) await emptyTable(app, end, { ...sweep, table })
  if (wasThere) await waitForEarlier(app, await app.db.transaction((tx) => deleteAccountRow(tx, accountId)))
  for (const table of tables) if (table !== 'accounts') await emptyTable(app, end, { ...sweep, table })
  if (wasThere) end.deleted['accounts'] = 1
  else if (Object.keys(end.deleted).length === 0) throw notFound()
  return end
}

type Sweep = EndOptions & { rowsAtOnce: number }

/** False: the account itself is gone already, and what is left of it goes. */
async function closeAccount({ db }: App, end: AccountEnd, { recorded }: Sweep): Promise<boolean> {
  return db.transaction(async (tx) => {
    const account = await lockEndingAccount(tx, end.accountId)
    if (account === null) return false
    if (account.subscriptionId !== null)
      throw refusal(`Its subscription ${account.subscriptionId} is charged for. End it at the payment provider first.`)
    await updateAccountClosed(tx, end.accountId)
    // Whoever claims messages at this moment holds their senders: they are waited for, and nobody claims after.
    for (const table of doors)
      note(end, table, await deleteRowsOfAccount(tx, end.accountId, { table, limit: sendersMax }))
    note(end, 'claims', await deleteClaimsNotInFlight(tx, end.accountId, sendersMax))
    if (await hasMessageOfAccountInFlight(tx, end.accountId))
      throw refusal('A message of this account is being sent at this moment. Try again in a minute.')
    await recorded?.(tx)
    return true
  })
}

/** A reply that somebody asked for may have been claimed as the account was closed: its end is waited for. */
async function deleteClaims({ db }: App, end: AccountEnd, sweep: Sweep): Promise<void> {
  const untilMs = monotonicMs() + waitMs
  for (;;) {
    note(end, 'claims', await deleteClaimsNotInFlight(db, end.accountId, sweep.rowsAtOnce))
    if (!(await hasMessageOfAccountInFlight(db, end.accountId))) return
    if (monotonicMs() > untilMs) throw refusal('A message of this account is being sent. Nothing else is; try again.')
    await sleep(waitStepMs)
  }
}

async function emptyTable({ db }: App, end: AccountEnd, sweep: Sweep & { table: string }): Promise<void> {
  const { table, rowsAtOnce: limit, progress } = sweep
  for (let gone = limit; gone > 0;) {
    gone = await deleteRowsOfAccount(db, end.accountId, { table, limit })
    note(end, table, gone)
    if (gone > 0) progress?.(table, end.deleted[table] ?? 0)
  }
}

/** A transaction elsewhere that is left open is not waited for without end: then a last row is found the next time. */
async function waitForEarlier({ db }: App, transactionId: string): Promise<void> {
  const untilMs = monotonicMs() + waitMs
  while (!(await hasEndedBefore(db, transactionId)) && monotonicMs() < untilMs) await sleep(waitStepMs)
}

function note(end: AccountEnd, table: string, gone: number): void {
  if (gone > 0) end.deleted[table] = (end.deleted[table] ?? 0) + gone
}

function refusal(message: string): AppError {
  return new AppError('CONFLICT', message, { currentStatus: 'in_use', allowedActions: [] })
}
