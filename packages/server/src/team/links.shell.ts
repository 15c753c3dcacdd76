import { hourMs } from '@overture/ground/time/spans.ts'
import { invalid, AppError } from '@overture/contract/errors.ts'
import type { Role } from '@overture/contract/team/roles.ts'
import type { LinkDescription } from '@overture/contract/team/sign-in.ts'
import { findAccount, lockAccount } from '../accounts/index.ts'
import { keyMayAdminister } from '../api-keys/index.ts'
import type { App } from '../platform/app.ts'
import { recordSystem } from '../platform/audit/acts.commands.ts'
import type { Executor, Transaction } from '../platform/db/database.ts'
import { newId } from '../platform/ids.ts'
import { deletePasswordLinks, findLinkAcrossAccounts, insertLink, updateLinkUsed, type LinkRow } from './links.sql.ts'
import { type Passwords, derivePasswordSalt } from './passwords.shell.ts'
import type { SignInRequest } from './sign-in-audit.commands.ts'
import { beginSession, newToken, type SignedIn } from './session.commands.ts'
import { deleteUserSessions } from './sessions.sql.ts'
import { tokenDigest } from './tokens.ts'
import { normalEmail, type UserRow } from './user.ts'
import { recordJoined } from './users.commands.ts'
import { findUser, hasUserAcrossAccounts, insertUser, updateUserPassword } from './users.sql.ts'

const setupLinkMs = 24 * hourMs

export interface LinkUse {
  token: string
  password: string
  request: SignInRequest
}

interface Acceptance extends LinkUse {
  name: string
  email: string | undefined
}

/**
 * Makes a link for the first owner of an account while there is no user in any account; otherwise returns null. Every start
 * makes a new one, in case the last was lost.
 */
export async function createSetupLink(tx: Transaction, accountId: string, now: Date): Promise<string | null> {
  if (await hasUserAcrossAccounts(tx)) return null
  const token = newToken()
  const expiresAt = new Date(now.getTime() + setupLinkMs)
  const link = { kind: 'setup', email: null, role: 'owner', userId: null, invitedBy: null, invitedByKey: null } as const
  const id = newId('inv')
  await insertLink(tx, { ...link, accountId, id, createdAt: now, expiresAt }, token.digest)
  await recordSystem(tx, { accountId, action: 'system.setup-links.create', targetId: id })
  return token.text
}

/** Returns what a link is for, for the person who opened it. Throws 401 for a link that can't be used. */
export async function describeLink(app: App, { token, now }: { token: string; now: Date }): Promise<LinkDescription> {
  const link = await usableLink(app.db, { token, now }, ['setup', 'invitation', 'password'])
  if (!(await mayStillInvite(app, link))) throw uselessLink()
  const { accountId, kind, email, role, invitedBy, expiresAt } = link
  const [account, inviter] = await Promise.all([
    findAccount(app.db, accountId),
    invitedBy === null ? null : findUser(app.db, accountId, invitedBy),
  ])
  return {
    kind,
    email,
    role,
    accountName: account?.name ?? '',
    invitedBy: inviter?.name ?? null,
    expiresAt: expiresAt.toISOString(),
  }
}

/** Accepts an invitation or the setup link, makes the user and signs in. */
export async function acceptLink(app: App, passwords: Passwords, input: Acceptance): Promise<SignedIn> {
  const { password, name, request } = input
  const { now } = request
  const link = await usableLink(app.db, { token: input.token, now }, ['setup', 'invitation'])
  const email = linkEmail(link, input.email)
  await passwords.refuseCommon(password, { field: 'password', words: [email, name] })
  const passwordHash = await passwords.hash(password, derivePasswordSalt(app.secrets, email))
  return app.db.transaction(async (tx) => {
    const { accountId } = link
    // The account row is the lock: of two concurrent first owners the second one finds the user of the first.
    if ((await lockAccount(tx, accountId)) === null) throw uselessLink()
    if (!(await updateLinkUsed(tx, accountId, { id: link.id, now }))) throw uselessLink()
    if (!(await mayStillInvite({ db: tx, clock: app.clock }, link))) throw uselessLink()
    if (link.kind === 'setup' && (await hasUserAcrossAccounts(tx))) throw uselessLink()
    const user = newUser({ accountId, email, name, role: link.role ?? 'viewer', passwordHash, now })
    if (!(await insertUser(tx, user))) throw alreadyUser()
    await recordJoined(tx, user)
    return beginSession(tx, { user, method: 'password', request })
  })
}

/** An invitation ends with the key that made it. Invitations of users are deleted when these lose the right. */
async function mayStillInvite(app: Parameters<typeof keyMayAdminister>[0], link: LinkRow): Promise<boolean> {
  const { accountId, invitedByKey } = link
  return invitedByKey === null || keyMayAdminister(app, accountId, invitedByKey)
}

/** Sets a new password. It ends every session of the user and every other password link. */
export async function setPassword(tx: Transaction, user: UserRow, passwordHash: string): Promise<void> {
  await updateUserPassword(tx, user.accountId, { userId: user.id, passwordHash })
  await deleteUserSessions(tx, user.accountId, user.id)
  await deletePasswordLinks(tx, user.accountId, user.id)
}

export async function usableLink(
  db: Executor,
  { token, now }: { token: string; now: Date },
  kinds: readonly string[],
): Promise<LinkRow> {
  const digest = tokenDigest(token)
  const link = digest === null ? null : await findLinkAcrossAccounts(db, digest, now)
  if (link === null || !kinds.includes(link.kind)) throw uselessLink()
  return link
}

function linkEmail(link: LinkRow, given: string | undefined): string {
  if (link.email === null) {
    if (given === undefined) throw invalid({ path: 'email', rule: 'required', message: 'Required with this link.' })
    return normalEmail(given)
  }
  if (given !== undefined && normalEmail(given) !== link.email)
    throw invalid({ path: 'email', rule: 'read_only', message: 'The invitation is for another address.' })
  return link.email
}

interface NewUser {
  accountId: string
  email: string
  name: string
  role: Role
  passwordHash: string | null
  now: Date
}

export function newUser({ accountId, email, name, role, passwordHash, now }: NewUser): UserRow {
  return {
    accountId,
    id: newId('usr'),
    email,
    name,
    role,
    status: 'active',
    passwordHash,
    oidcIssuer: null,
    oidcSubject: null,
    totpConfirmedAt: null,
    preferences: {},
    lastSeenAt: null,
    createdAt: now,
  }
}

export function uselessLink(): AppError {
  return new AppError('UNAUTHORIZED', 'The link is unknown, already used or expired. Ask for a new one.')
}

export function alreadyUser(): AppError {
  return new AppError('CONFLICT', 'A user with this address already exists in the account.', {
    currentStatus: 'user_exists',
    allowedActions: ['sign_in'],
  })
}
