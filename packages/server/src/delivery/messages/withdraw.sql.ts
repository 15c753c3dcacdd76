import type { Executor } from '../../platform/db/database.ts'
import type { Tenant } from '../../platform/tenant.ts'

interface MessageKey {
  threadId: string
  messageId: string
}

/**
 * Locks a message of a thread, so that no worker can claim it at the same time (lockScheduled). The caller has locked the thread, so
 * that only one person changes the message.
 */
export async function lockThreadMessage(
  tx: Executor,
  tenant: Tenant,
  key: MessageKey,
): Promise<{ kind: string; status: string } | undefined> {
  const rows = await tx.query<{ kind: string; status: string }>(
    `select kind, status from message_heads
     where account_id = $1 and environment = $2 and id = $3 and thread_id = $4 and kind not in ('notification', 'test') for key share`,
    [tenant.accountId, tenant.environment, key.messageId, key.threadId],
  )
  return rows[0]
}

/** Deletes a person's reply that has no claim. The caller locked it, so that a concurrent claim is seen. Returns the count. */
export async function deleteWaitingReply(tx: Executor, tenant: Tenant, messageId: string): Promise<number> {
  const rows = await tx.query(
    `with gone as (
       delete from message_heads m
       where m.account_id = $1 and m.environment = $2 and m.id = $3 and m.kind = 'manual' and m.status = 'queued'
         and not exists (select 1 from claims c where c.account_id = $1 and c.environment = $2 and c.message_id = m.id)
       returning m.id),
     emptied as (
       delete from message_contents k using gone
       where k.account_id = $1 and k.environment = $2 and k.message_id = gone.id)
     select from gone`,
    [tenant.accountId, tenant.environment, messageId],
  )
  return rows.length
}
