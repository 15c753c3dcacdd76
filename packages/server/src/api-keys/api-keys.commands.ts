import { hash, randomBytes } from 'node:crypto'
import type { ApiKey } from '@overture/contract/accounts/api-keys.ts'
import type { Environment, Scope } from '@overture/contract/endpoint.ts'
import { AppError, invalid, notFound } from '@overture/contract/errors.ts'
import { limitsOf, lockAccount } from '../accounts/index.ts'
import type { Database, Executor } from '../platform/db/database.ts'
import { newId } from '../platform/ids.ts'
import { formatKey, keyPrefix, randomPart, toApiKey, type ApiKeyRow } from './api-key.ts'
import { countActiveKeys, findKeyAccountAcrossAccounts, insertKey, lockKey, updateKeyRevoked } from './api-keys.sql.ts'

export interface NewKey {
  accountId: string
  environment: Environment
  scopes: readonly Scope[]
  name?: string
  expiresAt?: Date | null
  /** Real time. */
  now: Date
}

/** Makes a key in the caller's transaction; `key` is shown now and never again. 409 at `maxApiKeys`, 404, 400. */
export async function createKey(tx: Executor, input: NewKey): Promise<ApiKey & { key: string }> {
  const { accountId, environment, now } = input
  const expiresAt = input.expiresAt ?? null
  if (expiresAt !== null && expiresAt <= now) {
    throw invalid({ path: 'expiresAt', rule: 'future', message: 'expiresAt must lie in the future.' })
  }
  // The row of the account is the lock: two keys made at once can't both be the last one.
  const account = await lockAccount(tx, accountId)
  if (account === null) throw notFound()
  const { maxApiKeys } = limitsOf(account)
  if ((await countActiveKeys(tx, accountId, now)) >= maxApiKeys) {
    throw new AppError('CONFLICT', `The account has ${maxApiKeys} active API keys, its limit. Revoke one first.`, {
      currentStatus: 'max_api_keys_reached',
      allowedActions: ['revoke'],
    })
  }
  const key = formatKey(environment, randomKeyPart())
  const row: ApiKeyRow = {
    id: newId('key'),
    name: input.name ?? 'API key',
    prefix: keyPrefix(key),
    scopes: (['read', 'write'] as const).filter((scope) => input.scopes.includes(scope)),
    environment,
    createdAt: now,
    lastUsedAt: null,
    expiresAt,
    revokedAt: null,
  }
  await insertKey(tx, accountId, { row, digest: hash('sha256', key, 'buffer') })
  return { ...toApiKey(row, now), key }
}

/** The operator's way: any key by its id. Revoking a revoked one changes nothing. 404 for an unknown one. */
export async function revokeKey(db: Database, keyId: string, now: Date): Promise<ApiKey> {
  return db.transaction(async (tx) => {
    const accountId = await findKeyAccountAcrossAccounts(tx, keyId)
    const row = accountId === null ? null : await lockKey(tx, accountId, keyId)
    if (accountId === null || row === null) throw notFound()
    await updateKeyRevoked(tx, accountId, keyId, now)
    return toApiKey({ ...row, revokedAt: row.revokedAt ?? now }, now)
  })
}

function randomKeyPart(): string {
  for (;;) {
    const part = randomPart(randomBytes(40))
    if (part !== null) return part
  }
}
