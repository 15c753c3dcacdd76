import { AppError, notFound } from '@overture/contract/errors.ts'
import { totpEndpoints } from '@overture/contract/team/totp.ts'
import type { Executor } from '../platform/db/database.ts'
import type { Protection } from '../platform/http/route.ts'
import { after, command, type RequestContext, type Route } from '../platform/http/route.ts'
import { beginTotp, confirmTotp, endTotp } from './totp.commands.ts'
import type { UserRow } from './user.ts'
import { findUser } from './users.sql.ts'

export function totpRoutes(protection: Protection): Route[] {
  return [
    after(
      totpEndpoints.beginTotp,
      async (context, { body }) => {
        const user = await personIn(context, context.app.db)
        // The request is refused if an authenticator is in use, so no code may be used up for it.
        if (user.totpConfirmedAt === null) await protection.confirmOldSession(context, body.confirm)
      },
      command(totpEndpoints.beginTotp, async (context, { body }, tx) => {
        const user = await personIn(context, tx)
        // Without a password here, a recent sign-in is the only proof that the person has.
        const isProven = body.confirm !== undefined || user.passwordHash === null
        return beginTotp(context.app, tx, { user, unprovenBy: isProven ? null : context.caller.id })
      }),
    ),
    command(totpEndpoints.confirmTotp, async (context, { body }, tx) => {
      const user = await personIn(context, tx)
      const now = context.app.clock.now()
      const recoveryCodes = await confirmTotp(context.app, tx, { user, code: body.code, now })
      await protection.notify(context, tx, 'authenticator_on')
      return { recoveryCodes }
    }),
    after(
      totpEndpoints.endTotp,
      async (context, { body }) => {
        const user = await personIn(context, context.app.db)
        // Without an authenticator there is nothing to remove and no proof is needed.
        if (user.totpConfirmedAt !== null) await protection.confirm(context, body.confirm)
      },
      command(totpEndpoints.endTotp, async (context, _input, tx) => {
        await endTotp(tx, await personIn(context, tx))
        await protection.notify(context, tx, 'authenticator_off')
        return { totp: false as const }
      }),
    ),
  ]
}

/** A key can't change how its owner signs in. */
async function personIn({ caller, tenant }: Pick<RequestContext, 'caller' | 'tenant'>, db: Executor): Promise<UserRow> {
  const user = caller.userId === null ? null : await findUser(db, tenant.accountId, caller.userId)
  if (user === null) throw notFound()
  if (caller.kind === 'key')
    throw new AppError('INSUFFICIENT_SCOPE', "This needs a signed-in user. API keys can't use it.")
  return user
}
