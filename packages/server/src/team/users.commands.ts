import { AppError, notFound } from '@overture/contract/errors.ts'
import { hasRole, type Role } from '@overture/contract/team/roles.ts'
import type { KeptWebhook, UserStatus } from '@overture/contract/team/users.ts'
import { lockAccount } from '../accounts/index.ts'
import { accessChanged, endKeysOfUser } from '../api-keys/index.ts'
import type { Transaction } from '../platform/db/database.ts'
import { appendEvents, type NewEvent } from '../platform/events/events.sql.ts'
import { deleteInvitationsBy, deletePasswordLinks } from './links.sql.ts'
import type { LostRight, TakenRight } from './user.ts'
import { deleteUserSessions } from './sessions.sql.ts'
import type { UserRow } from './user.ts'
import { countActiveOwners, deleteUser, lockUser, updateUserStanding } from './users.sql.ts'

/** Applies the loss of a right in other slices, in the same transaction. Returns the webhooks that stay. */
export type UserLeft = (
  tx: Transaction,
  accountId: string,
  lost: { userId: string; right: TakenRight },
) => Promise<KeptWebhook[]>

interface ChangedUser {
  user: UserRow
  keptWebhooks: KeptWebhook[]
}

interface UserChange {
  userLeft: UserLeft
  accountId: string
  userId: string
  /** The role of the person who makes the change. They can't change users with a higher role. The operator is above all roles. */
  actorRole: Role
  /** Real time. */
  now: Date
}

/** Changes a user. A new role ends the user's sessions, so that no page keeps old rights. Disabling ends keys too. */
export async function changeUser(
  tx: Transaction,
  change: UserChange & { role?: Role | undefined; status?: UserStatus | undefined },
): Promise<ChangedUser> {
  const { accountId, userId, actorRole, now } = change
  const before = await lockChangeable(tx, change)
  const after = { ...before, role: change.role ?? before.role, status: change.status ?? before.status }
  if (!hasRole(actorRole, after.role)) throw onlyOwners()
  if (after.role === before.role && after.status === before.status) return { user: before, keptWebhooks: [] }
  await refuseLastOwner(tx, before, after.role === 'owner' && after.status === 'active')
  await updateUserStanding(tx, after)
  accessChanged(tx)
  await deleteUserSessions(tx, accountId, userId)
  if (after.role !== before.role) {
    await recordRole(tx, after, { previousRole: before.role, now })
  }
  const right = lostRight(before, after)
  if (right === 'disabled')
    await record(tx, accountId, { type: 'user.removed', occurredAt: now, data: { userId, reason: 'disabled' } })
  return { user: after, keptWebhooks: right === null ? [] : await endWhatTheyMade(tx, change, right) }
}

function lostRight(before: UserRow, after: UserRow): Exclude<TakenRight, 'removed'> | null {
  if (after.status === 'disabled' && before.status === 'active') return 'disabled'
  return hasRole(after.role, before.role) ? null : 'demoted'
}

type WhoseThings = Pick<UserChange, 'accountId' | 'userId' | 'now'>

/** Ends the access that the user gave to others, such as keys and links, and tells the other slices. Sessions are ended elsewhere. */
async function endWhatTheyMade(
  tx: Transaction,
  { userLeft, ...whose }: WhoseThings & Pick<UserChange, 'userLeft'>,
  right: TakenRight,
): Promise<KeptWebhook[]> {
  await endAccessTheyMade(tx, whose, right)
  return userLeft(tx, whose.accountId, { userId: whose.userId, right })
}

async function endAccessTheyMade(
  tx: Transaction,
  { accountId, userId, now }: WhoseThings,
  right: LostRight,
): Promise<void> {
  await deleteInvitationsBy(tx, accountId, userId)
  if (right === 'demoted') return
  await endKeysOfUser(tx, accountId, { userId, now })
  await deletePasswordLinks(tx, accountId, userId)
}

/** Ends the access of a user who gets no role from the issuer. Campaigns and conversations keep this owner. */
export async function endAccess(tx: Transaction, whose: WhoseThings): Promise<void> {
  await deleteUserSessions(tx, whose.accountId, whose.userId)
  await endAccessTheyMade(tx, whose, 'no_role')
  accessChanged(tx)
}

/** Sets the role that the issuer gives at a sign-in. The last owner stays owner: otherwise no one could repair the account. */
export async function followRole(
  tx: Transaction,
  user: UserRow,
  { role, now }: { role: Role; now: Date },
): Promise<UserRow> {
  const isLastOwner = user.role === 'owner' && (await countActiveOwners(tx, user.accountId)) === 1
  if (role === user.role || isLastOwner) return user
  const after = { ...user, role }
  await updateUserStanding(tx, after)
  accessChanged(tx)
  await deleteUserSessions(tx, user.accountId, user.id)
  if (!hasRole(role, user.role)) await deleteInvitationsBy(tx, user.accountId, user.id)
  await recordRole(tx, after, { previousRole: user.role, now })
  return after
}

/** Removes a user with their sessions and ends their keys. Records of their actions keep their name. */
export async function removeUser(tx: Transaction, change: UserChange): Promise<KeptWebhook[]> {
  const { accountId, userId, now } = change
  const user = await lockChangeable(tx, change)
  await refuseLastOwner(tx, user, false)
  const keptWebhooks = await endWhatTheyMade(tx, change, 'removed')
  await deleteUser(tx, accountId, userId)
  await record(tx, accountId, { type: 'user.removed', occurredAt: now, data: { userId, reason: 'deleted' } })
  return keptWebhooks
}

async function recordRole(
  tx: Transaction,
  { accountId, id, role }: UserRow,
  { previousRole, now }: { previousRole: Role; now: Date },
): Promise<void> {
  const data = { userId: id, role, previousRole }
  await record(tx, accountId, { type: 'user.role_changed', occurredAt: now, data })
}

export async function recordJoined(tx: Transaction, user: UserRow): Promise<void> {
  const data = { userId: user.id, role: user.role }
  const actor = { type: 'user', id: user.id, name: user.name } as const
  await record(tx, user.accountId, { type: 'user.joined', occurredAt: user.createdAt, actor, data })
}

// The account row is the lock: if two owners remove each other at the same time, one stays.
async function lockChangeable(tx: Transaction, { accountId, userId, actorRole }: UserChange): Promise<UserRow> {
  const user = (await lockAccount(tx, accountId)) === null ? null : await lockUser(tx, accountId, userId)
  if (user === null) throw notFound()
  if (!hasRole(actorRole, user.role)) throw onlyOwners()
  return user
}

async function refuseLastOwner(tx: Transaction, user: UserRow, staysOwner: boolean): Promise<void> {
  if (user.role !== 'owner' || user.status !== 'active' || staysOwner) return
  if ((await countActiveOwners(tx, user.accountId)) > 1) return
  throw new AppError('CONFLICT', 'This is the last owner of the account. Make another user owner first.', {
    currentStatus: 'last_owner',
    allowedActions: [],
  })
}

/** Users belong to no environment. Their events are appended to live. */
async function record(tx: Transaction, accountId: string, event: NewEvent): Promise<void> {
  await appendEvents(tx, { accountId, environment: 'live' }, [event])
}

export function onlyOwners(): AppError {
  return new AppError('INSUFFICIENT_ROLE', 'Only owners can change owners or make a user owner.', {
    requiredRole: 'owner',
  })
}
