import type { Executor } from '../platform/db/database.ts'
import type { RowRange } from '../platform/http/paging.ts'
import type { SessionRow } from './user.ts'

const columns = 'account_id, id, user_id, method, ip, user_agent, created_at, last_seen_at, expires_at'
const works = `expires_at > $3 and last_seen_at > $3::timestamptz - interval '12 hours'`

interface AdmittedSession {
  outcome: 'unknown_session' | 'limited' | 'admitted'
  accountId: string
  sessionId: string
  userId: string
  userName: string
  role: 'viewer' | 'member' | 'admin' | 'owner'
  remaining: number
  retryAfterMs: number
}

/** Admits a session by its digest, which is secret and therefore replaces the tenant filter. Uses the database's clock. */
export async function admitSessionAcrossAccounts(
  db: Executor,
  digest: Buffer,
  { perMinute, perSecond }: { perMinute: number; perSecond: number },
): Promise<AdmittedSession> {
  const rows = await db.query<AdmittedSession>(
    `select outcome, account_id, session_id, user_id, user_name, role, remaining, retry_after_ms
     from admit_session($1, $2, $3)`,
    [digest, perMinute, perSecond],
    'admit_session',
  )
  return rows[0]!
}

/** The session of a cookie, if it is still valid. */
export async function findSessionAcrossAccounts(db: Executor, digest: Buffer, now: Date): Promise<SessionRow | null> {
  const rows = await db.query<SessionRow>(
    `select s.account_id, s.id, s.user_id, s.method, s.ip, s.user_agent, s.created_at, s.last_seen_at, s.expires_at
     from sessions s join users u on u.account_id = s.account_id and u.id = s.user_id and u.status = 'active'
     where s.digest = $1 and s.expires_at > $2 and s.last_seen_at > $2::timestamptz - interval '12 hours'`,
    [digest, now],
    'find_session',
  )
  return rows[0] ?? null
}

/** When a session began, or null if it has ended. */
export async function findSessionStart(db: Executor, accountId: string, sessionId: string): Promise<Date | null> {
  const rows = await db.query<{ createdAt: Date }>(
    `select created_at from sessions where account_id = $1 and id = $2`,
    [accountId, sessionId],
    'find_session_start',
  )
  return rows[0]?.createdAt ?? null
}

export async function insertSession(db: Executor, session: SessionRow, digest: Buffer): Promise<void> {
  await db.execute(
    `insert into sessions (account_id, id, user_id, digest, method, ip, user_agent, created_at, last_seen_at, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    [
      session.accountId,
      session.id,
      session.userId,
      digest,
      session.method,
      session.ip,
      session.userAgent,
      session.createdAt,
      session.lastSeenAt,
      session.expiresAt,
    ],
    'insert_session',
  )
}

interface SessionOwner {
  userId: string
  now: Date
}

export async function listSessions(
  db: Executor,
  accountId: string,
  { userId, now, after, offset, limit }: SessionOwner & RowRange<string>,
): Promise<SessionRow[]> {
  return db.query<SessionRow>(
    `select ${columns} from sessions where account_id = $1 and user_id = $2 and ${works} and ($4::text is null or id < $4)
     order by id desc offset $5 limit $6`,
    [accountId, userId, now, after, offset, limit],
    'list_sessions',
  )
}

export async function countSessions(db: Executor, accountId: string, { userId, now }: SessionOwner): Promise<number> {
  const rows = await db.query<{ count: number }>(
    `select count(*)::int as count from sessions where account_id = $1 and user_id = $2 and ${works}`,
    [accountId, userId, now],
    'count_sessions',
  )
  return rows[0]?.count ?? 0
}

/** Lists which of the sessions are still valid. */
export async function listUsableSessionIds(
  db: Executor,
  accountId: string,
  { sessionIds, now }: { sessionIds: readonly string[]; now: Date },
): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    `select id from sessions where account_id = $1 and id = any($2) and ${works}`,
    [accountId, sessionIds, now],
    'list_usable_session_ids',
  )
  return rows.map(({ id }) => id)
}

export async function deleteSession(
  db: Executor,
  accountId: string,
  { userId, sessionId }: { userId: string; sessionId: string },
): Promise<boolean> {
  const gone = await db.execute(
    `delete from sessions where account_id = $1 and user_id = $2 and id = $3`,
    [accountId, userId, sessionId],
    'delete_session',
  )
  return gone === 1
}

/** Deletes all sessions of a user. */
export async function deleteUserSessions(db: Executor, accountId: string, userId: string): Promise<number> {
  return db.execute(
    `delete from sessions where account_id = $1 and user_id = $2`,
    [accountId, userId],
    'delete_user_sessions',
  )
}

interface EndedSession {
  accountId: string
  id: string
}

const ended = (now: string) => `(expires_at <= ${now} or last_seen_at <= ${now}::timestamptz - interval '12 hours')`

export async function listEndedSessionsAcrossAccounts(db: Executor, now: Date, limit: number): Promise<EndedSession[]> {
  return db.query<EndedSession>(
    `select account_id, id from sessions where ${ended('$1')} limit $2`,
    [now, limit],
    'list_ended_sessions',
  )
}

/** Deletes sessions with their counts. */
export async function deleteEndedSessions(
  db: Executor,
  accountId: string,
  rows: readonly EndedSession[],
  now: Date,
): Promise<number> {
  return db.execute(
    `with ended as (
       delete from sessions where account_id = $1 and id = any($2) and ${ended('$3')} returning id),
     counted as (delete from rate_windows w using ended e where w.account_id = $1 and w.key_id = e.id)
     select 1 from ended`,
    [accountId, rows.map((row) => row.id), now],
    'delete_ended_sessions',
  )
}
