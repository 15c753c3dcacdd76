import type { Executor } from '../../platform/db/database.ts'
import type { Tenant } from '../../platform/tenant.ts'
import { emailsOf, strangersAmong, type Envelope } from '../plan/recipients.ts'
import type { ThreadMessage } from './reply.ts'
import { listOwnAddresses, listWriters } from '../plan/writers.sql.ts'

/** Whether a recipient of the reply never wrote to us. Then the message is a follow-up, with the checks of a campaign message. */
export async function isFollowUp(
  db: Executor,
  tenant: Tenant,
  { messages, ...envelope }: Envelope & { messages: readonly Pick<ThreadMessage, 'threadId'>[] },
): Promise<boolean> {
  const threadIds = [...new Set(messages.flatMap(({ threadId }) => threadId ?? []))]
  const writers = [...(await listWriters(db, tenant, threadIds)).values()].flat()
  const own = await listOwnAddresses(db, tenant, emailsOf(envelope))
  return strangersAmong(envelope, { writers, own }).length > 0
}
