import type { Executor } from '../../platform/db/database.ts'
import type { Tenant } from '../../platform/tenant.ts'
import type { Lease } from '../claims.sql.ts'
import type { ClaimCount } from '../planner/plan.types.ts'

export interface DirectRow {
  id: string
  kind: 'campaign' | 'manual' | 'notification'
  campaignId: string | null
  leadId: string | null
  leadEmail: string | null
  stepId: string | null
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
    `select m.id, m.kind, m.campaign_id, m.lead_id, l.email as lead_email, m.step_id, m.sending_account_id, l.email_domain,
       l.last_contacted_at is null as first, case when m.to_stranger then m.to_addresses->0->>'email' end as stranger_email
     from message_heads m
     left join leads l on l.account_id = $1 and l.environment = $2 and l.campaign_id = m.campaign_id and l.id = m.lead_id
     where m.account_id = $1 and m.environment = $2 and m.attempt_at <= $3 and m.status = 'queued'
       and not exists (select from claims c where c.account_id = $1 and c.environment = $2 and c.message_id = m.id)
     order by m.attempt_at limit $4 for update of m skip locked`,
    [tenant.accountId, tenant.environment, due.now, due.limit],
    'lock_direct_messages',
  )
}

export interface DirectClaim {
  row: DirectRow
  counted: Partial<ClaimCount>
}

/** Answers the messages that are claimed now. */
export async function claimDirectMessages(
  tx: Executor,
  tenant: Tenant,
  claims: readonly DirectClaim[],
  lease: Lease & { now: Date },
): Promise<Set<string>> {
  const rows = await tx.query<{ id: string }>(
    `insert into claims (account_id, environment, message_id, kind, campaign_id, lead_id, step_id, sending_account_id, lead_email,
       sender_day, campaign_day, first, domain, claimed_at, lease_token, lease_until)
     select a.account_id, $2, t.*, $14, $15, clock_timestamp() + $16::int * interval '1 millisecond'
     from accounts a, unnest($3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[],
       $10::date[], $11::date[], $12::boolean[], $13::text[]) t where a.account_id = $1
     on conflict do nothing returning message_id as id`,
    [
      tenant.accountId,
      tenant.environment,
      claims.map(({ row }) => row.id),
      claims.map(({ row }) => row.kind),
      claims.map(({ row }) => row.campaignId),
      claims.map(({ row }) => row.leadId),
      claims.map(({ row }) => row.stepId),
      claims.map(({ row }) => row.sendingAccountId),
      claims.map(({ row }) => row.leadEmail),
      claims.map(({ counted }) => counted.senderDay ?? null),
      claims.map(({ counted }) => counted.campaignDay ?? null),
      claims.map(({ counted }) => counted.first ?? null),
      claims.map(({ counted }) => counted.domain ?? null),
      lease.now,
      lease.token,
      lease.leaseMs,
    ],
    'claim_direct_messages',
  )
  return new Set(rows.map((row) => row.id))
}

export async function postponeDirectMessage(
  tx: Executor,
  tenant: Tenant,
  message: { id: string; at: Date },
): Promise<void> {
  await tx.execute(
    `update message_heads set attempt_at = $4 where account_id = $1 and environment = $2 and id = $3`,
    [tenant.accountId, tenant.environment, message.id, message.at],
    'postpone_direct_message',
  )
}

/** One that waits and is under way nowhere is given up. */
export async function updateDirectFailed(
  db: Executor,
  tenant: Tenant,
  message: { id: string; failure: object },
): Promise<void> {
  await db.execute(
    `update message_heads set status = 'failed', failure = $4, attempt_at = null
     where account_id = $1 and environment = $2 and id = $3 and status = 'queued'`,
    [tenant.accountId, tenant.environment, message.id, JSON.stringify(message.failure)],
    'update_direct_failed',
  )
}

export async function findNextDirect(tx: Executor, tenant: Tenant): Promise<Date | null> {
  const rows = await tx.query<{ at: Date | null }>(
    `select min(m.attempt_at) as at from message_heads m
     where m.account_id = $1 and m.environment = $2 and m.attempt_at is not null and m.status = 'queued'
       and not exists (select from claims c where c.account_id = $1 and c.environment = $2 and c.message_id = m.id)`,
    [tenant.accountId, tenant.environment],
    'find_next_direct',
  )
  return rows[0]?.at ?? null
}
