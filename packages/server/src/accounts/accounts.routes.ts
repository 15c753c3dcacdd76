import { accountEndpoints } from '@overture/contract/accounts/account.ts'
import { command, query, type Route } from '../platform/http/route.ts'
import { editAccount, showAccount, type AccountTools } from './accounts.commands.ts'

export function accountsRoutes(tools: AccountTools): Route[] {
  return [
    query(accountEndpoints.getAccount, async ({ app, tenant }) => showAccount(app.db, tenant, tools, app.clock.now())),
    command(accountEndpoints.updateAccount, async (context, { body }, tx) => {
      const { app, tenant } = context
      const now = app.clock.now()
      context.was(await showAccount(tx, tenant, tools, now))
      return editAccount(tx, { tenant, edit: body, tools, now })
    }),
  ]
}
