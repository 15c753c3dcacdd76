import { initialiseContactPolicy } from '../contact-policy/index.ts'
import type { Account } from '@overture/contract/accounts/account.ts'
import type { PlanId } from '@overture/contract/accounts/credits.ts'
import {
  createAccount,
  findMonthlyUsage,
  listAccounts,
  quotaMonth,
  setAccount,
  showAccount,
  type AccountChanges,
  type AccountRow,
  type AccountTools,
} from '../accounts/index.ts'
// Not imported from the index: the operator's commands need no model and should not load the libraries of all models.
import { insertStarterPresets } from '../ai/presets/presets.commands.ts'
import { countActiveKeys } from '../api-keys/index.ts'
import { changePlan, creditSummary, initialiseCredits } from '../credits/index.ts'
import { linksReachRecipients } from '../platform/public-url.ts'
import type { App } from '../platform/app.ts'
import type { Executor, Transaction } from '../platform/db/database.ts'

/** Changes that the operator makes to accounts with the CLI or at the first start (docs/contract.md, "Accounts and keys"). */

const accountTools: Omit<AccountTools, 'linksReachRecipients'> = {
  usedRequests: (db, accountId, now) => findMonthlyUsage(db, accountId, quotaMonth(now).start),
  activeApiKeys: countActiveKeys,
  credits: creditSummary,
}

/**
 * Makes an account with the credits of its plan and of its test environment. Both environments get the prompt presets that ship
 * with the product, and a contact policy that stops leads on manual mail. `now` is real time.
 */
export async function openAccount(
  tx: Transaction,
  input: { name: string; plan: PlanId; now: Date },
): Promise<AccountRow> {
  const account = await createAccount(tx, input, initialiseCredits)
  for (const environment of ['live', 'test'] as const) {
    const tenant = { accountId: account.accountId, environment }
    await insertStarterPresets(tx, tenant, input.now)
    await initialiseContactPolicy(tx, tenant, input.now)
  }
  return account
}

/** Changes limits, access and plan. A new plan starts with its credits. Throws 404 for an unknown account. */
export async function changeAccount(
  app: App,
  accountId: string,
  { recorded, ...changes }: AccountChanges & { recorded?: (tx: Transaction) => Promise<void> },
): Promise<Account> {
  await setAccount(app.db, accountId, changes, {
    now: app.clock.now(),
    changePlan,
    ...(recorded !== undefined && { recorded }),
  })
  return describeAccount(app, app.db, accountId)
}

/** Returns the account as GET /v2/account shows it to a live key. */
export function describeAccount(app: App, db: Executor, accountId: string): Promise<Account> {
  const tools = { ...accountTools, linksReachRecipients: linksReachRecipients(app.config) }
  return showAccount(db, { accountId, environment: 'live' }, tools, app.clock.now())
}

export async function describeAllAccounts(app: App): Promise<Account[]> {
  const accounts: Account[] = []
  for (const { accountId } of await listAccounts(app.db)) accounts.push(await describeAccount(app, app.db, accountId))
  return accounts
}
