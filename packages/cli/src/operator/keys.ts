import type { Command } from 'commander'
import type { Environment, Scope } from '@overture/contract/endpoint.ts'
import { createKey, revokeKey, tellCreated } from '@overture/server/api-keys/index.ts'
import { environmentOption, scopesOption, timeOption } from '../options.ts'
import { show, type OutputOptions } from '../output.ts'
import { recordOperator } from './recorded.ts'
import { withApp } from './session.ts'

interface CreateOptions extends OutputOptions {
  account: string
  scopes: Scope[]
  environment: Environment
  name?: string
  expiresAt?: Date
}

export function registerKeys(program: Command): void {
  const keys = program.command('keys').description('API keys')
  keys
    .command('create')
    .requiredOption('--account <id>', 'account of the key')
    .requiredOption('--scopes <list>', 'any of read,write,admin', scopesOption)
    .requiredOption('--environment <name>', 'live or test', environmentOption)
    .option('--name <name>', 'name of the key')
    .option('--expires-at <time>', 'when it stops working', timeOption)
    .option('--json', 'print the key as the API would')
    .action(create)
  keys.command('revoke <id>').option('--json', 'print the key as the API would').action(revoke)
}

async function create(options: CreateOptions): Promise<void> {
  await withApp(async ({ app }) => {
    const { account: accountId, scopes, environment, name, expiresAt } = options
    const now = app.clock.now()
    const key = await app.db.transaction(async (tx) => {
      const created = await createKey(tx, { accountId, scopes, environment, name, expiresAt: expiresAt ?? null, now })
      await recordOperator(app, tx, { accountId, action: 'keys.create', targetId: created.id })
      const tenant = { accountId, environment }
      await tellCreated(tx, tenant, { key: created, now: await app.clocks.now(tx, tenant) })
      return created
    })
    show(key, key.key, options)
  })
}

async function revoke(id: string, options: OutputOptions): Promise<void> {
  await withApp(async ({ app }) => {
    const key = await revokeKey(app.db, {
      keyId: id,
      now: app.clock.now(),
      recorded: (tx, accountId) => recordOperator(app, tx, { accountId, action: 'keys.revoke', targetId: id }),
    })
    show(key, `${key.id}  ${key.status}`, options)
  })
}
