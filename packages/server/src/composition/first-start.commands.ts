import { unnamedAccount } from '@overture/contract/accounts/account.ts'
import { findFirstAccountIdAcrossAccounts } from '../accounts/index.ts'
import { createKey } from '../api-keys/index.ts'
import { openAccount } from './operator.commands.ts'
import { hasAnyAccountAcrossAccounts, lockFirstStart } from './open-app.sql.ts'
import type { App } from '../platform/app.ts'
import { recordSystem } from '../platform/audit/acts.commands.ts'
import { createSetupLink } from '../team/index.ts'

interface FirstKeys {
  test: string
  live: string
}

/**
 * On an empty database, makes an account with one key per environment and returns the keys, which are shown only once. Returns
 * null on any other database. Source: docs/contract.md, "Accounts and keys".
 */
export async function prepareFirstStart(app: App): Promise<FirstKeys | null> {
  return app.db.transaction(async (tx) => {
    await lockFirstStart(tx)
    if (await hasAnyAccountAcrossAccounts(tx)) return null
    const now = app.clock.now()
    const { accountId } = await openAccount(tx, { name: unnamedAccount, plan: 'self_hosted', now })
    const shared = { accountId, scopes: ['read', 'write', 'admin'] as const, expiresAt: null, now }
    const test = await createKey(tx, { ...shared, environment: 'test', name: 'First test key' })
    const live = await createKey(tx, { ...shared, environment: 'live', name: 'First live key' })
    await recordSystem(tx, { accountId, action: 'system.accounts.create', targetId: accountId })
    for (const { environment, id: targetId } of [test, live])
      await recordSystem(tx, { accountId, environment, action: 'system.keys.create', targetId })
    return { test: test.key, live: live.key }
  })
}

/** The link on which the first owner signs up, while there is no user. Null afterwards. */
export async function prepareSetupLink(app: App): Promise<string | null> {
  if (!app.config.signIn.passwords) return null
  return app.db.transaction(async (tx) => {
    await lockFirstStart(tx)
    const accountId = await findFirstAccountIdAcrossAccounts(tx)
    const token = accountId === null ? null : await createSetupLink(tx, accountId, app.clock.now())
    return token === null ? null : `${app.config.publicUrl}/app/setup#${token}`
  })
}
