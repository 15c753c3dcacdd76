import { invalid, notFound, type AppError } from '@overture/contract/errors.ts'
import { confirmationMissing, type Confirmation } from '@overture/contract/team/confirmation.ts'
import { minuteMs } from '@overture/ground/time/spans.ts'
import type { App } from '../platform/app.ts'
import type { ProtectedCall, Protection } from '../platform/http/route.ts'
import { sharedPasswords, type Passwords } from './passwords.shell.ts'
import { mailNotice, recordSignIn, type SignInRequest } from './sign-in-audit.commands.ts'
import { beginAttempt } from './sign-in.shell.ts'
import { findSessionStart } from './sessions.sql.ts'
import { takeCode } from './totp.commands.ts'
import type { UserRow } from './user.ts'
import { findUser } from './users.sql.ts'

/** A session younger than this is a proof for smaller steps, and for a person whose password is at an issuer. */
const youngSessionMs = 10 * minuteMs

export function createProtection(app: Pick<App, 'config'>): Protection {
  const passwords = sharedPasswords(app.config.signIn)
  return {
    confirm: (asking, proof) => confirmPerson(passwords, asking, proof),
    async confirmOldSession(asking, proof) {
      if (proof === undefined && asking.caller.kind !== 'key' && (await isYoungSession(asking))) return
      await confirmPerson(passwords, asking, proof)
    },
    async notify({ app: { config, secrets, clock }, tenant: { accountId }, caller }, tx, notice) {
      if (caller.userId === null) return
      await mailNotice({ config, secrets }, tx, { accountId, userId: caller.userId, notice, now: clock.now() })
    },
  }
}

/** Tries are counted together with sign-ins, so that a stolen session allows no faster guessing. */
async function confirmPerson(
  passwords: Passwords,
  asking: ProtectedCall,
  proof: Confirmation | undefined,
): Promise<void> {
  const { app, caller, client, requestId, tenant } = asking
  if (caller.kind === 'key') return
  const user = caller.userId === null ? null : await findUser(app.db, tenant.accountId, caller.userId)
  if (user === null) throw notFound()
  if (user.passwordHash === null && user.totpConfirmedAt === null) return requireYoungSession(asking)
  if (proof?.password === undefined && proof?.code === undefined)
    throw unconfirmed('confirm', 'required', confirmationMissing)
  const request: SignInRequest = { action: 'confirm', client, requestId, now: app.clock.now() }
  const attempt = await beginAttempt(app, user.email, request)
  const given = { user, proof, sessionId: caller.id, now: request.now }
  if (await isRight(app, passwords, given)) return attempt.succeeded()
  await recordSignIn(app.db, user, request, 'denied')
  if (proof.code !== undefined) throw unconfirmed('confirm.code', 'wrong', 'The code is wrong or was already used.')
  throw unconfirmed('confirm.password', 'wrong', 'The password is wrong.')
}

function isRight(
  app: App,
  passwords: Passwords,
  { proof, ...given }: { user: UserRow; proof: Confirmation; sessionId: string; now: Date },
): Promise<boolean> {
  const { code, password } = proof
  if (code !== undefined) return app.db.transaction((tx) => takeCode(app, tx, { ...given, code }))
  return passwords.isRight(given.user.passwordHash, password ?? '')
}

async function isYoungSession({ app, caller, tenant }: ProtectedCall): Promise<boolean> {
  const startedAt = await findSessionStart(app.db, tenant.accountId, caller.id)
  return startedAt !== null && startedAt.getTime() >= app.clock.now().getTime() - youngSessionMs
}

async function requireYoungSession(asking: ProtectedCall): Promise<void> {
  if (await isYoungSession(asking)) return
  throw unconfirmed(
    'confirm',
    'sign_in_again',
    'This needs a recent sign-in. Sign out, sign in again, and retry within ten minutes.',
  )
}

function unconfirmed(path: string, rule: string, message: string): AppError {
  return invalid({ path, rule, message })
}
