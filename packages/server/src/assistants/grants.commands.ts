import type { GrantScope } from '@overture/contract/accounts/grants.ts'
import type { Environment } from '@overture/contract/endpoint.ts'
import { AppError } from '@overture/contract/errors.ts'
import { createKey, endKey, tellCreated, tellRevoked } from '../api-keys/index.ts'
import type { Secrets } from '../platform/crypto/secrets.shell.ts'
import { recordSystem } from '../platform/audit/acts.commands.ts'
import type { Database, Transaction } from '../platform/db/database.ts'
import { newId } from '../platform/ids.ts'
import { countGrantsOfUser, findGrantKeyAcrossAccounts, insertGrant } from './grants.sql.ts'
import { deleteRecordsOfGrant } from './records.sql.ts'

const grantsPerUserMax = 50

export function grantKeyContext(grantId: string): string {
  return `assistant_grants ${grantId} sealed_key`
}

interface NewGrant {
  accountId: string
  userId: string
  environment: Environment
  scopes: readonly GrantScope[]
  client: { id: string; name: string; host: string }
  /** Real time. */
  now: Date
}

/** Stores a grant with a key of its own, which limits it to the role of its user and is never shown. Throws 409 at the limit. */
export async function createGrant(tx: Transaction, secrets: Secrets, grant: NewGrant): Promise<string> {
  const { accountId, userId, environment, scopes, client, now } = grant
  const id = newId('grt')
  const key = await createKey(tx, {
    accountId,
    environment,
    userId,
    scopes: scopes.includes('write') ? ['read', 'write'] : ['read'],
    name: client.name,
    beyondLimit: true,
    grantId: id,
    now,
  })
  // Counted after the new key was made, which locked the account.
  if ((await countGrantsOfUser(tx, accountId, userId)) >= grantsPerUserMax)
    throw new AppError(
      'CONFLICT',
      `You have connected ${grantsPerUserMax} assistants. Revoke one in the settings first.`,
      { currentStatus: 'max_grants_reached', allowedActions: ['revoke'] },
    )
  await insertGrant(tx, accountId, {
    id,
    keyId: key.id,
    sealedKey: secrets.encrypt(key.key, grantKeyContext(id)),
    clientId: client.id,
    clientName: client.name,
    clientHost: client.host,
    scopes,
    createdAt: now,
  })
  await tellCreated(tx, { accountId, environment }, { key, now })
  return id
}

/** Ends a grant for a reason of the server, and stores this in the audit log. */
export async function endGrantBySystem(db: Database, grantId: string, now: Date): Promise<void> {
  await db.transaction(async (tx) => {
    await endGrant(tx, grantId, {
      now,
      recorded: (accountId) =>
        recordSystem(tx, { accountId, action: 'system.assistant_grants.revoke', targetId: grantId }),
    })
  })
}

/**
 * Ends a grant with its key and all its tokens. Returns its account, or null if the grant is unknown or has ended. `recorded` stores
 * the reason in the audit log.
 */
async function endGrant(
  tx: Transaction,
  grantId: string,
  { now, recorded }: { now: Date; recorded: (accountId: string) => Promise<void> },
): Promise<string | null> {
  const found = await findGrantKeyAcrossAccounts(tx, grantId)
  const end = found === null ? null : await endKey(tx, found.accountId, { keyId: found.keyId, now })
  await deleteRecordsOfGrant(tx, grantId)
  if (found === null || end === null || end.ended.length === 0) return null
  await recorded(found.accountId)
  await tellRevoked(tx, found.accountId, end.ended, () => now)
  return found.accountId
}
