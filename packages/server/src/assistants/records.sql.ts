import type { Executor } from '../platform/db/database.ts'

export interface RecordKey {
  kind: string
  digest: Buffer
}

interface RecordRow {
  payload: Record<string, unknown>
  consumedAt: Date | null
}

/** Finds a record that is not over. A record of a grant exists only as long as the key of the grant works and its user is active. */
export async function findRecordAcrossAccounts(
  db: Executor,
  { kind, digest }: RecordKey,
  now: Date,
): Promise<RecordRow | null> {
  const [row] = await db.query<RecordRow>(
    `select r.payload, r.consumed_at from assistant_records r
     where r.kind = $1 and r.digest = $2 and r.expires_at > $3 and (r.grant_id is null or exists (
       select 1 from assistant_grants g join api_keys k on k.account_id = g.account_id and k.id = g.key_id
         join users u on u.account_id = g.account_id and u.id = k.user_id
       where g.id = r.grant_id and k.revoked_at is null and u.status = 'active'))`,
    [kind, digest, now],
    'find_assistant_record',
  )
  return row ?? null
}

/** Stores a record. One that was used stays used. */
export async function upsertRecord(
  db: Executor,
  { kind, digest }: RecordKey,
  { grantId, payload, expiresAt }: { grantId: string | null; payload: object; expiresAt: Date },
): Promise<void> {
  await db.execute(
    `insert into assistant_records as r (kind, digest, grant_id, payload, expires_at) values ($1, $2, $3, $4, $5)
     on conflict (kind, digest) do update set payload = excluded.payload, expires_at = excluded.expires_at`,
    [kind, digest, grantId, JSON.stringify(payload), expiresAt],
  )
}

/** Marks a record as used. Returns 0 if it was used before, also by a concurrent request. */
export async function updateRecordConsumed(db: Executor, { kind, digest }: RecordKey, now: Date): Promise<number> {
  return db.execute(
    'update assistant_records set consumed_at = $3 where kind = $1 and digest = $2 and consumed_at is null',
    [kind, digest, now],
  )
}

/** Keeps a registered client at least until then. */
export async function updateClientKept(db: Executor, digest: Buffer, until: Date): Promise<void> {
  await db.execute(
    `update assistant_records set expires_at = $2 where kind = 'Client' and digest = $1 and expires_at < $2`,
    [digest, until],
  )
}

/** Deletes all but the newest registered clients that end by `before`, which are those without a grant. */
export async function deleteOldestUnusedClients(
  db: Executor,
  { now, before, kept }: { now: Date; before: Date; kept: number },
): Promise<void> {
  await db.execute(
    `delete from assistant_records where kind = 'Client' and digest in (
       select digest from assistant_records where kind = 'Client' and expires_at > $1 and expires_at <= $2
       order by expires_at desc offset $3)`,
    [now, before, kept],
  )
}

export async function deleteRecord(db: Executor, { kind, digest }: RecordKey): Promise<void> {
  await db.execute('delete from assistant_records where kind = $1 and digest = $2', [kind, digest])
}

export async function deleteRecordsOfGrant(db: Executor, grantId: string): Promise<void> {
  await db.execute('delete from assistant_records where grant_id = $1', [grantId])
}

/** Deletes records that are over, and records whose grant is gone or has ended. Returns the number of deleted rows. */
export async function deleteOldRecordsAcrossAccounts(db: Executor, now: Date, limit: number): Promise<number> {
  return db.execute(
    `delete from assistant_records where (kind, digest) in (
       select r.kind, r.digest from assistant_records r
       where r.expires_at < $1 or (r.grant_id is not null and not exists (
         select 1 from assistant_grants g join api_keys k on k.account_id = g.account_id and k.id = g.key_id
         where g.id = r.grant_id and k.revoked_at is null))
       limit $2)`,
    [now, limit],
  )
}
