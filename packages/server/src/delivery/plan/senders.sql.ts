import type { Executor } from '../../platform/db/database.ts'
import type { Tenant } from '../../platform/tenant.ts'
import type { Pace } from '@overture/planner/deliverability/pace.ts'
import { providerOfSender } from '@overture/ground/recipient-provider.ts'
import { utcDay, type RecipientBudget } from '@overture/planner/deliverability/recipient-budget.ts'
import { dayIn } from '@overture/ground/time/time-zone.ts'
import type { PlanSender, RampUp } from '@overture/planner/plan.types.ts'
import { budgetsOfSender } from '../../sending-accounts/index.ts'
import { queued } from './leads.sql.ts'

/** The pairs of campaign and sender with waiting leads, found by skipping through the index from sender to sender. */
export async function listWaitingSenders(
  db: Executor,
  tenant: Tenant,
  campaignIds: readonly string[],
): Promise<{ campaignId: string; senderId: string }[]> {
  return db.query(
    `select c.id as campaign_id, w.sender_id from unnest($3::text[]) c (id) cross join lateral (
       with recursive waiting as (
         (select p.sending_account_id as sender_id from lead_progress p
          where ${queued} and p.campaign_id = c.id and p.sending_account_id is not null
          order by p.sending_account_id limit 1)
         union all
         select (select p.sending_account_id from lead_progress p
           where ${queued} and p.campaign_id = c.id and p.sending_account_id > waiting.sender_id
           order by p.sending_account_id limit 1)
         from waiting where waiting.sender_id is not null)
       select sender_id from waiting where sender_id is not null) w`,
    [tenant.accountId, tenant.environment, campaignIds],
    'list_waiting_senders',
  )
}

export interface SenderRow extends Omit<PlanSender, 'claimedToday' | 'budgets'> {
  email: string
  fromName: string
  provider: 'smtp' | 'google' | 'microsoft' | 'sandbox'
  smtpHost: string | null
  signature: string | null
  replyTo: string | null
  trackingDomain: string | null
  rampUp: RampUp | null
  holdCount: number
  connectionVersion: number
}

export async function listSenderRows(db: Executor, tenant: Tenant, ids: readonly string[]): Promise<SenderRow[]> {
  const rows = await db.query<Omit<SenderRow, 'pace'> & { pace: Pace | null; usedThen: number | null }>(
    `select s.id, s.status, s.timezone, s.daily_limit, s.reserved_per_day, s.ramp_up, s.ramp_started_at, s.pace, p.claimed as used_then,
       s.min_gap_seconds,
       s.max_gap_seconds, s.next_send_at, s.send_sequence, s.held_until, s.hold_count, s.retry_at, s.email, s.from_name, s.provider,
       s.smtp->>'host' as smtp_host, s.signature, s.reply_to, s.tracking_domain, s.connection_version,
       case when s.environment = 'live' and s.provider <> 'sandbox' and (s.imap is not null or s.provider in ('google', 'microsoft'))
         then coalesce(b.read_at, s.created_at) end as inbox_read_at
     from sending_accounts s
     left join sender_days p on p.account_id = $1 and p.environment = $2 and p.sending_account_id = s.id
       and p.day = (s.pace->>'day')::date
     left join mailboxes b on b.account_id = $1 and b.environment = $2 and b.sending_account_id = s.id
     where s.account_id = $1 and s.environment = $2 and s.id = any($3)`,
    [tenant.accountId, tenant.environment, ids],
    'list_plan_senders',
  )
  return rows.map(({ usedThen, pace, ...row }) => ({ ...row, pace: pace && { ...pace, used: usedThen ?? 0 } }))
}

/** The senders with their claims of today, by the day of each sender's zone. */
export async function loadSenders(
  db: Executor,
  tenant: Tenant,
  ids: readonly string[],
  now: Date,
): Promise<(PlanSender & SenderRow)[]> {
  const rows = await listSenderRows(db, tenant, ids)
  const used = await listSenderDays(db, tenant, {
    ids: rows.map((row) => row.id),
    days: rows.map((row) => dayIn(row.timezone, now)),
    utcDay: utcDay(now),
  })
  return rows.map((row) => {
    const today = used.find((day) => day.id === row.id)
    return {
      ...row,
      mailProvider: providerOfSender(row),
      claimedToday: today?.claimed ?? 0,
      budgets: today?.budgets ?? undefined,
    }
  })
}

/**
 * Lists how many messages each sender has claimed on its day, and the recipient budgets that it shares with other senders. `days` has
 * a day per id. Budgets count the claims of a day in UTC.
 */
async function listSenderDays(
  db: Executor,
  tenant: Tenant,
  days: { ids: readonly string[]; days: readonly string[]; utcDay: string },
): Promise<{ id: string; claimed: number; budgets: RecipientBudget[] | null }[]> {
  return db.query(
    `select s.id, coalesce(d.claimed, 0) as claimed, ${budgetsOfSender('$5::date')} as budgets
     from unnest($3::text[], $4::date[]) t (id, day)
     join sending_accounts s on s.account_id = $1 and s.environment = $2 and s.id = t.id
     left join sender_days d on d.account_id = $1 and d.environment = $2 and d.sending_account_id = t.id and d.day = t.day`,
    [tenant.accountId, tenant.environment, days.ids, days.days, days.utcDay],
    'list_sender_days',
  )
}
