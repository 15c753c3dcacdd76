import type { Command } from 'commander'
import type { PlanId } from '@overture/contract/accounts/credits.ts'
import { endAccount } from '@overture/server/composition/account-end.shell.ts'
import {
  changeAccount,
  describeAccount,
  describeAllAccounts,
  openAccount,
} from '@overture/server/composition/operator.commands.ts'
import type { Executor } from '@overture/server/platform/db/database.ts'
import { nameOption, planOption, switchOption, wholeNumber } from '../options.ts'
import { CommandError, pageOfAll, show, type OutputOptions } from '../output.ts'
import { recordOperator } from './recorded.ts'
import { withApp } from './session.ts'

interface SetOptions extends OutputOptions {
  requestsPerMinute?: number
  burstPerSecond?: number
  monthlyRequests?: number
  maxApiKeys?: number
  apiAccess?: boolean
  plan?: PlanId
}

export function registerAccounts(program: Command): void {
  const accounts = program.command('accounts').description('Accounts, their limits and plans')
  accounts
    .command('create')
    .requiredOption('--name <name>', 'name of the account', nameOption)
    .option('--plan <plan>', 'trial, starter, growth, scale or self_hosted', planOption, 'trial')
    .option('--json', 'print the account as the API would')
    .action(create)
  accounts.command('list').option('--json', 'print the accounts as the API would').action(list)
  accounts
    .command('set <id>')
    .option('--requests-per-minute <n>', 'rolling limit of each key', wholeNumber)
    .option('--burst-per-second <n>', 'rolling limit of each key', wholeNumber)
    .option('--monthly-requests <n>', 'quota of the account', wholeNumber)
    .option('--max-api-keys <n>', 'active keys at once', wholeNumber)
    .option('--api-access <on|off>', 'off: every request returns 403', switchOption)
    .option('--plan <plan>', 'starts with its credits', planOption)
    .option('--json', 'print the account as the API would')
    .action(set)
  accounts
    .command('delete <id>')
    .description('Delete an account with all its data permanently. Not possible while it sends a message')
    .option('--yes', 'confirm the deletion')
    .option('--json', 'print the deleted rows per table as JSON')
    .action(end)
}

async function create(options: { name: string; plan: PlanId } & OutputOptions): Promise<void> {
  await withApp(async ({ app }) => {
    const now = app.clock.now()
    const account = await app.db.transaction(async (tx) => {
      const { accountId } = await openAccount(tx, { name: options.name, plan: options.plan, now })
      await recordOperator(app, tx, { accountId, action: 'accounts.create', targetId: accountId })
      return describeAccount(app, tx, accountId)
    })
    show(account, `${account.id}  ${account.plan}  ${account.name}`, options)
  })
}

async function list(options: OutputOptions): Promise<void> {
  await withApp(async ({ app }) => {
    const accounts = await describeAllAccounts(app)
    const lines = accounts.map(
      (account) => `${account.id}  ${account.plan}  ${account.credits.balance} credits  ${account.name}`,
    )
    show(pageOfAll(accounts), lines.join('\n') || 'No accounts.', options)
  })
}

async function set(id: string, { json, apiAccess, ...changes }: SetOptions): Promise<void> {
  await withApp(async ({ app }) => {
    const account = await changeAccount(app, id, {
      ...changes,
      ...(apiAccess === undefined ? {} : { apiAccessEnabled: apiAccess }),
      recorded: (tx) => recordOperator(app, tx, { accountId: id, action: 'accounts.set', targetId: id }),
    })
    show(account, `${account.id}  ${JSON.stringify({ ...account.limits, plan: account.plan })}`, { json })
  })
}

async function end(id: string, { yes, ...options }: OutputOptions & { yes?: boolean }): Promise<void> {
  if (yes !== true) throw new CommandError(`This deletes ${id} with all its data permanently. Add --yes to confirm.`)
  await withApp(async ({ app }) => {
    const progress = (table: string, deleted: number) => {
      if (options.json !== true) process.stderr.write(`${table}: ${deleted}\n`)
    }
    // Recorded in the log of no account, since the account's own log is deleted with it.
    const recorded = (tx: Executor) =>
      recordOperator(app, tx, { accountId: '', action: 'accounts.delete', targetId: id })
    const ended = await endAccount(app, id, { progress, recorded })
    const rows = Object.values(ended.deleted).reduce((sum, count) => sum + count, 0)
    show(ended, `Deleted ${id} with ${rows} rows.`, options)
  })
}
