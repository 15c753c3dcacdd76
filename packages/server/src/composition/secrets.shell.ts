import { grantKeyContext } from '../assistants/index.ts'
import { revealContext } from '../lead-finder/index.ts'
import { availabilitySecretContext } from '../meetings/index.ts'
import type { App } from '../platform/app.ts'
import { recordSystem } from '../platform/audit/acts.commands.ts'
import { SecretError } from '../platform/crypto/secrets.shell.ts'
import type { Transaction } from '../platform/db/database.ts'
import { answerContext } from '../platform/http/idempotency.shell.ts'
import type { Tenant } from '../platform/tenant.ts'
import { findLastingKeys, updateLastingKeys } from './open-app.sql.ts'
import {
  listSealedWithOtherKeysAcrossAccounts,
  type SealedColumn,
  type SealedRow,
  updateKeyId,
  updateSealed,
} from './secrets.sql.ts'
import { seedSecretContext } from '../placement/index.ts'
import { totpSecretContext } from '../team/index.ts'
import { connectionSecretContext, senderSecretContext } from '../sending-accounts/index.ts'
import { webhookSecretContext } from '../webhooks/index.ts'

const batch = 200

interface SecretColumn extends SealedColumn {
  /** The context to which the row's seal is bound. */
  getContext: (tenant: Tenant, key: readonly string[]) => string
}

/** All columns that contain secrets. A test searches the schema for columns that are missing here. */
export const sealedColumns: readonly SecretColumn[] = [
  {
    table: 'assistant_grants',
    column: 'sealed_key',
    key: ['id'],
    ofAccount: true,
    getContext: (_tenant, [id = '']) => grantKeyContext(id),
  },
  {
    table: 'sending_accounts',
    column: 'secrets',
    key: ['id'],
    getContext: (tenant, [id = '']) => senderSecretContext(tenant, id),
  },
  {
    table: 'tenant_connections',
    column: 'secrets',
    key: ['id'],
    getContext: (tenant, [id = '']) => connectionSecretContext(tenant, id),
  },
  {
    table: 'seed_mailboxes',
    column: 'secrets',
    key: ['id'],
    getContext: (tenant, [id = '']) => seedSecretContext(tenant, id),
  },
  {
    table: 'idempotency_keys',
    column: 'sealed_body',
    key: ['route', 'key'],
    getContext: (tenant, [route = '', key = '']) => answerContext(tenant, { route, key }),
  },
  { table: 'webhooks', column: 'secret', key: ['id'], getContext: (_tenant, [id = '']) => webhookSecretContext(id) },
  {
    table: 'webhooks',
    column: 'previous_secret',
    key: ['id'],
    getContext: (_tenant, [id = '']) => webhookSecretContext(id),
  },
  {
    table: 'meeting_availability',
    column: 'integrations',
    key: [],
    getContext: (tenant) => availabilitySecretContext(tenant),
  },
  {
    table: 'finder_reveals',
    column: 'value',
    key: ['person_id', 'field'],
    getContext: (tenant, [personId = '', field = '']) => revealContext(tenant, personId, field),
  },
  {
    table: 'users',
    column: 'totp_secret',
    key: ['id'],
    ofAccount: true,
    getContext: (_tenant, [id = '']) => totpSecretContext(id),
  },
]

interface Rotation {
  /** The id of the key with which everything is sealed now. */
  keyId: string
  resealed: number
  /** Values that are damaged or sealed with a key that is not configured. They are not changed. */
  unreadable: number
}

interface RotationOptions {
  endOldLinks?: boolean
  /** Records who asked for the rotation, in the transaction of the first change. Without a change it is not called. */
  recorded?: (tx: Transaction) => Promise<void>
}

/**
 * Seals every value again that was sealed with another key than the first one. It is safe beside running servers and can be
 * repeated. If no value is unreadable, the server can start with the first key alone. Source: docs/contract.md, "Sending
 * accounts".
 */
export async function rotateSecrets(app: App, options: RotationOptions = {}): Promise<Rotation> {
  const rotation: Rotation = { keyId: app.secrets.keyId, resealed: 0, unreadable: 0 }
  const write = recordingWriter(app, options.recorded ?? bySystem)
  for (const column of sealedColumns) await rotateColumn({ app, write, rotation }, column)
  await rotateLastingKeys({ app, write, rotation }, { endOldLinks: options.endOldLinks === true })
  if (rotation.unreadable === 0) await write((tx) => updateKeyId(tx, app.secrets.keyId))
  return rotation
}

/** Writes in a transaction and returns the number of changed rows. */
type Write = (run: (tx: Transaction) => Promise<number>) => Promise<number>
interface RotationTools {
  app: App
  write: Write
  rotation: Rotation
}

// Each batch is one transaction, so that servers wait only briefly for locks. The first one also records who asked.
function recordingWriter({ db }: App, recorded: (tx: Transaction) => Promise<void>): Write {
  let isRecorded = false
  return async (run) => {
    const changed = await db.transaction(async (tx) => {
      const rows = await run(tx)
      if (rows > 0 && !isRecorded) await recorded(tx)
      return rows
    })
    isRecorded ||= changed > 0
    return changed
  }
}

function bySystem(tx: Transaction): Promise<void> {
  return recordSystem(tx, { accountId: '', action: 'system.secrets.rotate', targetId: null })
}

async function rotateColumn({ app, write, rotation }: RotationTools, column: SecretColumn): Promise<void> {
  const keyId = Buffer.from(app.secrets.keyId, 'hex')
  for (let after: SealedRow | null = null; ;) {
    const page = { keyId, after, limit: batch }
    const rows: SealedRow[] = await listSealedWithOtherKeysAcrossAccounts(app.db, column, page)
    const resealed = rows.flatMap((row) => {
      const tenant: Tenant = { accountId: row.accountId, environment: row.environment }
      const sealed = sealAgain(app, row.sealed, column.getContext(tenant, row.key))
      return sealed === null ? [] : [{ tenant, row, sealed }]
    })
    rotation.unreadable += rows.length - resealed.length
    if (resealed.length > 0)
      rotation.resealed += await write(async (tx) => {
        let changed = 0
        for (const { tenant, row, sealed } of resealed)
          changed += await updateSealed(tx, tenant, { column, row, sealed })
        return changed
      })
    after = rows.at(-1) ?? null
    if (rows.length < batch) return
  }
}

async function rotateLastingKeys(
  { app: { db, secrets }, write, rotation }: RotationTools,
  links: { endOldLinks: boolean },
): Promise<void> {
  const sealed = await findLastingKeys(db)
  if (sealed === null || !(links.endOldLinks || secrets.needsRotation(sealed))) return
  try {
    const to = secrets.mergeLasting(sealed, links)
    rotation.resealed += await write((tx) => updateLastingKeys(tx, { from: sealed, to }))
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
