import { AppError } from '@overture/contract/errors.ts'
import type { App } from '../platform/app.ts'
import { refusedBefore } from '../platform/audit/denial-counts.ts'
import { sharedNetwork } from '../platform/http/address-rates.ts'
import {
  deleteAttemptsOfPairAcrossAccounts,
  findAttemptCountsAcrossAccounts,
  insertAttemptAcrossAccounts,
  lockAttemptsAcrossAccounts,
} from './attempts.sql.ts'
import { type AttemptLimits, attemptsKeptMs, decisiveFailure, attemptOrigin, signInLimits } from './attempts.ts'
import { verifyDevice } from './attempts.ts'
import { type LinkUse, setPassword, usableLink, uselessLink } from './links.shell.ts'
import { updateLinkUsed } from './links.sql.ts'
import { type Passwords, derivePasswordSalt } from './passwords.shell.ts'
import { recordSignIn, type SignInRequest } from './sign-in-audit.commands.ts'
import { beginSession, type SignedIn } from './session.commands.ts'
import { deleteSession, findSessionAcrossAccounts } from './sessions.sql.ts'
import { mailNotice } from './sign-in-audit.commands.ts'
import { tokenDigest } from './tokens.ts'
import { takeCode } from './totp.commands.ts'
import { normalEmail, type SessionRow, type UserRow } from './user.ts'
import { findUser, listUsersByEmailAcrossAccounts } from './users.sql.ts'

const accountsPerAddressMax = 10
/** The most audit entries per network and minute for attempts with unknown addresses. */
const strangersPerMinuteMax = 3

interface Login {
  email: string
  password: string
  /** A code of the authenticator, or a recovery code. */
  code: string | undefined
  accountId: string | undefined
  request: SignInRequest
}

/**
 * An unknown address, a wrong password and a disabled user get the same response after the same time. An address may be in
 * several accounts: the password decides which one is meant, and one computation checks all of them.
 */
export async function login(app: App, passwords: Passwords, input: Login): Promise<SignedIn> {
  const { request } = input
  const email = normalEmail(input.email)
  const attempt = await beginAttempt(app, email, request)
  const search = { email, accountId: input.accountId ?? null, limit: accountsPerAddressMax }
  const users = await listUsersByEmailAcrossAccounts(app.db, search)
  const hashes = users.map(({ passwordHash }) => passwordHash)
  const place = await passwords.placeOfRight(hashes, input.password, derivePasswordSalt(app.secrets, email))
  const user = place === null ? undefined : users[place]
  if (user === undefined) {
    // Recorded in every account that has the address, because any of them may be meant.
    for (const tried of users) await recordSignIn(app.db, tried, request, 'denied')
    // Unknown addresses are endless, so a network gets few entries for them.
    if (users.length === 0 && attempt.before.ofIpInMinute < strangersPerMinuteMax) {
      await recordSignIn(app.db, null, { ...request, changes: refusedBefore(attempt.before.ofIp) }, 'denied')
    }
    throw new AppError('UNAUTHORIZED', 'The email address or the password is wrong.')
  }
  if (user.totpConfirmedAt !== null) await checkCode(app, user, input)
  await attempt.succeeded()
  return app.db.transaction((tx) => beginSession(tx, { user, method: 'password', request }))
}

/** The password was right, so the response may say that a code is missing. Tries are counted until password and code are right. */
async function checkCode(app: App, user: UserRow, { code, request }: Pick<Login, 'code' | 'request'>): Promise<void> {
  if (code === undefined) {
    // Someone has the password, so this is recorded even if no code follows.
    await recordSignIn(app.db, user, request, 'denied')
    throw new AppError('UNAUTHORIZED', 'A code from your authenticator is required, too.', { reason: 'code_required' })
  }
  if (await app.db.transaction((tx) => takeCode(app, tx, { user, code, sessionId: null, now: request.now }))) return
  await recordSignIn(app.db, user, request, 'denied')
  throw new AppError('UNAUTHORIZED', 'The code is wrong or was already used.', { reason: 'code_wrong' })
}

/** Changes the password of a signed-in person, who must give the old one. Every other session ends. */
export async function changePassword(
  app: App,
  passwords: Passwords,
  input: { currentPassword: string; newPassword: string; request: SignInRequest },
): Promise<SignedIn> {
  const { request } = input
  const user = await signedInUser(app, request)
  const attempt = await beginAttempt(app, user.email, request)
  if (!(await passwords.isRight(user.passwordHash, input.currentPassword))) {
    await recordSignIn(app.db, user, request, 'denied')
    throw new AppError('UNAUTHORIZED', 'The current password is wrong.')
  }
  await attempt.succeeded()
  await passwords.refuseCommon(input.newPassword, { field: 'newPassword', words: [user.email, user.name] })
  const passwordHash = await passwords.hash(input.newPassword, derivePasswordSalt(app.secrets, user.email))
  return app.db.transaction(async (tx) => {
    await setPassword(tx, user, passwordHash)
    await mailNotice(app, tx, { ...noticeTo(user), notice: 'password_changed', now: request.now })
    return beginSession(tx, { user: { ...user, passwordHash }, method: 'password', request })
  })
}

/**
 * Sets a password with a password link, and ends every session of the user. A reader of the user's mail has the link, but not
 * the second step, so the code is required as at a sign-in. A wrong code does not use up the link.
 */
export async function resetPassword(
  app: App,
  passwords: Passwords,
  input: LinkUse & { code: string | undefined },
): Promise<SignedIn> {
  const { password, request } = input
  const { now } = request
  const link = await usableLink(app.db, { token: input.token, now }, ['password'])
  const known = await findUser(app.db, link.accountId, link.userId ?? '')
  if (known === null || known.status !== 'active') throw uselessLink()
  await passwords.refuseCommon(password, { field: 'newPassword', words: [known.email, known.name] })
  if (known.totpConfirmedAt !== null) {
    const attempt = input.code === undefined ? null : await beginAttempt(app, known.email, request)
    await checkCode(app, known, input)
    await attempt?.succeeded()
  }
  const passwordHash = await passwords.hash(password, derivePasswordSalt(app.secrets, known.email))
  return app.db.transaction(async (tx) => {
    if (!(await updateLinkUsed(tx, link.accountId, { id: link.id, now }))) throw uselessLink()
    await setPassword(tx, known, passwordHash)
    await mailNotice(app, tx, { ...noticeTo(known), notice: 'password_changed', now })
    return beginSession(tx, { user: { ...known, passwordHash }, method: 'password', request })
  })
}

function noticeTo({ accountId, id }: UserRow): { accountId: string; userId: string } {
  return { accountId, userId: id }
}

export async function logout(app: App, request: SignInRequest): Promise<void> {
  const session = await findSession(app, request)
  const user = session === null ? null : await findUser(app.db, session.accountId, session.userId)
  if (session === null || user === null) return
  await app.db.transaction(async (tx) => {
    await deleteSession(tx, user.accountId, { userId: user.id, sessionId: session.id })
    await recordSignIn(tx, user, request, 'success')
  })
}

/** The session of the request's cookie, if it is valid. */
export async function findSession(
  app: App,
  { client: { sessionToken }, now }: Pick<SignInRequest, 'client' | 'now'>,
): Promise<SessionRow | null> {
  const digest = sessionToken === null ? null : tokenDigest(sessionToken)
  return digest === null ? null : findSessionAcrossAccounts(app.db, digest, now)
}

async function signedInUser(app: App, request: SignInRequest): Promise<UserRow> {
  const session = await findSession(app, request)
  const user = session === null ? null : await findUser(app.db, session.accountId, session.userId)
  if (user === null) throw new AppError('UNAUTHORIZED', 'The session is unknown or has ended.')
  return user
}

/**
 * Counts the try before the password is checked, so that concurrent tries can't pass the limit together. `succeeded` removes
 * the count. `before` are the failures without this one.
 */
export async function beginAttempt(
  { db: walled, secrets }: App,
  email: string,
  { client, now }: Pick<SignInRequest, 'client' | 'now'>,
  limits: AttemptLimits = signInLimits,
) {
  // A request of the account may also ask for a password, and requests may not write failures.
  const db = walled.beyondWall()
  const deviceId = verifyDevice(secrets, { token: client.deviceToken, email, now })
  const { ip, isKnown } = attemptOrigin(sharedNetwork(client.ip), deviceId)
  const attempt = { addressHash: secrets.addressHash(email), ip, now }
  const before = await db.transaction(async (tx) => {
    await lockAttemptsAcrossAccounts(tx, attempt)
    const since = new Date(now.getTime() - attemptsKeptMs)
    const counts = await findAttemptCountsAcrossAccounts(tx, attempt, { since, now })
    const first = decisiveFailure(counts, isKnown, limits)
    if (first !== null) throw tooManyFailures(first.getTime() + attemptsKeptMs - now.getTime())
    await insertAttemptAcrossAccounts(tx, attempt)
    return counts
  })
  return { before, succeeded: () => deleteAttemptsOfPairAcrossAccounts(db, attempt) }
}

function tooManyFailures(waitMs: number): AppError {
  const retryAfterSeconds = Math.max(1, Math.ceil(waitMs / 1000))
  const message = `Too many failed attempts. Try again in ${Math.ceil(retryAfterSeconds / 60)} minutes.`
  return new AppError('RATE_LIMIT_EXCEEDED', message, { retryAfterSeconds })
}
