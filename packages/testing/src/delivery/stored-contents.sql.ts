import type { Executor } from '@overture/server/platform/db/database.ts'
import type { Tenant } from '@overture/server/platform/tenant.ts'

/** The stored content of a message. */
export interface StoredContent {
  id: string
  rfcMessageId: string
  raw: Buffer | null
  /** True if only the bytes are stored: texts and files are removed once the bytes exist. */
  isBytesAlone: boolean
}

export async function listStoredContents(db: Executor, tenant: Tenant): Promise<StoredContent[]> {
  return db.query<StoredContent>(
    `select m.id, m.rfc_message_id, k.raw, k.text is null and k.html is null and k.attachments is null as is_bytes_alone
     from message_heads m
     join message_contents k on k.account_id = m.account_id and k.environment = m.environment and k.message_id = m.id
     where m.account_id = $1 and m.environment = $2 order by m.id`,
    [tenant.accountId, tenant.environment],
  )
}
