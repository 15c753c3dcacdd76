import type { Executor } from '../../platform/db/database.ts'
import type { Tenant } from '../../platform/tenant.ts'
import type { Address } from '../write/message-bytes.ts'
import { listSenderRows } from '../plan/senders.sql.ts'

/** The From address of a queued message, before the message is written. */
export async function findFromAddress(db: Executor, tenant: Tenant, sendingAccountId: string): Promise<Address | null> {
  const [sender] = await listSenderRows(db, tenant, [sendingAccountId])
  return sender === undefined ? null : { email: sender.email, name: sender.fromName }
}
