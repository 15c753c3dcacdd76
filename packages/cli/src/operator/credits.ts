import type { Command } from 'commander'
import type { Environment } from '@overture/contract/endpoint.ts'
import { notFound } from '@overture/contract/errors.ts'
import { findAccount } from '@overture/server/accounts/index.ts'
import { grantCredits, listLedger, setBalance } from '@overture/server/credits/index.ts'
import type { Transaction } from '@overture/server/platform/db/database.ts'
import type { Tenant } from '@overture/server/platform/tenant.ts'
import { environmentOption, wholeNumber } from '../options.ts'
import { show, type OutputOptions } from '../output.ts'
import { recordOperator } from './recorded.ts'
import { withApp } from './session.ts'

interface CreditOptions extends OutputOptions {
  environment: Environment
}

export function registerCredits(program: Command): void {
  const credits = program.command('credits').description('The credit ledger')
  credits
    .command('grant <account>')
    .requiredOption('--amount <n>', 'credits to add', wholeNumber)
    .requiredOption('--reason <text>', 'kept in the ledger')
    .option('--environment <name>', 'live or test', environmentOption, 'live')
    .option('--json', 'print the ledger entry as the API would')
    .action(grant)
  credits
    .command('set <account>')
    .requiredOption('--balance <n>', 'the new balance', wholeNumber)
    .option('--reason <text>', 'kept in the ledger')
    .option('--environment <name>', 'live or test', environmentOption, 'live')
    .option('--json', 'print the ledger entry as the API would')
    .action(set)
}

async function grant(accountId: string, options: { amount: number; reason: string } & CreditOptions): Promise<void> {
  const { amount, reason } = options
  await change(accountId, options, (tx, tenant, now) => grantCredits(tx, tenant, { amount, reason, now }))
}

async function set(accountId: string, options: { balance: number; reason?: string } & CreditOptions): Promise<void> {
  const { balance, reason } = options
  await change(accountId, options, (tx, tenant, now) => setBalance(tx, tenant, { balance, reason, now }))
}

async function change(
  accountId: string,
  options: CreditOptions,
  apply: (tx: Transaction, tenant: Tenant, now: Date) => Promise<{ balance: number }>,
): Promise<void> {
  await withApp(async ({ app }) => {
    const tenant = { accountId, environment: options.environment }
    const { entry, balance } = await app.db.transaction(async (tx) => {
      if ((await findAccount(tx, accountId)) === null) throw notFound()
      await recordOperator(app, tx, { accountId, action: 'credits.change', targetId: accountId })
      const { balance: reached } = await apply(tx, tenant, app.clock.now())
      const [newest] = await listLedger(tx, tenant, { after: null, offset: 0, limit: 1 })
      return { entry: newest, balance: reached }
    })
    if (entry === undefined) return show({ balance }, `${balance} credits`, options)
    const { position: _, ...resource } = entry
    show({ ...resource, createdAt: entry.createdAt.toISOString() }, `${balance} credits`, options)
  })
}
