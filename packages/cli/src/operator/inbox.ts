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
    .description('They were passed over, and lie in their mailboxes still')
  setAside.command('list').description('newest first').option('--json', 'print them as JSON').action(list)
  setAside
    .command('retry [ids...]')
    .description('have them tried again, by the worker that watches the mailbox')
    .option('--all', 'every one of them')
    .option('--json', 'print how many as JSON')
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
  const state = retryAskedAt === null ? `tried ${tries} ${tries === 1 ? 'time' : 'times'}` : 'to be tried again'
  return `${id}  ${setAsideAt.toISOString()}  ${accountId}  ${sendingAccountId}  ${folder} ${uid}  ${reason}  ${state}`
}

async function retry(ids: string[], { all, ...options }: RetryOptions): Promise<void> {
  if ((ids.length === 0) === (all !== true)) throw new CommandError('Name the messages to try again, or say --all.')
  await withApp(async ({ app }) => {
    const asked = { ids: all === true ? null : ids, now: app.clock.now() }
    const count = await app.db.transaction(async (tx) => {
      // The command covers several accounts, so it is recorded in the log of no account.
      await recordOperator(app, tx, { accountId: '', action: 'inbox.set-aside.retry', targetId: null })
      return retrySetAside(tx, asked)
    })
    if (all !== true && count < new Set(ids).size)
      throw new CommandError(`Of ${ids.length} messages ${count} are set aside and will be tried again.`)
    show({ count }, `${count} will be tried again.`, options)
  })
}
