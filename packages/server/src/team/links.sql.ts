import type { Role } from '@overture/contract/team/roles.ts'
import type { Executor } from '../platform/db/database.ts'
import type { RowRange } from '../platform/http/paging.ts'

export type LinkKind = 'setup' | 'invitation' | 'password'

/** A link that makes a user or sets a user's password. */
export interface LinkRow {
  accountId: string
  id: string
  kind: LinkKind
  email: string | null
  role: Role | null
  userId: string | null
  invitedBy: string | null
  /** The key that made the invitation. Null: a session or the operator made the link. */
  invitedByKey: string | null
  createdAt: Date
  expiresAt: Date
}

const columns = 'account_id, id, kind, email, role, user_id, invited_by, invited_by_key, created_at, expires_at'

export async function insertLink(db: Executor, link: LinkRow, digest: Buffer): Promise<void> {
  await db.execute(
    `insert into user_links (account_id, id, kind, email, role, user_id, invited_by, created_at, expires_at, digest, invited_by_key)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
    [
      link.accountId,
      link.id,
      link.kind,
      link.email,
      link.role,
      link.userId,
      link.invitedBy,
      link.createdAt,
      link.expiresAt,
      digest,
      link.invitedByKey,
    ],
    'insert_user_link',
  )
}

/** Inserts a link. Returns false if it exists, because the same job ran before. */
export async function insertLinkOnce(db: Executor, link: LinkRow, digest: Buffer): Promise<boolean> {
  const inserted = await db.execute(
    `insert into user_links (account_id, id, kind, email, role, user_id, invited_by, created_at, expires_at, digest, invited_by_key)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) on conflict (account_id, id) do nothing`,
    [
      link.accountId,
      link.id,
      link.kind,
      link.email,
      link.role,
      link.userId,
      link.invitedBy,
      link.createdAt,
      link.expiresAt,
      digest,
      link.invitedByKey,
    ],
    'insert_user_link_once',
  )
  return inserted === 1
}

/** Finds a link that is usable and not mailed yet. */
export async function findLinkToMail(
  db: Executor,
  accountId: string,
  { id, now }: { id: string; now: Date },
): Promise<LinkRow | null> {
  const rows = await db.query<LinkRow>(
    `select ${columns} from user_links
     where account_id = $1 and id = $2 and used_at is null and expires_at > $3 and mailed_at is null`,
    [accountId, id, now],
    'find_user_link_to_mail',
  )
  return rows[0] ?? null
}

/** Marks a link as mailed. Returns false if another job already mails it. */
export async function updateLinkMailed(
  db: Executor,
  accountId: string,
  { id, now }: { id: string; now: Date },
): Promise<boolean> {
  const marked = await db.execute(
    `update user_links set mailed_at = $3 where account_id = $1 and id = $2 and mailed_at is null`,
    [accountId, id, now],
    'update_user_link_mailed',
  )
  return marked === 1
}

export async function updateLinkNotMailed(db: Executor, accountId: string, id: string): Promise<void> {
  await db.execute(
    `update user_links set mailed_at = null where account_id = $1 and id = $2`,
    [accountId, id],
    'update_user_link_not_mailed',
  )
}

/** Deletes the unused password links of a user. Using one link ends the others. */
export async function deletePasswordLinks(db: Executor, accountId: string, userId: string): Promise<void> {
  await db.execute(
    `delete from user_links where account_id = $1 and user_id = $2 and kind = 'password' and used_at is null`,
    [accountId, userId],
    'delete_password_links_of',
  )
}

/** Finds a usable link by its digest, which is secret and therefore replaces the tenant filter. */
export async function findLinkAcrossAccounts(db: Executor, digest: Buffer, now: Date): Promise<LinkRow | null> {
  const rows = await db.query<LinkRow>(
    `select ${columns} from user_links where digest = $1 and used_at is null and expires_at > $2`,
    [digest, now],
    'find_user_link',
  )
  return rows[0] ?? null
}

/** Marks a link as used. Returns false if it was used before. */
export async function updateLinkUsed(
  db: Executor,
  accountId: string,
  { id, now }: { id: string; now: Date },
): Promise<boolean> {
  const used = await db.execute(
    `update user_links set used_at = $3 where account_id = $1 and id = $2 and used_at is null and expires_at > $3`,
    [accountId, id, now],
    'update_user_link_used',
  )
  return used === 1
}

interface OldLink {
  accountId: string
  id: string
}

export async function listOldLinksAcrossAccounts(db: Executor, now: Date, limit: number): Promise<OldLink[]> {
  return db.query<OldLink>(
    `select account_id, id from user_links where expires_at <= $1 limit $2`,
    [now, limit],
    'list_old_user_links',
  )
}

export async function deleteOldLinks(
  db: Executor,
  accountId: string,
  rows: readonly OldLink[],
  now: Date,
): Promise<number> {
  return db.execute(
    `delete from user_links where account_id = $1 and id in (
       select id from user_links where account_id = $1 and expires_at <= $2
         and id = any($3::text[]) for update skip locked)`,
    [accountId, now, rows.map((row) => row.id)],
    'delete_old_user_links',
  )
}

const open = `kind = 'invitation' and used_at is null and expires_at > $2`

export async function listInvitations(
  db: Executor,
  accountId: string,
  { now, after, offset, limit }: RowRange<string> & { now: Date },
): Promise<LinkRow[]> {
  return db.query<LinkRow>(
    `select ${columns} from user_links where account_id = $1 and ${open} and ($3::text is null or id < $3)
     order by id desc offset $4 limit $5`,
    [accountId, now, after, offset, limit],
    'list_invitations',
  )
}

export async function findOpenInvitation(
  db: Executor,
  accountId: string,
  { email, now }: { email: string; now: Date },
): Promise<LinkRow | null> {
  const rows = await db.query<LinkRow>(
    `select ${columns} from user_links where account_id = $1 and ${open} and email = $3`,
    [accountId, now, email],
    'find_invitation_of',
  )
  return rows[0] ?? null
}

export async function countInvitations(db: Executor, accountId: string, now: Date): Promise<number> {
  const rows = await db.query<{ count: number }>(
    `select count(*)::int as count from user_links where account_id = $1 and ${open}`,
    [accountId, now],
    'count_invitations',
  )
  return rows[0]?.count ?? 0
}

export async function deleteInvitation(db: Executor, accountId: string, id: string): Promise<boolean> {
  const gone = await db.execute(
    `delete from user_links where account_id = $1 and id = $2 and kind = 'invitation' and used_at is null`,
    [accountId, id],
    'delete_invitation',
  )
  return gone === 1
}

/** Deletes the invitations of a user that were not accepted. */
export async function deleteInvitationsBy(db: Executor, accountId: string, userId: string): Promise<void> {
  await db.execute(
    `delete from user_links where account_id = $1 and invited_by = $2 and kind = 'invitation' and used_at is null`,
    [accountId, userId],
    'delete_invitations_by',
  )
}

export async function deleteInvitationsTo(db: Executor, accountId: string, email: string): Promise<void> {
  await db.execute(
    `delete from user_links where account_id = $1 and email = $2 and kind = 'invitation' and used_at is null`,
    [accountId, email],
    'delete_invitations_of',
  )
}
