import type { Executor } from '../../platform/db/database.ts'
import type { Tenant } from '../../platform/tenant.ts'
import { claimDay, countBudgets } from '../../sending-accounts/index.ts'

/**
 * Locks the scheduled replies of a thread that are not sent yet, so that no worker claims them at the same time. A worker that has a
 * claim updates the message while it holds the claim. With `for update` the two could wait for each other.
 */
export async function lockScheduled(tx: Executor, tenant: Tenant, threadId: string): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(
    `select id from message_heads
     where account_id = $1 and environment = $2 and thread_id = $3 and send_at is not null and status = 'queued'
       and attempt_at is not null and held_at is null
     order by id for key share`,
    [tenant.accountId, tenant.environment, threadId],
    'lock_scheduled',
  )
  return rows.map(({ id }) => id)
}

/**
 * Takes replies back from a worker that has claimed them and has not passed the gate. Its gate then finds no claim. The caller has
 * locked the messages.
 */
export async function deleteUngatedClaims(tx: Executor, tenant: Tenant, ids: readonly string[]): Promise<void> {
  await tx.execute(
    `with gone as (
       delete from claims where account_id = $1 and environment = $2 and message_id = any($3) and kind = 'manual' and gated_at is null
       returning sending_account_id, sender_day, budgets, claimed_at),
     budgets as (${countBudgets(`select budgets, ${claimDay('gone')} as day from gone`, '-1')}),
     days as (select sending_account_id, sender_day, count(*)::int as count from gone group by 1, 2)
     update sender_days d set claimed = d.claimed - g.count from days g
     where d.account_id = $1 and d.environment = $2 and d.sending_account_id = g.sending_account_id and d.day = g.sender_day`,
    [tenant.accountId, tenant.environment, ids],
    'delete_ungated_claims',
  )
}

/** Holds replies without a claim until a person decides. */
export async function updateHeld(
  tx: Executor,
  tenant: Tenant,
  { ids, now }: { ids: readonly string[]; now: Date },
): Promise<void> {
  await tx.execute(
    `update message_heads m set held_at = $4, attempt_at = null
     where m.account_id = $1 and m.environment = $2 and m.id = any($3) and m.status = 'queued'
       and not exists (select 1 from claims c where c.account_id = $1 and c.environment = $2 and c.message_id = m.id)`,
    [tenant.accountId, tenant.environment, ids, now],
    'update_held',
  )
}

interface ScheduledChange {
  id: string
  sendAt: Date
  /** Null if the reply is not held. */
  heldAt: Date | null
  /** Set when a hold ends: the reply then counts as the newest message of its thread. */
  queuedAt: Date | null
}

/** Changes the time of a reply that has no claim. Returns whether there is such a reply. */
export async function updateScheduled(tx: Executor, tenant: Tenant, change: ScheduledChange): Promise<boolean> {
  const changed = await tx.execute(
    `update message_heads m set send_at = $4, held_at = $5, queued_at = coalesce($6, m.queued_at),
       attempt_at = case when $5::timestamptz is null then $4::timestamptz end
     where m.account_id = $1 and m.environment = $2 and m.id = $3 and m.status = 'queued' and m.send_at is not null
       and not exists (select 1 from claims c where c.account_id = $1 and c.environment = $2 and c.message_id = m.id)`,
    [tenant.accountId, tenant.environment, change.id, change.sendAt, change.heldAt, change.queuedAt],
    'update_scheduled',
  )
  return changed === 1
}

/** Replaces the texts of a reply whose bytes are not written yet. Returns whether they were replaced. */
export async function updateReplyTexts(
  tx: Executor,
  tenant: Tenant,
  reply: { id: string; subject: string; text: string; html: string },
): Promise<boolean> {
  const changed = await tx.execute(
    `update message_contents set text = $4, html = $5, subject = $6 || ' ' || $4
     where account_id = $1 and environment = $2 and message_id = $3 and raw is null`,
    [tenant.accountId, tenant.environment, reply.id, reply.text, reply.html, reply.subject],
    'update_reply_texts',
  )
  return changed === 1
}
