import { dayMs } from '@overture/ground/time/spans.ts'
import { AppError, notFound } from '@overture/contract/errors.ts'
import { hasRole, type Role } from '@overture/contract/team/roles.ts'
import type { Invitation } from '@overture/contract/team/users.ts'
import { lockAccount } from '../accounts/index.ts'
import type { Transaction } from '../platform/db/database.ts'
import { newId } from '../platform/ids.ts'
import { alreadyUser } from './links.shell.ts'
import { deleteInvitationsTo, insertLink, type LinkRow } from './links.sql.ts'
import { newToken } from './session.commands.ts'
import { normalEmail, type UserRow } from './user.ts'
import { onlyOwners } from './users.commands.ts'
import { findUser, findUserOfEmail } from './users.sql.ts'

const invitationMs = 7 * dayMs
const passwordLinkMs = dayMs

interface NewInvitation {
  accountId: string
  email: string
  role: Role
  actorRole: Role
  /** Null: the operator invites. */
  invitedBy: string | null
  /** The key of the request. Null: a session or the operator invites. */
  invitedByKey: string | null
  /** The base URL of the link. */
  publicUrl: string
  now: Date
}

/** Makes an invitation. The inviting person passes on its link. Any earlier link for the address ends. */
export async function createInvitation(
  tx: Transaction,
  input: NewInvitation,
): Promise<{ invitation: Invitation; url: string }> {
  const { accountId, role, invitedBy, invitedByKey, publicUrl, now } = input
  if (!hasRole(input.actorRole, role)) throw onlyOwners()
  if ((await lockAccount(tx, accountId)) === null) throw notFound()
  await refuseFormerInviter(tx, input)
  const email = normalEmail(input.email)
  if ((await findUserOfEmail(tx, accountId, email)) !== null) throw alreadyUser()
  await deleteInvitationsTo(tx, accountId, email)
  const token = newToken()
  const expiresAt = new Date(now.getTime() + invitationMs)
  const invitation: LinkRow = {
    accountId,
    id: newId('inv'),
    kind: 'invitation',
    email,
    role,
    userId: null,
    invitedBy,
    invitedByKey,
    createdAt: now,
    expiresAt,
  }
  await insertLink(tx, invitation, token.digest)
  return { invitation: toInvitation(invitation), url: `${publicUrl}/app/accept#${token.text}` }
}

// Removing a user locks the account too, so a request that was admitted before the removal can't make an invitation afterwards.
async function refuseFormerInviter(tx: Transaction, { accountId, invitedBy, role }: NewInvitation): Promise<void> {
  if (invitedBy === null) return
  const inviter = await findUser(tx, accountId, invitedBy)
  if (inviter === null || inviter.status !== 'active')
    throw new AppError('UNAUTHORIZED', 'The inviting user was removed.')
  if (!hasRole(inviter.role, role)) throw onlyOwners()
}

/** Makes a link that sets another password. The operator uses it for a user who lost the password. */
export async function createPasswordLink(
  tx: Transaction,
  user: UserRow,
  { publicUrl, now }: { publicUrl: string; now: Date },
): Promise<string> {
  const token = newToken()
  await insertLink(tx, newPasswordLink(user, now), token.digest)
  return `${publicUrl}/app/password#${token.text}`
}

export function newPasswordLink(user: Pick<UserRow, 'accountId' | 'id' | 'email'>, now: Date): LinkRow {
  return {
    accountId: user.accountId,
    id: newId('inv'),
    kind: 'password',
    email: user.email,
    role: null,
    userId: user.id,
    invitedBy: null,
    invitedByKey: null,
    createdAt: now,
    expiresAt: new Date(now.getTime() + passwordLinkMs),
  }
}

export function toInvitation(row: LinkRow): Invitation {
  return {
    id: row.id,
    email: row.email ?? '',
    role: row.role ?? 'viewer',
    invitedBy: row.invitedBy,
    createdAt: row.createdAt.toISOString(),
    expiresAt: row.expiresAt.toISOString(),
  }
}
