import type { Executor } from '../platform/db/database.ts'
import type { RowRange } from '../platform/http/paging.ts'
import type { UserRow } from './user.ts'

export const userColumns = `account_id, id, email, name, role, status, password_hash, oidc_issuer, oidc_subject,
  totp_confirmed_at, preferences, last_seen_at, created_at`

export async function findUser(db: Executor, accountId: string, userId: string): Promise<UserRow | null> {
  const rows = await db.query<UserRow>(
    `select ${userColumns} from users where account_id = $1 and id = $2`,
    [accountId, userId],
    'find_user',
  )
  return rows[0] ?? null
}

export async function lockUser(db: Executor, accountId: string, userId: string): Promise<UserRow | null> {
  const rows = await db.query<UserRow>(
    `select ${userColumns} from users where account_id = $1 and id = $2 for update`,
    [accountId, userId],
    'lock_user',
  )
  return rows[0] ?? null
}

/** Lists the users that a sign-in with an address may mean: in the given account, else in any account, last seen first. */
export async function listUsersByEmailAcrossAccounts(
  db: Executor,
  { email, accountId, limit }: { email: string; accountId: string | null; limit: number },
): Promise<UserRow[]> {
  return db.query<UserRow>(
    `select ${userColumns} from users
     where email = $1 and status = 'active' and ($2::text is null or account_id = $2)
     order by last_seen_at desc nulls last, account_id limit $3`,
    [email, accountId, limit],
    'list_users_by_email',
  )
}

/** Lists active users with a password and this address, in all accounts. */
export async function listUsersOfEmailAcrossAccounts(db: Executor, email: string, limit: number): Promise<UserRow[]> {
  return db.query<UserRow>(
    `select ${userColumns} from users where email = $1 and status = 'active' and password_hash is not null
     order by account_id limit $2`,
    [email, limit],
    'list_users_of_email',
  )
}

export async function hasUserAcrossAccounts(db: Executor): Promise<boolean> {
  const rows = await db.query('select 1 from users limit 1')
  return rows.length > 0
}

/** Inserts a user. Returns false if the account already has a user with this address. */
export async function insertUser(db: Executor, user: UserRow): Promise<boolean> {
  const inserted = await db.execute(
    `insert into users (account_id, id, email, name, role, status, password_hash, preferences, last_seen_at, created_at,
       oidc_issuer, oidc_subject)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) on conflict (account_id, email) do nothing`,
    [
      user.accountId,
      user.id,
      user.email,
      user.name,
      user.role,
      user.status,
      user.passwordHash,
      JSON.stringify(user.preferences),
      user.lastSeenAt,
      user.createdAt,
      user.oidcIssuer,
      user.oidcSubject,
    ],
    'insert_user',
  )
  return inserted === 1
}

/** Updates the fields that users change themselves. */
export async function updateUserProfile(
  db: Executor,
  { accountId, id, name, preferences }: Pick<UserRow, 'accountId' | 'id' | 'name' | 'preferences'>,
): Promise<void> {
  await db.execute(
    `update users set name = $3, preferences = $4 where account_id = $1 and id = $2`,
    [accountId, id, name, JSON.stringify(preferences)],
    'update_user_profile',
  )
}

export async function updateUserPassword(
  db: Executor,
  accountId: string,
  { userId, passwordHash }: { userId: string; passwordHash: string },
): Promise<void> {
  await db.execute(
    `update users set password_hash = $3 where account_id = $1 and id = $2`,
    [accountId, userId, passwordHash],
    'update_user_password',
  )
}

export async function updateUserSeen(
  db: Executor,
  accountId: string,
  { userId, now }: { userId: string; now: Date },
): Promise<void> {
  await db.execute(
    `update users set last_seen_at = $3 where account_id = $1 and id = $2`,
    [accountId, userId, now],
    'update_user_seen',
  )
}

export async function listUsers(db: Executor, accountId: string, range: RowRange<string>): Promise<UserRow[]> {
  return db.query<UserRow>(
    `select ${userColumns} from users where account_id = $1 and ($2::text is null or id < $2)
     order by id desc offset $3 limit $4`,
    [accountId, range.after, range.offset, range.limit],
    'list_users',
  )
}

export async function countUsers(db: Executor, accountId: string): Promise<number> {
  const rows = await db.query<{ count: number }>(
    `select count(*)::int as count from users where account_id = $1`,
    [accountId],
    'count_users',
  )
  return rows[0]?.count ?? 0
}

export async function findUserOfEmail(db: Executor, accountId: string, email: string): Promise<UserRow | null> {
  const rows = await db.query<UserRow>(
    `select ${userColumns} from users where account_id = $1 and email = $2`,
    [accountId, email],
    'find_user_of_email',
  )
  return rows[0] ?? null
}

export async function countActiveOwners(db: Executor, accountId: string): Promise<number> {
  const rows = await db.query<{ count: number }>(
    `select count(*)::int as count from users where account_id = $1 and role = 'owner' and status = 'active'`,
    [accountId],
    'count_active_owners',
  )
  return rows[0]?.count ?? 0
}

/** Updates the fields that admins change. */
export async function updateUserStanding(
  db: Executor,
  { accountId, id, role, status }: Pick<UserRow, 'accountId' | 'id' | 'role' | 'status'>,
): Promise<void> {
  await db.execute(
    `update users set role = $3, status = $4 where account_id = $1 and id = $2`,
    [accountId, id, role, status],
    'update_user_standing',
  )
}

export async function deleteUser(db: Executor, accountId: string, userId: string): Promise<void> {
  await db.execute(`delete from users where account_id = $1 and id = $2`, [accountId, userId], 'delete_user')
}

/** Finds a user by id alone, for the operator. */
export async function findUserAcrossAccounts(db: Executor, userId: string): Promise<UserRow | null> {
  const rows = await db.query<UserRow>(`select ${userColumns} from users where id = $1`, [userId])
  return rows[0] ?? null
}

export async function listUsersAcrossAccounts(db: Executor, accountId: string | null): Promise<UserRow[]> {
  return db.query<UserRow>(
    `select ${userColumns} from users where ($1::text is null or account_id = $1) order by account_id, id`,
    [accountId],
  )
}
