import { accountEndpoints } from '@overture/contract/accounts/account.ts'
import { command, query, type Route } from '../platform/http/route.ts'
import { editAccount, showAccount, type AccountSources } from './accounts.commands.ts'

export function accountsRoutes(deps: { sources: AccountSources }): Route[] {
  const { sources } = deps
  return [
    query(accountEndpoints.getAccount, async ({ app, tenant }) =>
      showAccount(app.db, tenant, sources, app.clock.now()),
    ),
    command(accountEndpoints.updateAccount, async ({ app, tenant }, { body }, tx) =>
      editAccount(tx, { tenant, edit: body, sources, now: app.clock.now() }),
    ),
  ]
}
