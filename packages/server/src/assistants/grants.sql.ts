import type { GrantScope } from '@overture/contract/accounts/grants.ts'
import type { Environment } from '@overture/contract/endpoint.ts'
import type { Executor } from '../platform/db/database.ts'
import type { RowRange } from '../platform/http/paging.ts'
import type { GrantRow } from './grant.ts'

const columns = `g.id, g.key_id, k.user_id, k.environment, g.client_name, g.client_host, g.scopes, g.created_at, k.last_used_at`

/** Lists the grants that have not ended. `environment` null lists those of both environments. */
export async function listGrants(
  db: Executor,
  accountId: string,
  { after, offset, limit, environment }: RowRange<string> & { environment: Environment | null },
): Promise<GrantRow[]> {
  return db.query<GrantRow>(
    `select ${columns} from assistant_grants g join api_keys k on k.account_id = $1 and k.id = g.key_id
     where g.account_id = $1 and k.revoked_at is null and ($2::text is null or g.id < $2) and ($5::text is null or k.environment = $5)
     order by g.id desc offset $3 limit $4`,
    [accountId, after, offset, limit, environment],
    'list_grants',
  )
}

export async function countGrants(db: Executor, accountId: string, environment: Environment | null): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    `select count(*)::int as count from assistant_grants g join api_keys k on k.account_id = $1 and k.id = g.key_id
     where g.account_id = $1 and k.revoked_at is null and ($2::text is null or k.environment = $2)`,
    [accountId, environment],
    'count_grants',
  )
  return row?.count ?? 0
}

export async function countGrantsOfUser(db: Executor, accountId: string, userId: string): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    `select count(*)::int as count from assistant_grants g join api_keys k on k.account_id = $1 and k.id = g.key_id
     where g.account_id = $1 and k.user_id = $2 and k.revoked_at is null`,
    [accountId, userId],
  )
  return row?.count ?? 0
}

/** A grant that has not ended. */
export async function findGrant(db: Executor, accountId: string, id: string): Promise<GrantRow | null> {
  const [row] = await db.query<GrantRow>(
    `select ${columns} from assistant_grants g join api_keys k on k.account_id = $1 and k.id = g.key_id
     where g.account_id = $1 and g.id = $2 and k.revoked_at is null`,
    [accountId, id],
  )
  return row ?? null
}

interface NewGrantRow {
  id: string
  keyId: string
  sealedKey: Buffer
  clientId: string
  clientName: string
  clientHost: string
  scopes: readonly GrantScope[]
  createdAt: Date
}

export async function insertGrant(db: Executor, accountId: string, row: NewGrantRow): Promise<void> {
  await db.execute(
    `insert into assistant_grants (account_id, id, key_id, sealed_key, client_id, client_name, client_host, scopes, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [
      accountId,
      row.id,
      row.keyId,
      row.sealedKey,
      row.clientId,
      row.clientName,
      row.clientHost,
      row.scopes,
      row.createdAt,
    ],
  )
}

/** Finds the account and the key of a grant by its id, which a token or the authorization server names. */
export async function findGrantKeyAcrossAccounts(
  db: Executor,
  id: string,
): Promise<{ accountId: string; keyId: string } | null> {
  const [row] = await db.query<{ accountId: string; keyId: string }>(
    'select account_id, key_id from assistant_grants where id = $1',
    [id],
  )
  return row ?? null
}

/** Whether a user allowed this client something that has not ended. */
export async function existsGrantOfClientAcrossAccounts(db: Executor, clientId: string): Promise<boolean> {
  const rows = await db.query(
    `select from assistant_grants g join api_keys k on k.account_id = g.account_id and k.id = g.key_id
     where g.client_id = $1 and k.revoked_at is null limit 1`,
    [clientId],
    'exists_grant_of_client',
  )
  return rows.length > 0
}

/** Lists grants from before `before` that have no code and no token that was valid then or later. They can't be used any more. */
export async function listUnusableGrantsAcrossAccounts(db: Executor, before: Date, limit: number): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    `select g.id from assistant_grants g join api_keys k on k.account_id = g.account_id and k.id = g.key_id
     where k.revoked_at is null and g.created_at < $1 and not exists (
       select 1 from assistant_records r where r.grant_id = g.id
         and r.kind in ('AuthorizationCode', 'AccessToken', 'RefreshToken') and r.expires_at > $1)
     limit $2`,
    [before, limit],
    'list_unusable_grants',
  )
  return rows.map(({ id }) => id)
}

interface TokenGrant {
  accountId: string
  grantId: string
  environment: Environment
  scopes: GrantScope[]
  sealedKey: Buffer
}

/**
 * Finds the grant of an access token for `audience`. Both must be valid now, and the user active. The digest is secret and replaces
 * the tenant filter.
 */
export async function findTokenGrantAcrossAccounts(
  db: Executor,
  { digest, audience, now }: { digest: Buffer; audience: string; now: Date },
): Promise<TokenGrant | null> {
  const [row] = await db.query<TokenGrant>(
    `select g.account_id, g.id as grant_id, k.environment, g.scopes, g.sealed_key
     from assistant_records r join assistant_grants g on g.id = r.grant_id
       join api_keys k on k.account_id = g.account_id and k.id = g.key_id
       join users u on u.account_id = g.account_id and u.id = k.user_id
     where r.kind = 'AccessToken' and r.digest = $1 and r.expires_at > $3 and r.payload->>'aud' = $2
       and k.revoked_at is null and u.status = 'active'`,
    [digest, audience, now],
    'find_token_grant',
  )
  return row ?? null
}
