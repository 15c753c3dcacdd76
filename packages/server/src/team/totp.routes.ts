import { AppError, notFound } from '@overture/contract/errors.ts'
import { totpEndpoints } from '@overture/contract/team/totp.ts'
import type { Executor } from '../platform/db/database.ts'
import { command, type RequestContext, type Route } from '../platform/http/route.ts'
import { beginTotp, confirmTotp, endTotp } from './totp.commands.ts'
import type { UserRow } from './user.ts'
import { findUser } from './users.sql.ts'

export function totpRoutes(): Route[] {
  return [
    command(totpEndpoints.beginTotp, async (context, _input, tx) =>
      beginTotp(context.app, tx, await personIn(context, tx)),
    ),
    command(totpEndpoints.confirmTotp, async (context, { body }, tx) => {
      const user = await personIn(context, tx)
      const now = context.app.clock.now()
      return { recoveryCodes: await confirmTotp(context.app, tx, { user, code: body.code, now }) }
    }),
    command(totpEndpoints.endTotp, async (context, _input, tx) => {
      await endTotp(tx, await personIn(context, tx))
      return { totp: false as const }
    }),
  ]
}

/** Whoever has a key alone changes nothing about how its owner comes in. */
async function personIn({ caller, tenant }: RequestContext, db: Executor): Promise<UserRow> {
  const user = caller.userId === null ? null : await findUser(db, tenant.accountId, caller.userId)
  if (user === null) throw notFound()
  if (caller.kind === 'key') throw new AppError('INSUFFICIENT_SCOPE', 'This is for people who are signed in.')
  return user
}
