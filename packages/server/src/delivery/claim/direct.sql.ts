import type { Executor } from '../../platform/db/database.ts'
import type { Tenant } from '../../platform/tenant.ts'
import type { Lease } from '../claims.sql.ts'
import type { Counted } from '../planner/plan.types.ts'

export interface DirectRow {
  id: string
  kind: 'campaign' | 'manual' | 'notification'
  campaignId: string | null
  leadId: string | null
  sendingAccountId: string
  emailDomain: string | null
  first: boolean
  /** Of a notice to somebody whom nobody knows: to whom. */
  strangerEmail: string | null
}

/** Messages that wait for no plan (manual replies, send-now, notices) and are due, taken for this transaction. */
export async function lockDirectMessages(
  tx: Executor,
  tenant: Tenant,
  due: { now: Date; limit: number },
): Promise<DirectRow[]> {
  return tx.query<DirectRow>(
    `select m.id, m.kind, m.campaign_id, m.lead_id, m.sending_account_id, l.email_domain, l.last_contacted_at is null as first,
       case when m.to_stranger then m.to_addresses->0->>'email' end as stranger_email
     from messages m
     left join leads l on l.account_id = $1 and l.environment = $2 and l.campaign_id = m.campaign_id and l.id = m.lead_id
     where m.account_id = $1 and m.environment = $2 and m.attempt_at <= $3 and m.status = 'queued' and m.lease_token is null
     order by m.attempt_at limit $4 for update of m skip locked`,
    [tenant.accountId, tenant.environment, due.now, due.limit],
    'lock_direct_messages',
  )
}

export async function leaseDirectMessages(
  tx: Executor,
  tenant: Tenant,
  claims: readonly { id: string; counted: Partial<Counted> }[],
  lease: Lease,
): Promise<void> {
  await tx.execute(
    `update messages m set lease_token = $5, lease_until = $6, counted = t.counted
     from unnest($3::text[], $4::jsonb[]) t (id, counted)
     where m.account_id = $1 and m.environment = $2 and m.id = t.id`,
    [
      tenant.accountId,
      tenant.environment,
      claims.map((claim) => claim.id),
      claims.map((claim) => JSON.stringify(claim.counted)),
      lease.token,
      lease.until,
    ],
    'lease_direct_messages',
  )
}

export async function postponeDirectMessage(
  tx: Executor,
  tenant: Tenant,
  message: { id: string; at: Date },
): Promise<void> {
  await tx.execute(
    `update messages set attempt_at = $4 where account_id = $1 and environment = $2 and id = $3`,
    [tenant.accountId, tenant.environment, message.id, message.at],
    'postpone_direct_message',
  )
}

export async function findNextDirect(tx: Executor, tenant: Tenant): Promise<Date | null> {
  const rows = await tx.query<{ at: Date | null }>(
    `select min(attempt_at) as at from messages
     where account_id = $1 and environment = $2 and attempt_at is not null and status = 'queued' and lease_token is null`,
    [tenant.accountId, tenant.environment],
    'find_next_direct',
  )
  return rows[0]?.at ?? null
}
