import type { Executor } from '../db/database.ts'
import type { Tenant } from '../tenant.ts'

/** The slot of a stored answer; `route` is the method with the actual path. */
export interface AnswerSlot {
  route: string
  key: string
}

export interface StoredAnswer {
  digest: Buffer
  /** Null while the first request runs. */
  status: number | null
  headers: Record<string, string> | null
  sealedBody: Buffer | null
}

interface FinishedAnswer {
  digest: Buffer
  status: number
  headers: Record<string, string>
  sealedBody: Buffer
  expiresAt: Date
}

/** Takes the key's lock until the end of the transaction. Returns false while another transaction holds it. */
export async function tryLockIdempotencyKey(db: Executor, tenant: Tenant, slot: AnswerSlot): Promise<boolean> {
  const rows = await db.query<{ locked: boolean }>(
    `select pg_try_advisory_xact_lock(hashtextextended($1, 0)) as locked`,
    [JSON.stringify([tenant.accountId, tenant.environment, slot.route, slot.key])],
    'try_lock_idempotency_key',
  )
  return rows[0]?.locked === true
}

/** Ignores a row that has expired, or whose process died before it answered. */
export async function findStoredAnswer(
  db: Executor,
  tenant: Tenant,
  slot: AnswerSlot,
  now: Date,
): Promise<StoredAnswer | null> {
  const rows = await db.query<StoredAnswer>(
    `select body_digest as digest, status, headers, sealed_body from idempotency_keys
     where account_id = $1 and environment = $2 and route = $3 and key = $4
       and expires_at > $5 and (status is not null or locked_until > $5)`,
    [tenant.accountId, tenant.environment, slot.route, slot.key, now],
    'find_stored_answer',
  )
  return rows[0] ?? null
}

export async function upsertStoredAnswer(
  db: Executor,
  tenant: Tenant,
  slot: AnswerSlot,
  answer: FinishedAnswer,
): Promise<void> {
  await db.execute(
    `insert into idempotency_keys
       (account_id, environment, route, key, body_digest, status, headers, sealed_body, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
     on conflict (account_id, environment, route, key) do update
     set body_digest = excluded.body_digest, status = excluded.status, headers = excluded.headers,
       sealed_body = excluded.sealed_body, expires_at = excluded.expires_at, locked_until = null`,
    [
      tenant.accountId,
      tenant.environment,
      slot.route,
      slot.key,
      answer.digest,
      answer.status,
      JSON.stringify(answer.headers),
      answer.sealedBody,
      answer.expiresAt,
    ],
    'upsert_stored_answer',
  )
}

export async function insertRunningAnswer(
  db: Executor,
  tenant: Tenant,
  slot: AnswerSlot,
  running: { digest: Buffer; lockedUntil: Date; expiresAt: Date },
): Promise<void> {
  await db.execute(
    `insert into idempotency_keys (account_id, environment, route, key, body_digest, locked_until, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7)
     on conflict (account_id, environment, route, key) do update
     set body_digest = excluded.body_digest, status = null, headers = null, sealed_body = null,
       locked_until = excluded.locked_until, expires_at = excluded.expires_at`,
    [
      tenant.accountId,
      tenant.environment,
      slot.route,
      slot.key,
      running.digest,
      running.lockedUntil,
      running.expiresAt,
    ],
    'insert_running_answer',
  )
}

/** Fills the running row. `lockedUntil` fences off a process that was considered dead: the update then returns 0. */
export async function updateRunningAnswer(
  db: Executor,
  tenant: Tenant,
  slot: AnswerSlot,
  answer: FinishedAnswer & { lockedUntil: Date },
): Promise<number> {
  return db.execute(
    `update idempotency_keys
     set body_digest = $6, status = $7, headers = $8, sealed_body = $9, expires_at = $10, locked_until = null
     where account_id = $1 and environment = $2 and route = $3 and key = $4
       and status is null and locked_until = $5`,
    [
      tenant.accountId,
      tenant.environment,
      slot.route,
      slot.key,
      answer.lockedUntil,
      answer.digest,
      answer.status,
      JSON.stringify(answer.headers),
      answer.sealedBody,
      answer.expiresAt,
    ],
    'update_running_answer',
  )
}

export async function deleteRunningAnswer(
  db: Executor,
  tenant: Tenant,
  slot: AnswerSlot,
  lockedUntil: Date,
): Promise<void> {
  await db.execute(
    `delete from idempotency_keys
     where account_id = $1 and environment = $2 and route = $3 and key = $4
       and status is null and locked_until = $5`,
    [tenant.accountId, tenant.environment, slot.route, slot.key, lockedUntil],
    'delete_running_answer',
  )
}

interface OldAnswer {
  accountId: string
  environment: string
  route: string
  key: string
}

export async function listOldAnswersAcrossAccounts(db: Executor, now: Date, limit: number): Promise<OldAnswer[]> {
  return db.query<OldAnswer>(
    `select account_id, environment, route, key from idempotency_keys where expires_at <= $1 order by expires_at limit $2`,
    [now, limit],
    'list_old_answers',
  )
}

/** Deletes expired answers. A row that was written again meanwhile has another time and is kept. */
export async function deleteOldAnswers(
  db: Executor,
  accountId: string,
  rows: readonly OldAnswer[],
  now: Date,
): Promise<number> {
  return db.execute(
    `delete from idempotency_keys where account_id = $1 and (environment, route, key) in (
       select environment, route, key from idempotency_keys where account_id = $1 and expires_at <= $2
         and (environment, route, key) in (select * from unnest($3::text[], $4::text[], $5::text[])) for update skip locked)`,
    [accountId, now, rows.map((row) => row.environment), rows.map((row) => row.route), rows.map((row) => row.key)],
    'delete_old_answers',
  )
}
