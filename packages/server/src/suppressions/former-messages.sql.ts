import type { Executor } from '../platform/db/database.ts'
import type { Tenant } from '../platform/tenant.ts'

/** All that is stored of a sent message after it was deleted. */
export interface FormerMessage {
  rfcMessageId: string
  addressHash: Buffer
}

export async function insertFormerMessages(
  tx: Executor,
  tenant: Tenant,
  messages: readonly FormerMessage[],
): Promise<void> {
  await tx.execute(
    `insert into former_messages (account_id, environment, rfc_message_id, address_hash)
     select a.account_id, $2, m.rfc_message_id, m.address_hash
     from accounts a, unnest($3::text[], $4::bytea[]) m (rfc_message_id, address_hash) where a.account_id = $1
     on conflict do nothing`,
    [
      tenant.accountId,
      tenant.environment,
      messages.map((message) => message.rfcMessageId),
      messages.map((message) => message.addressHash),
    ],
    'insert_former_messages',
  )
}

const formerMax = 200

/** Lists the messages with one of the Message-IDs, and one that was sent to one of the addresses. */
export async function listFormerMessages(
  db: Executor,
  tenant: Tenant,
  filter: { rfcMessageIds: readonly string[]; hashes: readonly Buffer[] },
): Promise<FormerMessage[]> {
  return db.query<FormerMessage>(
    `(select rfc_message_id, address_hash from former_messages
      where account_id = $1 and environment = $2 and rfc_message_id = any($3) limit ${formerMax})
     union all
     (select distinct on (address_hash) rfc_message_id, address_hash from former_messages
      where account_id = $1 and environment = $2 and address_hash = any($4) order by address_hash limit ${formerMax})`,
    [tenant.accountId, tenant.environment, filter.rfcMessageIds, filter.hashes],
    'list_former_messages',
  )
}
