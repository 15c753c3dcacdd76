import { accountEndpoints } from '@overture/contract/accounts/account.ts'
import { command, query, type Route } from '../platform/http/route.ts'
import { editAccount, showAccount, type AccountTools } from './accounts.commands.ts'

export function accountsRoutes(tools: AccountTools): Route[] {
  return [
    query(accountEndpoints.getAccount, async ({ app, tenant }) => showAccount(app.db, tenant, tools, app.clock.now())),
    command(accountEndpoints.updateAccount, async ({ app, tenant }, { body }, tx) =>
      editAccount(tx, { tenant, edit: body, tools, now: app.clock.now() }),
    ),
  ]
}
