import { revealContext } from '../lead-finder/index.ts'
import { availabilitySecretContext } from '../meetings/index.ts'
import type { App } from '../platform/app.ts'
import { SecretError } from '../platform/crypto/secrets.shell.ts'
import { answerContext } from '../platform/http/idempotency.commands.ts'
import type { Tenant } from '../platform/tenant.ts'
import { findLastingKeys, updateLastingKeys } from './open-app.sql.ts'
import {
  listSealedWithOtherKeysAcrossAccounts,
  type SealedColumn,
  type SealedRow,
  updateKeyId,
  updateSealed,
} from './secrets.sql.ts'
import { totpSecretContext } from '../team/index.ts'
import { senderSecretContext } from '../sending-accounts/index.ts'
import { webhookSecretContext } from '../webhooks/index.ts'

const batch = 200

interface SecretColumn extends SealedColumn {
  /** What the row's seal is bound to. */
  contextOf: (tenant: Tenant, key: readonly string[]) => string
}

/** Every column that holds secrets; a test looks through the schema for others. */
export const sealedColumns: readonly SecretColumn[] = [
  {
    table: 'sending_accounts',
    column: 'secrets',
    key: ['id'],
    contextOf: (tenant, [id = '']) => senderSecretContext(tenant, id),
  },
  {
    table: 'idempotency_keys',
    column: 'sealed_body',
    key: ['route', 'key'],
    contextOf: (tenant, [route = '', key = '']) => answerContext(tenant, { route, key }),
  },
  { table: 'webhooks', column: 'secret', key: ['id'], contextOf: (_tenant, [id = '']) => webhookSecretContext(id) },
  {
    table: 'webhooks',
    column: 'previous_secret',
    key: ['id'],
    contextOf: (_tenant, [id = '']) => webhookSecretContext(id),
  },
  {
    table: 'meeting_availability',
    column: 'integrations',
    key: [],
    contextOf: (tenant) => availabilitySecretContext(tenant),
  },
  {
    table: 'finder_reveals',
    column: 'value',
    key: ['person_id', 'field'],
    contextOf: (tenant, [personId = '', field = '']) => revealContext(tenant, personId, field),
  },
  {
    table: 'users',
    column: 'totp_secret',
    key: ['id'],
    ofAccount: true,
    contextOf: (_tenant, [id = '']) => totpSecretContext(id),
  },
]

interface Rotation {
  /** The key that everything is sealed with now. */
  keyId: string
  resealed: number
  /** Sealed with a key that is not configured, or damaged: left as they are. */
  unreadable: number
}

/**
 * Seals everything again that was sealed with another key than the first one. Works beside running servers, and as
 * often as one likes; when nothing is left behind, the first key alone is enough to start. Source: docs/contract.md, "Sending accounts".
 */
export async function rotateSecrets(app: App, links = { endOldLinks: false }): Promise<Rotation> {
  const rotation: Rotation = { keyId: app.secrets.keyId, resealed: 0, unreadable: 0 }
  for (const column of sealedColumns) await rotateColumn(app, column, rotation)
  await rotateLastingKeys(app, rotation, links)
  if (rotation.unreadable === 0) await updateKeyId(app.db, app.secrets.keyId)
  return rotation
}

async function rotateColumn(app: App, column: SecretColumn, rotation: Rotation): Promise<void> {
  const keyId = Buffer.from(app.secrets.keyId, 'hex')
  for (let after: SealedRow | null = null; ;) {
    const rows: SealedRow[] = await listSealedWithOtherKeysAcrossAccounts(app.db, column, {
      keyId,
      after,
      limit: batch,
    })
    for (const row of rows) {
      const tenant: Tenant = { accountId: row.accountId, environment: row.environment }
      const sealed = sealAgain(app, row.sealed, column.contextOf(tenant, row.key))
      if (sealed === null) rotation.unreadable++
      else {
        await updateSealed(app.db, tenant, { column, row, sealed })
        rotation.resealed++
      }
    }
    after = rows.at(-1) ?? null
    if (rows.length < batch) return
  }
}

async function rotateLastingKeys(
  { db, secrets }: App,
  rotation: Rotation,
  links: { endOldLinks: boolean },
): Promise<void> {
  const sealed = await findLastingKeys(db)
  if (sealed === null || !(links.endOldLinks || secrets.needsRotation(sealed))) return
  try {
    await updateLastingKeys(db, { from: sealed, to: secrets.mergeLasting(sealed, links) })
    rotation.resealed++
  } catch (error) {
    if (!(error instanceof SecretError)) throw error
    rotation.unreadable++
  }
}

function sealAgain({ secrets }: App, sealed: Buffer, context: string): Buffer | null {
  try {
    return secrets.encrypt(secrets.decrypt(sealed, context), context)
  } catch (error) {
    if (error instanceof SecretError) return null
    throw error
  }
}
