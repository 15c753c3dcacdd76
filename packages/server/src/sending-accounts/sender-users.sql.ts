import type { Executor } from '../platform/db/database.ts'
import type { Tenant } from '../platform/tenant.ts'

// Rows that prevent the deletion of a sender, and rows that move to its replacement. These statements use tables of slices that
// import this one, so this slice can't call them.

interface SenderUser {
  kind: 'campaign' | 'conversation'
  id: string
  name: string
}

/** Lists unfinished campaigns and open conversations of a sender. */
export async function listSenderUsers(db: Executor, tenant: Tenant, id: string, limit: number): Promise<SenderUser[]> {
  return db.query<SenderUser>(
    `(select 'campaign' as kind, id, name from campaigns
      where account_id = $1 and environment = $2 and deleted_at is null and status <> 'completed'
        and $3 = any(sending_account_ids) order by id limit $4)
     union all
     (select 'conversation' as kind, id, subject as name from threads
      where account_id = $1 and environment = $2 and sending_account_id = $3 and is_conversation and not archived
      order by id limit $4)`,
    [tenant.accountId, tenant.environment, id, limit],
  )
}

/** Whether a sender has ever worked: its servers accepted its login, its mailbox was read, or it was chosen for a message. */
export async function findSenderWorked(db: Executor, tenant: Tenant, id: string): Promise<boolean> {
  const rows = await db.query<{ worked: boolean }>(
    `select s.connected_at is not null
       or exists (select 1 from mailboxes m where m.account_id = $1 and m.environment = $2 and m.sending_account_id = $3
         and m.read_at is not null)
       or exists (select 1 from sender_days d where d.account_id = $1 and d.environment = $2 and d.sending_account_id = $3
         and d.claimed > 0) as worked
     from sending_accounts s where s.account_id = $1 and s.environment = $2 and s.id = $3`,
    [tenant.accountId, tenant.environment, id],
  )
  return rows[0]?.worked ?? false
}

/** Counts messages of this sender that are in flight or wait to be sent. */
export async function countInFlight(db: Executor, tenant: Tenant, id: string): Promise<number> {
  const rows = await db.query<{ count: number }>(
    `select count(*)::int as count from (
       select message_id from claims
       where account_id = $1 and environment = $2 and sending_account_id = $3 and lease_until is not null
       union
       select id from message_heads
       where account_id = $1 and environment = $2 and sending_account_id = $3 and direction = 'outbound' and status = 'queued'
         and kind <> 'campaign') under_way`,
    [tenant.accountId, tenant.environment, id],
  )
  return rows[0]?.count ?? 0
}

export async function replaceInCampaigns(tx: Executor, tenant: Tenant, id: string, replacement: string): Promise<void> {
  await tx.execute(
    `update campaigns set sending_account_ids = case when $4 = any(sending_account_ids)
       then array_remove(sending_account_ids, $3) else array_replace(sending_account_ids, $3, $4) end
     where account_id = $1 and environment = $2 and $3 = any(sending_account_ids)`,
    [tenant.accountId, tenant.environment, id, replacement],
  )
}

export async function replaceInLeads(tx: Executor, tenant: Tenant, id: string, replacement: string): Promise<void> {
  await tx.execute(
    `update lead_progress set sending_account_id = $4
     where account_id = $1 and environment = $2 and sending_account_id = $3
       and campaign_id in (select id from campaigns where account_id = $1 and environment = $2 and $4 = any(sending_account_ids))`,
    [tenant.accountId, tenant.environment, id, replacement],
  )
}

/** Moves a message that a person asked for and that waits for the sender. The replacement composes it again. */
export async function replaceInMessages(tx: Executor, tenant: Tenant, id: string, replacement: string): Promise<void> {
  await tx.execute(
    `with moved as (
       update message_heads m set sending_account_id = $4, raw_sha256 = null, rfc_message_id = null, from_address = null
       where m.account_id = $1 and m.environment = $2 and m.sending_account_id = $3 and m.direction = 'outbound'
         and m.kind = 'campaign' and m.status = 'queued' and m.attempt_at is not null
         and not exists (select 1 from claims c where c.account_id = $1 and c.environment = $2 and c.message_id = m.id)
       returning m.id)
     update message_contents k set raw = null from moved
     where k.account_id = $1 and k.environment = $2 and k.message_id = moved.id`,
    [tenant.accountId, tenant.environment, id, replacement],
  )
}

export async function replaceInThreads(tx: Executor, tenant: Tenant, id: string, replacement: string): Promise<void> {
  await tx.execute(
    'update threads set sending_account_id = $4 where account_id = $1 and environment = $2 and sending_account_id = $3',
    [tenant.accountId, tenant.environment, id, replacement],
  )
}
