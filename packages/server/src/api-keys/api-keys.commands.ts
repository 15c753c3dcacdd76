import { hash, randomBytes } from 'node:crypto'
import type { ApiKey } from '@overture/contract/accounts/api-keys.ts'
import type { Environment, Scope } from '@overture/contract/endpoint.ts'
import { AppError, invalid, notFound } from '@overture/contract/errors.ts'
import { hasRole } from '@overture/contract/team/roles.ts'
import { actualLimits, lockAccount } from '../accounts/index.ts'
import type { App } from '../platform/app.ts'
import type { Database, Executor, Transaction } from '../platform/db/database.ts'
import { appendEvents } from '../platform/events/events.sql.ts'
import { newId } from '../platform/ids.ts'
import type { Tenant } from '../platform/tenant.ts'
import { accessChannel, formatKey, isActive, keyPrefix, randomPart, toApiKey, type ApiKeyRow } from './api-key.ts'
import {
  countActiveKeys,
  type EndedKey,
  findKeyAccountAcrossAccounts,
  findKeyRight,
  insertKey,
  listActiveKeyIdsOfUser,
  lockKey,
  updateKeysRevoked,
} from './api-keys.sql.ts'

interface NewKey {
  accountId: string
  environment: Environment
  scopes: readonly Scope[]
  name?: string
  expiresAt?: Date | null
  /** The key that makes the new key; both end together. Null: the operator makes it. */
  parentId?: string | null
  /** The user that owns the key. Null: no user, and the key has the role of an owner. */
  userId?: string | null
  /** Set for the key that a command of the operator makes for itself and revokes at its end: it is exempt from `maxApiKeys`. */
  beyondLimit?: true
  /** The grant of an assistant that has this key. */
  grantId?: string
  /** Real time. */
  now: Date
}

/** Makes a key in the caller's transaction. `key` is shown only now. Throws 409 at `maxApiKeys`, 404 and 400. */
export async function createKey(tx: Executor, input: NewKey): Promise<ApiKey & { key: string }> {
  const { accountId, environment, now } = input
  const parentId = input.parentId ?? null
  // The account row is the lock, so that two concurrent requests can't both make the last allowed key, and no key is made by a
  // key that ends at the same time.
  const account = await lockAccount(tx, accountId)
  if (account === null) throw notFound()
  const expiresAt = await limitExpiry(tx, input)
  if (expiresAt !== null && expiresAt <= now) {
    throw invalid({ path: 'expiresAt', rule: 'future', message: 'expiresAt must be in the future.' })
  }
  const { maxApiKeys } = actualLimits(account)
  if (input.beyondLimit !== true && (await countActiveKeys(tx, accountId, now)) >= maxApiKeys) {
    throw new AppError(
      'CONFLICT',
      `The account has reached its limit of ${maxApiKeys} active API keys. Revoke one first.`,
      {
        currentStatus: 'max_api_keys_reached',
        allowedActions: ['revoke'],
      },
    )
  }
  const key = formatKey(environment, randomKeyPart())
  const row: ApiKeyRow = {
    id: newId('key'),
    name: input.name ?? 'API key',
    prefix: keyPrefix(key),
    scopes: (['read', 'write', 'admin'] as const).filter((scope) => input.scopes.includes(scope)),
    environment,
    userId: input.userId ?? null,
    createdAt: now,
    lastUsedAt: null,
    expiresAt,
    revokedAt: null,
  }
  await insertKey(tx, accountId, {
    row,
    digest: hash('sha256', key, 'buffer'),
    parentId,
    grantId: input.grantId ?? null,
  })
  return { ...toApiKey(row, now), key }
}

/** The end of the new key, which is not later than that of the key that makes it. */
async function limitExpiry(tx: Executor, { accountId, parentId, expiresAt, now }: NewKey): Promise<Date | null> {
  const wanted = expiresAt ?? null
  if (parentId === undefined || parentId === null) return wanted
  const parent = await lockKey(tx, accountId, parentId)
  if (parent === null || !isActive(parent, now))
    throw new AppError('UNAUTHORIZED', 'The API key of this request was revoked or has expired.')
  return wanted === null || (parent.expiresAt !== null && parent.expiresAt < wanted) ? parent.expiresAt : wanted
}

/** Whether a key is active and both its scopes and its user's role allow admin actions. */
export async function keyMayAdminister(
  { db, clock }: { db: Executor; clock: App['clock'] },
  accountId: string,
  keyId: string,
): Promise<boolean> {
  const right = await findKeyRight(db, accountId, { keyId, now: clock.now() })
  return right !== null && right.scopes.includes('admin') && hasRole(right.role, 'admin')
}

/** Called when the rights of keys changed. After the commit every node reads them again. */
export function accessChanged(tx: Transaction): void {
  tx.wake(accessChannel)
}

/** Revokes a key and every key it created, under the account lock. Returns the revoked keys, or null if the key is unknown. */
export async function endKey(
  tx: Transaction,
  accountId: string,
  end: { keyId: string; now: Date; allowed?: (row: ApiKeyRow) => void },
): Promise<{ row: ApiKeyRow; ended: EndedKey[] } | null> {
  const row = (await lockAccount(tx, accountId)) === null ? null : await lockKey(tx, accountId, end.keyId)
  if (row === null) return null
  end.allowed?.(row)
  accessChanged(tx)
  return { row, ended: await updateKeysRevoked(tx, accountId, end.keyId, end.now) }
}

/** Revokes every key of a user who leaves, with all keys that those made. */
export async function endKeysOfUser(
  tx: Transaction,
  accountId: string,
  { userId, now }: { userId: string; now: Date },
): Promise<void> {
  for (const keyId of await listActiveKeyIdsOfUser(tx, accountId, userId)) {
    const end = await endKey(tx, accountId, { keyId, now })
    await tellRevoked(tx, accountId, end?.ended ?? [], () => now)
  }
}

export async function tellCreated(
  tx: Executor,
  tenant: Tenant,
  { key, now }: { key: { id: string; userId: string | null }; now: Date },
): Promise<void> {
  const data = { apiKeyId: key.id, userId: key.userId }
  await appendEvents(tx, tenant, [{ type: 'api_key.created', occurredAt: now, data }])
}

/** Appends an event per revoked key. `occurredAt` is the current time in the environment of the key. */
export async function tellRevoked(
  tx: Executor,
  accountId: string,
  ended: readonly EndedKey[],
  occurredAt: (environment: Environment) => Date,
): Promise<void> {
  for (const { id: apiKeyId, environment, userId } of ended) {
    const event = { type: 'api_key.revoked', occurredAt: occurredAt(environment), data: { apiKeyId, userId } } as const
    await appendEvents(tx, { accountId, environment }, [event])
  }
}

/** Revokes any key by its id, for the operator. Does nothing if the key is already revoked. Throws 404 for an unknown key. */
export async function revokeKey(
  db: Database,
  {
    keyId,
    now,
    recorded,
  }: { keyId: string; now: Date; recorded: (tx: Transaction, accountId: string) => Promise<void> },
): Promise<ApiKey> {
  return db.transaction(async (tx) => {
    const accountId = await findKeyAccountAcrossAccounts(tx, keyId)
    const end = accountId === null ? null : await endKey(tx, accountId, { keyId, now })
    if (accountId === null || end === null) throw notFound()
    await recorded(tx, accountId)
    await tellRevoked(tx, accountId, end.ended, () => now)
    return toApiKey({ ...end.row, revokedAt: end.row.revokedAt ?? now }, now)
  })
}

function randomKeyPart(): string {
  for (;;) {
    const part = randomPart(randomBytes(40))
    if (part !== null) return part
  }
}
