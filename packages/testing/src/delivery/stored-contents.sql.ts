import { readStoredBytes, type StoredBytes } from '@overture/server/ground/text/packed.ts'
import type { Executor } from '@overture/server/platform/db/database.ts'
import type { Tenant } from '@overture/server/platform/tenant.ts'

/** A message with its content as stored in the database, and the text decoded from it. */
export interface StoredContent {
  id: string
  rfcMessageId: string
  campaignId: string
  raw: Buffer | null
  packed: Buffer | null
  dictionaryId: string | null
  /** True if only the bytes are stored: texts and files are removed once the bytes exist. */
  isBytesAlone: boolean
  bytes: Buffer | null
}

export async function listStoredContents(db: Executor, tenant: Tenant): Promise<StoredContent[]> {
  const rows = await db.query<Omit<StoredContent, 'bytes'> & StoredBytes>(
    `select m.id, m.rfc_message_id, m.campaign_id, k.raw, k.packed, encode(k.dictionary, 'hex') as dictionary_id,
       d.bytes as dictionary, k.text is null and k.html is null and k.attachments is null as is_bytes_alone
     from message_heads m
     join message_contents k on k.account_id = m.account_id and k.environment = m.environment and k.message_id = m.id
     left join content_dictionaries d on d.account_id = k.account_id and d.environment = k.environment and d.id = k.dictionary
     where m.account_id = $1 and m.environment = $2 order by m.id`,
    [tenant.accountId, tenant.environment],
  )
  return rows.map(({ dictionary, ...row }) => ({ ...row, bytes: readStoredBytes({ ...row, dictionary }) }))
}

export async function countDictionaries(db: Executor, tenant: Tenant): Promise<number> {
  const rows = await db.query('select from content_dictionaries where account_id = $1 and environment = $2', [
    tenant.accountId,
    tenant.environment,
  ])
  return rows.length
}
