import type { Environment, Scope } from '@overture/contract/endpoint.ts'
import type { Role } from '@overture/contract/team/roles.ts'
import type { Executor } from '../platform/db/database.ts'
import type { RowRange } from '../platform/http/paging.ts'
import type { ApiKeyRow } from './api-key.ts'

const columns = 'id, name, prefix, scopes, environment, user_id, created_at, last_used_at, expires_at, revoked_at'

interface KeyIdentity {
  accountId: string
  keyId: string
  keyName: string
  userId: string | null
  role: Role
  environment: Environment
  scopes: Scope[]
}

/** A key with the settings of its account. A limit of null means the default. */
export interface KeyAccess extends KeyIdentity {
  digest: Buffer
  expiresAt: Date | null
  apiAccessEnabled: boolean
  requestsPerMinute: number | null
  burstPerSecond: number | null
  monthlyRequests: number | null
  maxApiKeys: number | null
}

/** Finds a key by its digest, which is secret and therefore replaces the tenant filter. Skips revoked keys and keys of removed users. */
export async function findKeyByDigestAcrossAccounts(db: Executor, digest: Buffer): Promise<KeyAccess | null> {
  const rows = await db.query<KeyAccess>(
    `select k.account_id, k.id as key_id, k.name as key_name, k.user_id, coalesce(u.role, 'owner') as role, k.environment,
       k.scopes, k.digest, k.expires_at, a.api_access_enabled, a.requests_per_minute, a.burst_per_second, a.monthly_requests,
       a.max_api_keys
     from api_keys k join accounts a on a.account_id = k.account_id
       left join users u on u.account_id = a.account_id and u.id = k.user_id
     where k.digest = $1 and k.revoked_at is null and (k.user_id is null or u.status = 'active')`,
    [digest],
    'find_key_by_digest',
  )
  return rows[0] ?? null
}

export interface AdmitRow extends KeyIdentity {
  outcome: 'unknown_key' | 'admitted' | 'access_disabled' | 'limited' | 'over_quota'
  minuteLimit: number
  remaining: number
  retryAfterMs: number
}

/** Checks key, windows and quota in one call. `now` is set only in tests; otherwise the database's clock is used. */
export async function admitRequestAcrossAccounts(db: Executor, digest: Buffer, now: Date | null): Promise<AdmitRow> {
  const rows = await db.query<AdmitRow>(
    `select outcome, account_id, key_id, key_name, user_id, role, environment, scopes, minute_limit, remaining, retry_after_ms
     from admit_request($1, $2)`,
    [digest, now],
    'admit_request',
  )
  return rows[0]!
}

/** The number of reserved requests of the month, used or not. `month` is its first moment. */
export async function findRequestsTaken(db: Executor, accountId: string, month: Date): Promise<number> {
  const [row] = await db.query<{ requests: number }>(
    `select requests from monthly_usage where account_id = $1 and month = ($2::timestamptz at time zone 'UTC')::date`,
    [accountId, month],
    'find_requests_taken',
  )
  return row?.requests ?? 0
}

/** Reserves `count` more requests. Returns the new total, or null if the total would exceed `limit`. */
export async function takeRequests(
  db: Executor,
  accountId: string,
  { month, count, limit }: { month: Date; count: number; limit: number },
): Promise<number | null> {
  const [row] = await db.query<{ requests: number }>(
    `insert into monthly_usage as u (account_id, month, requests) values ($1, ($2::timestamptz at time zone 'UTC')::date, $3)
     on conflict (account_id, month) do update set requests = u.requests + excluded.requests
       where u.requests + excluded.requests <= $4
     returning u.requests`,
    [accountId, month, count, limit],
    'take_requests',
  )
  return row?.requests ?? null
}

/** Returns reserved requests that were not used. */
export async function returnRequests(db: Executor, accountId: string, month: Date, unused: number): Promise<void> {
  await db.execute(
    `update monthly_usage set requests = requests - $3
     where account_id = $1 and month = ($2::timestamptz at time zone 'UTC')::date`,
    [accountId, month, unused],
    'return_requests',
  )
}

/** Lists keys, without those of assistants. `environment` null lists the keys of both environments. */
export async function listKeys(
  db: Executor,
  accountId: string,
  { after, offset, limit, environment }: RowRange<string> & { environment: Environment | null },
): Promise<ApiKeyRow[]> {
  return db.query<ApiKeyRow>(
    `select ${columns} from api_keys
     where account_id = $1 and grant_id is null and ($2::text is null or id < $2) and ($5::text is null or environment = $5)
     order by id desc offset $3 limit $4`,
    [accountId, after, offset, limit, environment],
    'list_keys',
  )
}

export async function countKeys(db: Executor, accountId: string, environment: Environment | null): Promise<number> {
  const rows = await db.query<{ count: number }>(
    `select count(*)::int as count from api_keys
     where account_id = $1 and grant_id is null and ($2::text is null or environment = $2)`,
    [accountId, environment],
    'count_keys',
  )
  return rows[0]?.count ?? 0
}

/** Lists which of the keys are usable. `now` is real time. */
export async function listUsableKeyIds(
  db: Executor,
  accountId: string,
  { keyIds, now }: { keyIds: readonly string[]; now: Date },
): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    `select k.id from api_keys k join accounts a on a.account_id = k.account_id
     where k.account_id = $1 and a.account_id = $1 and k.id = any($2) and k.revoked_at is null
       and (k.expires_at is null or k.expires_at > $3) and a.api_access_enabled`,
    [accountId, keyIds, now],
    'list_usable_key_ids',
  )
  return rows.map(({ id }) => id)
}

/** The current rights of a key, or null if the key is unknown or has ended. A key without a user has the role of an owner. */
export async function findKeyRight(
  db: Executor,
  accountId: string,
  { keyId, now }: { keyId: string; now: Date },
): Promise<{ scopes: Scope[]; role: Role } | null> {
  const rows = await db.query<{ scopes: Scope[]; role: Role }>(
    `select k.scopes, coalesce(u.role, 'owner') as role
     from api_keys k left join users u on u.account_id = $1 and u.id = k.user_id
     where k.account_id = $1 and k.id = $2 and k.revoked_at is null and (k.expires_at is null or k.expires_at > $3)
       and (k.user_id is null or u.status = 'active')`,
    [accountId, keyId, now],
    'find_key_right',
  )
  return rows[0] ?? null
}

/** Counts active keys of both environments. `now` is real time. */
export async function countActiveKeys(db: Executor, accountId: string, now: Date): Promise<number> {
  const rows = await db.query<{ count: number }>(
    `select count(*)::int as count from api_keys
     where account_id = $1 and grant_id is null and revoked_at is null and (expires_at is null or expires_at > $2)`,
    [accountId, now],
    'count_active_keys',
  )
  return rows[0]?.count ?? 0
}

export async function insertKey(
  db: Executor,
  accountId: string,
  key: { row: ApiKeyRow; digest: Buffer; parentId: string | null; grantId: string | null },
): Promise<void> {
  const { row, digest, parentId, grantId } = key
  await db.execute(
    `insert into api_keys (account_id, id, environment, name, prefix, digest, scopes, created_at, expires_at, parent_id, user_id,
       grant_id)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
    [
      accountId,
      row.id,
      row.environment,
      row.name,
      row.prefix,
      digest,
      row.scopes,
      row.createdAt,
      row.expiresAt,
      parentId,
      row.userId,
      grantId,
    ],
    'insert_key',
  )
}

export async function lockKey(db: Executor, accountId: string, keyId: string): Promise<ApiKeyRow | null> {
  const rows = await db.query<ApiKeyRow>(
    `select ${columns} from api_keys where account_id = $1 and id = $2 for update`,
    [accountId, keyId],
    'lock_key',
  )
  return rows[0] ?? null
}

/** A key that has ended just now. */
export interface EndedKey {
  id: string
  environment: Environment
  userId: string | null
}

/** Revokes a key, the keys that it made, and theirs: a thief of a key may have made more. */
export async function updateKeysRevoked(
  db: Executor,
  accountId: string,
  keyId: string,
  now: Date,
): Promise<EndedKey[]> {
  return db.query<EndedKey>(
    `with recursive line (id) as (
       select k.id from api_keys k where k.account_id = $1 and k.id = $2
       union select k.id from line join api_keys k on k.account_id = $1 and k.parent_id = line.id)
     update api_keys k set revoked_at = $3 from line
     where k.account_id = $1 and k.id = line.id and k.revoked_at is null
     returning k.id, k.environment, k.user_id`,
    [accountId, keyId, now],
    'update_keys_revoked',
  )
}

export async function listActiveKeyIdsOfUser(db: Executor, accountId: string, userId: string): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    `select id from api_keys where account_id = $1 and user_id = $2 and revoked_at is null order by id`,
    [accountId, userId],
    'list_active_key_ids_of_user',
  )
  return rows.map(({ id }) => id)
}

/** Finds the account of a key, for the operator, who gives only the key. */
export async function findKeyAccountAcrossAccounts(db: Executor, keyId: string): Promise<string | null> {
  const rows = await db.query<{ accountId: string }>(`select account_id from api_keys where id = $1`, [keyId])
  return rows[0]?.accountId ?? null
}

/** Stores the last uses of all keys of an account in one statement. */
export async function updateLastUsed(
  db: Executor,
  accountId: string,
  used: readonly { keyId: string; at: Date }[],
): Promise<void> {
  await db.execute(
    `update api_keys k set last_used_at = greatest(k.last_used_at, u.at)
     from unnest($2::text[], $3::timestamptz[]) as u(id, at) where k.account_id = $1 and k.id = u.id`,
    [accountId, used.map((one) => one.keyId), used.map((one) => one.at)],
    'update_last_used',
  )
}
