import { AppError } from '@overture/contract/errors.ts'
import type { App } from '../platform/app.ts'
import type { ClientFacts } from '../platform/http/client-facts.ts'
import {
  type AttemptCounts,
  deleteAttemptsOfAddressAcrossAccounts,
  findAttemptCountsAcrossAccounts,
  insertAttemptAcrossAccounts,
  lockAttemptsAcrossAccounts,
} from './attempts.sql.ts'
import { setPassword } from './links.commands.ts'
import type { Passwords } from './passwords.shell.ts'
import { beginSession, type SignedIn } from './session.commands.ts'
import { deleteSession, findSessionAcrossAccounts } from './sessions.sql.ts'
import { digestOf } from './tokens.ts'
import { normalEmail, type SessionRow, type UserRow } from './user.ts'
import { findUser, findUserByEmailAcrossAccounts } from './users.sql.ts'

export const attemptsKeptMs = 15 * 60_000
const failuresPerAddressMax = 5
const failuresPerIpMax = 20

interface Login {
  email: string
  password: string
  accountId: string | undefined
  client: ClientFacts
  /** Real time. */
  now: Date
}

/** An unknown address, a wrong password and a user who may not come in any more read the same and take as long. */
export async function login(app: App, passwords: Passwords, input: Login): Promise<SignedIn> {
  const { client, now } = input
  const email = normalEmail(input.email)
  const attempt = await beginAttempt(app, { email, client, now })
  const user = await findUserByEmailAcrossAccounts(app.db, email, input.accountId ?? null)
  if (!(await passwords.isRight(user?.passwordHash ?? null, input.password)) || user === null) throw wrong()
  await attempt.succeeded()
  return app.db.transaction((tx) => beginSession(tx, { user, method: 'password', client, now }))
}

/** Of somebody who is signed in and says the old one. Every other session ends. */
export async function changePassword(
  app: App,
  passwords: Passwords,
  input: { currentPassword: string; newPassword: string; client: ClientFacts; now: Date },
): Promise<SignedIn> {
  const { client, now } = input
  const user = await signedInUser(app, client, now)
  const attempt = await beginAttempt(app, { email: user.email, client, now })
  if (!(await passwords.isRight(user.passwordHash, input.currentPassword)))
    throw new AppError('UNAUTHORIZED', 'The current password is another one.')
  await attempt.succeeded()
  await passwords.refuseCommon(input.newPassword, { field: 'newPassword', words: [user.email, user.name] })
  const passwordHash = await passwords.hash(input.newPassword)
  return app.db.transaction(async (tx) => {
    await setPassword(tx, user, passwordHash)
    return beginSession(tx, { user: { ...user, passwordHash }, method: 'password', client, now })
  })
}

export async function logout(app: App, client: ClientFacts, now: Date): Promise<void> {
  const session = await findSession(app, client, now)
  if (session === null) return
  await deleteSession(app.db, session.accountId, { userId: session.userId, sessionId: session.id })
}

/** The session of the cookie that came along, if it works. */
export async function findSession(app: App, { sessionToken }: ClientFacts, now: Date): Promise<SessionRow | null> {
  const digest = sessionToken === null ? null : digestOf(sessionToken)
  return digest === null ? null : findSessionAcrossAccounts(app.db, digest, now)
}

async function signedInUser(app: App, client: ClientFacts, now: Date): Promise<UserRow> {
  const session = await findSession(app, client, now)
  const user = session === null ? null : await findUser(app.db, session.accountId, session.userId)
  if (user === null) throw new AppError('UNAUTHORIZED', 'The session is unknown or has ended.')
  return user
}

/**
 * Counted before the password is looked at, so that tries at the same moment can't pass the limit together; taken back
 * when it was right.
 */
async function beginAttempt(
  { db, secrets }: App,
  { email, client, now }: { email: string; client: ClientFacts; now: Date },
) {
  const attempt = { addressHash: secrets.addressHash(email), ip: client.ip, now }
  await db.transaction(async (tx) => {
    await lockAttemptsAcrossAccounts(tx, attempt)
    const since = new Date(now.getTime() - attemptsKeptMs)
    const first = decisive(await findAttemptCountsAcrossAccounts(tx, attempt, since))
    if (first !== null) throw tooManyFailures(first.getTime() + attemptsKeptMs - now.getTime())
    await insertAttemptAcrossAccounts(tx, attempt)
  })
  return { succeeded: () => deleteAttemptsOfAddressAcrossAccounts(db, attempt.addressHash) }
}

/** The failure that has to be forgotten before the next try; null: there is room for one. */
function decisive({ ofAddress, ofIp, firstOfAddress, firstOfIp }: AttemptCounts): Date | null {
  if (ofAddress >= failuresPerAddressMax) return firstOfAddress
  return ofIp >= failuresPerIpMax ? firstOfIp : null
}

function tooManyFailures(waitMs: number): AppError {
  const retryAfterSeconds = Math.max(1, Math.ceil(waitMs / 1000))
  const message = `Too many failed tries. Try again in ${Math.ceil(retryAfterSeconds / 60)} minutes.`
  return new AppError('RATE_LIMIT_EXCEEDED', message, { retryAfterSeconds })
}

function wrong(): AppError {
  return new AppError('UNAUTHORIZED', 'The address or the password is wrong.')
}
