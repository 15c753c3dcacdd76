import type { Executor } from '../../platform/db/database.ts'
import type { Tenant } from '../../platform/tenant.ts'

/** A thread awaits an answer while its newest message is a lead's reply, rather than a person's message or an opt-out. */
export async function updateAwaiting(tx: Executor, tenant: Tenant, threadId: string): Promise<void> {
  await tx.execute(
    `update threads h set awaiting = l.awaiting
     from (select m.kind = 'reply' as awaiting from messages m
       where m.account_id = $1 and m.environment = $2 and m.thread_id = $3 and m.kind in ('reply', 'unsubscribe', 'manual')
         and m.status <> 'failed'
       order by coalesce(m.received_at, m.queued_at) desc, m.id desc limit 1) l
     where h.account_id = $1 and h.environment = $2 and h.id = $3 and h.awaiting <> l.awaiting`,
    [tenant.accountId, tenant.environment, threadId],
    'update_awaiting',
  )
}

/** Marks a thread as answered: a person replied from another mail program after the last message arrived. */
export async function updateAnsweredElsewhere(
  tx: Executor,
  tenant: Tenant,
  answer: { threadId: string; at: Date },
): Promise<void> {
  await tx.execute(
    `update threads set awaiting = false
     where account_id = $1 and environment = $2 and id = $3 and awaiting and last_message_at <= $4`,
    [tenant.accountId, tenant.environment, answer.threadId, answer.at],
  )
}
