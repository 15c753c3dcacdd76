import type { Command } from 'commander'
import { retrySetAside } from '@overture/server/inbox/mailboxes/set-aside.commands.ts'
import { listSetAsideAcrossAccounts, type SetAsideMessage } from '@overture/server/inbox/mailboxes/set-aside.sql.ts'
import { CommandError, pageOfAll, show, type OutputOptions } from '../output.ts'
import { recordOperator } from './recorded.ts'
import { withApp } from './session.ts'

const listedMax = 10_000

interface RetryOptions extends OutputOptions {
  all?: boolean
}

export function registerInbox(program: Command): void {
  const setAside = program
    .command('inbox')
    .description('Messages in mailboxes that could not be read')
    .command('set-aside')
    .description('Messages that could not be read. They are still in their mailboxes')
  setAside.command('list').description('List them, newest first').option('--json', 'print them as JSON').action(list)
  setAside
    .command('retry [ids...]')
    .description('Retry them with the worker that watches the mailbox')
    .option('--all', 'retry all of them')
    .option('--json', 'print the count as JSON')
    .action(retry)
}

async function list(options: OutputOptions): Promise<void> {
  await withApp(async ({ app }) => {
    const messages = await listSetAsideAcrossAccounts(app.db, listedMax)
    const lines = messages.map(describe)
    show(pageOfAll(messages), lines.length === 0 ? 'No message is set aside.' : lines.join('\n'), options)
  })
}

function describe(message: SetAsideMessage): string {
  const { id, setAsideAt, accountId, sendingAccountId, folder, uid, reason, tries, retryAskedAt } = message
  const state = retryAskedAt === null ? `tried ${tries} ${tries === 1 ? 'time' : 'times'}` : 'will be retried'
  return `${id}  ${setAsideAt.toISOString()}  ${accountId}  ${sendingAccountId}  ${folder} ${uid}  ${reason}  ${state}`
}

async function retry(ids: string[], { all, ...options }: RetryOptions): Promise<void> {
  if ((ids.length === 0) === (all !== true))
    throw new CommandError('Give the ids of the messages to retry, or add --all.')
  await withApp(async ({ app }) => {
    const selection = { ids: all === true ? null : ids, now: app.clock.now() }
    const count = await app.db.transaction(async (tx) => {
      // The command covers several accounts, so it is recorded in the log of no account.
      await recordOperator(app, tx, { accountId: '', action: 'inbox.set-aside.retry', targetId: null })
      return retrySetAside(tx, selection)
    })
    if (all !== true && count < new Set(ids).size)
      throw new CommandError(`Only ${count} of ${ids.length} messages are set aside. They will be retried.`)
    show({ count }, `${count} will be retried.`, options)
  })
}
