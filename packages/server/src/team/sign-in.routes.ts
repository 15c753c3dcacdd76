import { signInEndpoints } from '@overture/contract/team/sign-in.ts'
import { AppError, invalid } from '@overture/contract/errors.ts'
import type { Me } from '@overture/contract/team/me.ts'
import { sessionCookie } from '../platform/http/client-facts.ts'
import { open, type OpenContext, type Route } from '../platform/http/route.ts'
import { version } from '../platform/version.ts'
import { acceptLink, resetPassword } from './links.commands.ts'
import type { Passwords } from './passwords.shell.ts'
import { sessionLifeMs, type SignedIn } from './session.commands.ts'
import { changePassword, findSession, login, logout } from './sign-in.commands.ts'
import { hasUserAcrossAccounts } from './users.sql.ts'

export function signInRoutes(passwords: Passwords): Route[] {
  return [
    open(signInEndpoints.getSignInState, async ({ app, client }) => ({
      signedIn: (await findSession(app, client, app.clock.now())) !== null,
      setupRequired: !(await hasUserAcrossAccounts(app.db)),
      methods: app.config.signIn.passwords ? ['password' as const] : [],
      version,
    })),
    open(signInEndpoints.login, async (context, { body }) => {
      const { app, client } = context
      refuseWithoutPasswords(context)
      const { email, password, accountId } = body
      const now = app.clock.now()
      return withCookie(context, await login(app, passwords, { email, password, accountId, client, now }))
    }),
    open(signInEndpoints.logout, async ({ app, client, setHeader }) => {
      await logout(app, client, app.clock.now())
      setHeader('set-cookie', sessionCookie(client, null))
      return { signedIn: false as const }
    }),
    open(signInEndpoints.acceptLink, async (context, { body }) => {
      const { app, client } = context
      refuseWithoutPasswords(context)
      const { token, name, password, email } = body
      const now = app.clock.now()
      return withCookie(context, await acceptLink(app, passwords, { token, name, password, email, client, now }))
    }),
    open(signInEndpoints.changePassword, async (context, { body }) => {
      refuseWithoutPasswords(context)
      return withCookie(context, await newPassword(context, passwords, body))
    }),
  ]
}

async function newPassword(
  { app, client }: OpenContext,
  passwords: Passwords,
  body: { token?: string | undefined; currentPassword?: string | undefined; newPassword: string },
): Promise<SignedIn> {
  const { token, currentPassword, newPassword: password } = body
  const now = app.clock.now()
  if ((token === undefined) === (currentPassword === undefined))
    throw invalid({ path: 'token', rule: 'one_of', message: 'Send either token or currentPassword.' })
  if (token !== undefined) return resetPassword(app, passwords, { token, password, client, now })
  return changePassword(app, passwords, { currentPassword: currentPassword!, newPassword: password, client, now })
}

function withCookie({ client, setHeader }: OpenContext, { me, token }: SignedIn): Me {
  setHeader('set-cookie', sessionCookie(client, { token, lifeSeconds: sessionLifeMs / 1000 }))
  return me
}

function refuseWithoutPasswords({ app }: OpenContext): void {
  if (!app.config.signIn.passwords)
    throw new AppError('UNAUTHORIZED', 'Passwords are turned off: sign in by your organisation.')
}
