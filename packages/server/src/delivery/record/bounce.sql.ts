import type { SignalCount } from '@overture/planner/deliverability/signals.ts'
import type { Settings } from '@overture/contract/campaigns/campaigns.ts'
import type { Executor } from '../../platform/db/database.ts'
import type { Tenant } from '../../platform/tenant.ts'
import type { RefusedRecipient } from '@overture/contract/delivery/delivery.ts'
import type { Envelope } from '../plan/recipients.ts'
import type { BounceCounts } from './breaker.ts'

interface BouncedRow {
  kind: string
  id: string
  campaignId: string | null
  leadId: string | null
  stepId: string | null
  variantId: string | null
  sendingAccountId: string
  email: string | null
  settings: Settings | null
}

interface SentMessage extends Envelope {
  leadEmail: string | null
  refusedRecipients: RefusedRecipient[]
}

/** Locks a message that was sent, with its recipients and those who did not get it. */
export async function lockSentMessage(tx: Executor, tenant: Tenant, id: string): Promise<SentMessage | undefined> {
  const rows = await tx.query<SentMessage>(
    `select coalesce(m.to_addresses, '[]') as "to", coalesce(m.cc_addresses, '[]') as cc, coalesce(m.bcc_addresses, '[]') as bcc,
       coalesce(m.failure->'refusedRecipients', '[]') as refused_recipients,
       (select l.email from leads l where l.account_id = $1 and l.environment = $2 and l.campaign_id = m.campaign_id and l.id = m.lead_id)
         as lead_email
     from message_heads m
     where m.account_id = $1 and m.environment = $2 and m.id = $3 and m.status in ('sent', 'bounced') and m.direction = 'outbound'
     for update`,
    [tenant.accountId, tenant.environment, id],
    'lock_sent_message',
  )
  return rows[0]
}

/** Stores the list of recipients who did not get a sent message. */
export async function updateRefusedRecipients(
  tx: Executor,
  tenant: Tenant,
  { id, refused }: { id: string; refused: readonly RefusedRecipient[] },
): Promise<void> {
  await tx.execute(
    `update message_heads set failure = coalesce(failure, '{}'::jsonb) || jsonb_build_object('refusedRecipients', $4::jsonb)
     where account_id = $1 and environment = $2 and id = $3`,
    [tenant.accountId, tenant.environment, id, JSON.stringify(refused)],
    'update_refused_recipients',
  )
}

/** Marks a sent message as bounced. Returns undefined if it was not sent or has already bounced. */
export async function updateMessageBounced(
  db: Executor,
  tenant: Tenant,
  bounce: { id: string; failure: object },
): Promise<BouncedRow | undefined> {
  const rows = await db.query<BouncedRow>(
    `with m as (
     update message_heads m set status = 'bounced', failure = coalesce(m.failure, '{}'::jsonb) || $4::jsonb,
       sent_at = coalesce(m.sent_at, m.gated_at)
     where m.account_id = $1 and m.environment = $2 and m.id = $3 and m.status = 'sent' and m.direction = 'outbound'
     returning m.id, m.kind, m.campaign_id, m.lead_id, m.step_id, m.variant_id, m.sending_account_id)
     select m.*,
       (select l.email from leads l where l.account_id = $1 and l.environment = $2 and l.campaign_id = m.campaign_id and l.id = m.lead_id),
       (select c.settings from campaigns c where c.account_id = $1 and c.environment = $2 and c.id = m.campaign_id)
     from m`,
    [tenant.accountId, tenant.environment, bounce.id, JSON.stringify(bounce.failure)],
    'update_message_bounced',
  )
  return rows[0]
}

/** Counts the soft bounces of an address, as a lead of any campaign. */
export async function countSoftBounces(
  db: Executor,
  tenant: Tenant,
  of: { email: string; since: Date },
): Promise<number> {
  const rows = await db.query<{ count: number }>(
    `select count(*) as count from leads l
     join message_heads m on m.account_id = $1 and m.environment = $2 and m.lead_id = l.id and m.campaign_id = l.campaign_id
       and m.status = 'bounced' and m.failure->>'type' = 'soft' and not m.failure ? 'notOfLead' and m.sent_at > $4
     where l.account_id = $1 and l.environment = $2 and l.email = $3`,
    [tenant.accountId, tenant.environment, of.email, of.since],
    'count_soft_bounces',
  )
  return Number(rows[0]?.count ?? 0)
}

/** The bounces among the mailbox's last messages of campaigns with bounce protection. */
export async function countMailboxBounces(
  db: Executor,
  tenant: Tenant,
  of: { id: string; window: number },
): Promise<BounceCounts> {
  const rows = await db.query<BounceCounts>(
    `select count(*) as sent, count(*) filter (where status = 'bounced') as bounced from (
       select m.status from message_heads m
       join campaigns c on c.account_id = $1 and c.environment = $2 and c.id = m.campaign_id
         and (c.settings->'bounceProtection'->>'enabled')::boolean
       where m.account_id = $1 and m.environment = $2 and m.sending_account_id = $3 and m.status in ('sent', 'bounced')
         and m.direction = 'outbound' and m.kind = 'campaign' and m.sent_at is not null
       order by m.queued_at desc limit $4) recent`,
    [tenant.accountId, tenant.environment, of.id, of.window],
    'count_mailbox_bounces',
  )
  return { sent: Number(rows[0]?.sent ?? 0), bounced: Number(rows[0]?.bounced ?? 0) }
}

export async function countCampaignBounces(db: Executor, tenant: Tenant, campaignId: string): Promise<BounceCounts> {
  const rows = await db.query<BounceCounts>(
    `select count(*) as sent, count(*) filter (where status = 'bounced') as bounced from message_heads
     where account_id = $1 and environment = $2 and campaign_id = $3 and direction = 'outbound' and kind = 'campaign'
       and status in ('sent', 'bounced')`,
    [tenant.accountId, tenant.environment, campaignId],
    'count_campaign_bounces',
  )
  return { sent: Number(rows[0]?.sent ?? 0), bounced: Number(rows[0]?.bounced ?? 0) }
}

interface MailboxSignals {
  bounces: SignalCount
  policyRefusals: SignalCount
}

/**
 * Counts bounces and refusals by policy (RFC 3463, section 3.8) among the last messages of a mailbox. A message that was refused
 * for now counts at once, and stays counted if it is accepted later.
 */
export async function countMailboxSignals(
  db: Executor,
  tenant: Tenant,
  of: { id: string; window: number },
): Promise<MailboxSignals> {
  const rows = await db.query<{ sample: number; bounced: number; refused: number }>(
    `select count(*)::int as sample, count(*) filter (where bounced and not policy)::int as bounced,
       count(*) filter (where bounced and policy or refused_by_policy)::int as refused
     from (
       select m.status = 'bounced' as bounced, coalesce(m.failure->>'code', '') ~ '^[45][.]7[.]' as policy, m.refused_by_policy
       from message_heads m
       where m.account_id = $1 and m.environment = $2 and m.sending_account_id = $3 and m.direction = 'outbound' and m.kind = 'campaign'
         and (m.refused_by_policy or m.status in ('sent', 'bounced') and m.sent_at is not null)
       order by m.queued_at desc limit $4) recent`,
    [tenant.accountId, tenant.environment, of.id, of.window],
    'count_mailbox_signals',
  )
  const { sample = 0, bounced = 0, refused = 0 } = rows[0] ?? {}
  return { bounces: { bad: bounced, sample }, policyRefusals: { bad: refused, sample } }
}

/** Counts a complaint on a day of the sending account's zone. */
export async function countComplaintOn(
  tx: Executor,
  tenant: Tenant,
  on: { sendingAccountId: string; now: Date },
): Promise<void> {
  await tx.execute(
    `insert into sender_days as d (account_id, environment, sending_account_id, day, claimed, complaints)
     select s.account_id, s.environment, s.id, ($4::timestamptz at time zone s.timezone)::date, 0, 1 from sending_accounts s
     where s.account_id = $1 and s.environment = $2 and s.id = $3
     on conflict (account_id, environment, sending_account_id, day) do update set complaints = d.complaints + 1`,
    [tenant.accountId, tenant.environment, on.sendingAccountId, on.now],
    'count_complaint_on',
  )
}

/** Counts results of placement tests since a time, and those in spam. Results that say nothing about the sender are left out. */
export async function countSeedPlacements(
  db: Executor,
  tenant: Tenant,
  of: { sendingAccountId: string; since: Date },
): Promise<SignalCount> {
  const rows = await db.query<SignalCount>(
    `select count(*)::int as sample, (count(*) filter (where r.placement = 'spam'))::int as bad from placement_results r
     where r.account_id = $1 and r.environment = $2 and r.sending_account_id = $3 and r.decided_at >= $4 and r.problem is null`,
    [tenant.accountId, tenant.environment, of.sendingAccountId, of.since],
    'count_seed_placements',
  )
  return rows[0] ?? { bad: 0, sample: 0 }
}

/** Counts messages and complaints since a day, of all sending accounts with the domain of this one. */
export async function countDomainComplaints(
  db: Executor,
  tenant: Tenant,
  of: { sendingAccountId: string; since: Date },
): Promise<SignalCount> {
  const rows = await db.query<SignalCount>(
    `with own as (
       select lower(split_part(email, '@', 2)) as domain from sending_accounts
       where account_id = $1 and environment = $2 and id = $3)
     select coalesce(sum(d.claimed), 0)::int as sample, coalesce(sum(d.complaints), 0)::int as bad
     from own
     join sending_accounts s on s.account_id = $1 and s.environment = $2 and lower(split_part(s.email, '@', 2)) = own.domain
     join sender_days d on d.account_id = $1 and d.environment = $2 and d.sending_account_id = s.id
       and d.day >= ($4::timestamptz at time zone s.timezone)::date`,
    [tenant.accountId, tenant.environment, of.sendingAccountId, of.since],
    'count_domain_complaints',
  )
  return rows[0] ?? { bad: 0, sample: 0 }
}
