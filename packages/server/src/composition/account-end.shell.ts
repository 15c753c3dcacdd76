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

/** Tables whose rows allow requests to the account or mail from it. They are emptied first. */
const doors = ['sending_accounts', 'sessions', 'api_keys', 'user_links', 'users']
/** These tables refuse updates and deletes while their account exists, so they are emptied after it is deleted. */
const writtenOnce = /^(?:accounts|credit_ledger|audit_)/

interface AccountEnd {
  accountId: string
  /** Deleted rows by table. */
  deleted: Record<string, number>
}

interface EndOptions {
  /** Called after each batch. */
  progress?: (table: string, deleted: number) => void
  /** Runs in the transaction that closes the account: writes the entry in the operator's own log. */
  recorded?: (tx: Transaction) => Promise<void>
  rowsAtOnce?: number
}

/**
 * Deletes an account and all its rows. First one transaction ends its access and its senders; it is refused while a message is
 * in flight. Then the tables are emptied one by one, in batches. If it is interrupted, the next call continues there.
 * Concurrent work may still write a last row, so the tables are checked again at the end.
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

/** Returns false if the account row was deleted before; only its remaining rows are left to delete. */
async function closeAccount({ db }: App, end: AccountEnd, { recorded }: Sweep): Promise<boolean> {
  return db.transaction(async (tx) => {
    const account = await lockEndingAccount(tx, end.accountId)
    if (account === null) return false
    if (account.subscriptionId !== null)
      throw refusal(
        `The subscription ${account.subscriptionId} is still active. Cancel it at the payment provider first.`,
      )
    await updateAccountClosed(tx, end.accountId)
    // A planner that claims messages now holds locks on its senders. This delete waits for it; later claims find no sender.
    for (const table of doors)
      note(end, table, await deleteRowsOfAccount(tx, end.accountId, { table, limit: sendersMax }))
    note(end, 'claims', await deleteClaimsNotInFlight(tx, end.accountId, sendersMax))
    if (await hasMessageOfAccountInFlight(tx, end.accountId))
      throw refusal('A message of this account is being sent. Try again in a minute.')
    await recorded?.(tx)
    return true
  })
}

/** A reply may have been claimed while the account was closed. Waits until its send has ended. */
async function deleteClaims({ db }: App, end: AccountEnd, sweep: Sweep): Promise<void> {
  const untilMs = monotonicMs() + waitMs
  for (;;) {
    note(end, 'claims', await deleteClaimsNotInFlight(db, end.accountId, sweep.rowsAtOnce))
    if (!(await hasMessageOfAccountInFlight(db, end.accountId))) return
    if (monotonicMs() > untilMs)
      throw refusal('A message of this account is being sent. No new message is started. Try again.')
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

/** The wait is limited, because another transaction may stay open. The next run then finds a row that it wrote. */
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
