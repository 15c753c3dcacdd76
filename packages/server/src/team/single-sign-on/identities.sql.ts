import type { Executor } from '../../platform/db/database.ts'
import { userColumns } from '../users.sql.ts'
import type { UserRow } from '../user.ts'

/** Locks the user with this subject at an issuer. */
export async function lockUserOfSubject(
  db: Executor,
  accountId: string,
  { issuer, subject }: { issuer: string; subject: string },
): Promise<UserRow | null> {
  const rows = await db.query<UserRow>(
    `select ${userColumns} from users where account_id = $1 and oidc_issuer = $2 and oidc_subject = $3 for update`,
    [accountId, issuer, subject],
    'lock_user_of_subject',
  )
  return rows[0] ?? null
}

export async function updateUserSubject(
  db: Executor,
  accountId: string,
  { userId, issuer, subject }: { userId: string; issuer: string; subject: string },
): Promise<void> {
  await db.execute(
    `update users set oidc_issuer = $3, oidc_subject = $4 where account_id = $1 and id = $2`,
    [accountId, userId, issuer, subject],
    'update_user_subject',
  )
}
