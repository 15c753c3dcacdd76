import { signInEndpoints } from '@overture/contract/team/sign-in.ts'
import { AppError, invalid } from '@overture/contract/errors.ts'
import type { Me } from '@overture/contract/team/me.ts'
import { sessionCookie } from '../platform/http/client-facts.ts'
import { open, type OpenContext, type Route } from '../platform/http/route.ts'
import { version } from '../platform/version.ts'
import { acceptLink, describeLink } from './links.shell.ts'
import type { Passwords } from './passwords.shell.ts'
import type { SignInRequest } from './sign-in-audit.commands.ts'
import { signedInCookies, type SignedIn } from './session.commands.ts'
import { changePassword, findSession, login, logout, resetPassword } from './sign-in.shell.ts'
import { askForReset } from './system-mail/ask-reset.shell.ts'
import { hasUserAcrossAccounts } from './users.sql.ts'

export function signInRoutes(passwords: Passwords): Route[] {
  return [
    open(signInEndpoints.getSignInState, async ({ app, client }) => ({
      signedIn: (await findSession(app, { client, now: app.clock.now() })) !== null,
      setupRequired: !(await hasUserAcrossAccounts(app.db)),
      methods: [
        ...(app.config.signIn.passwords ? ['password' as const] : []),
        ...(app.config.signIn.oidc === null ? [] : ['oidc' as const]),
      ],
      passwordReset: app.config.signIn.passwords && app.config.systemMail !== null,
      version,
    })),
    open(signInEndpoints.login, async (context, { body }) => {
      refuseWithoutPasswords(context)
      const { email, password, code, accountId } = body
      const request = toSignInRequest(context, 'login')
      return withCookie(context, await login(context.app, passwords, { email, password, code, accountId, request }))
    }),
    open(signInEndpoints.logout, async (context) => {
      await logout(context.app, toSignInRequest(context, 'logout'))
      context.setHeader('set-cookie', sessionCookie(context.client, null))
      return { signedIn: false as const }
    }),
    open(signInEndpoints.describeLink, (context, { body }) =>
      describeLink(context.app, { token: body.token, now: context.app.clock.now() }),
    ),
    open(signInEndpoints.acceptLink, async (context, { body }) => {
      refuseWithoutPasswords(context)
      const { token, name, password, email } = body
      const request = toSignInRequest(context, 'acceptLink')
      return withCookie(context, await acceptLink(context.app, passwords, { token, name, password, email, request }))
    }),
    open(signInEndpoints.requestPasswordReset, async (context, { body }) => {
      refuseWithoutPasswords(context)
      await askForReset(context.app, body.email, toSignInRequest(context, 'changePassword'))
      return { accepted: true as const }
    }),
    open(signInEndpoints.changePassword, async (context, { body }) => {
      refuseWithoutPasswords(context)
      return withCookie(context, await newPassword(context, passwords, body))
    }),
  ]
}

async function newPassword(
  context: OpenContext,
  passwords: Passwords,
  body: {
    token?: string | undefined
    currentPassword?: string | undefined
    newPassword: string
    code?: string | undefined
  },
): Promise<SignedIn> {
  const { token, currentPassword, newPassword: password, code } = body
  const { app } = context
  const request = toSignInRequest(context, 'changePassword')
  if ((token === undefined) === (currentPassword === undefined))
    throw invalid({ path: 'token', rule: 'one_of', message: 'Send either token or currentPassword.' })
  if (token !== undefined) return resetPassword(app, passwords, { token, password, code, request })
  return changePassword(app, passwords, { currentPassword: currentPassword!, newPassword: password, request })
}

function toSignInRequest({ app, client, requestId }: OpenContext, action: SignInRequest['action']): SignInRequest {
  return { action, client, requestId, now: app.clock.now() }
}

function withCookie({ app, client, setHeader, addCookie }: OpenContext, signedIn: SignedIn): Me {
  const { session, device } = signedInCookies(app.secrets, client, { ...signedIn, now: app.clock.now() })
  addCookie(device)
  setHeader('set-cookie', session)
  return signedIn.me
}

function refuseWithoutPasswords({ app }: OpenContext): void {
  if (!app.config.signIn.passwords)
    throw new AppError('UNAUTHORIZED', 'Password sign-in is turned off. Sign in through your organization.')
}
