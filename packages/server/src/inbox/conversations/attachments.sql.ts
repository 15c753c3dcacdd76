import type { StoredAttachment } from '../../delivery/index.ts'
import type { Executor } from '../../platform/db/database.ts'
import type { Tenant } from '../../platform/tenant.ts'

export interface FileKey {
  messageId: string
  /** Counted from 1. */
  n: number
}

export interface FoundFile extends StoredAttachment {
  /** The size of the message that contains the file. Null if the message is not composed yet. */
  rawBytes: number | null
}

export async function findFile(db: Executor, tenant: Tenant, key: FileKey): Promise<FoundFile | null> {
  const rows = await db.query<{ file: StoredAttachment | null; rawBytes: number | null }>(
    `select m.attachments -> ($4::integer - 1) as file, octet_length(k.raw) as raw_bytes from message_heads m
     left join message_contents k on k.account_id = $1 and k.environment = $2 and k.message_id = m.id
     where m.account_id = $1 and m.environment = $2 and m.id = $3 and m.kind not in ('notification', 'test')`,
    [tenant.accountId, tenant.environment, key.messageId, key.n],
  )
  const [row] = rows
  return row === undefined || row.file === null ? null : { ...row.file, rawBytes: row.rawBytes }
}

/** The bytes of a message. Null if they were erased, or if there are none. */
export async function findRaw(db: Executor, tenant: Tenant, messageId: string): Promise<Buffer | null> {
  const rows = await db.query<{ raw: Buffer | null }>(
    'select raw from message_contents where account_id = $1 and environment = $2 and message_id = $3',
    [tenant.accountId, tenant.environment, messageId],
  )
  return rows[0]?.raw ?? null
}

/** A file of a message that is not composed yet. */
export async function findWaitingFile(db: Executor, tenant: Tenant, key: FileKey): Promise<Buffer | null> {
  const rows = await db.query<{ content: Buffer | null }>(
    `select decode(attachments -> ($4::integer - 1) ->> 'content', 'base64') as content from message_contents
     where account_id = $1 and environment = $2 and message_id = $3`,
    [tenant.accountId, tenant.environment, key.messageId, key.n],
  )
  return rows[0]?.content ?? null
}
