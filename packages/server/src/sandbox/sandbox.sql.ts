import type { SandboxMessage } from '@overture/contract/sandbox.ts'
import type { Executor } from '../platform/db/database.ts'
import type { Tenant } from '../platform/tenant.ts'
import type { DayCount, SandboxClock } from './clock.ts'

/** The account's clock, made on first use, locked until the transaction ends. */
export async function lockClock(db: Executor, tenant: Tenant): Promise<SandboxClock> {
  const [row] = await db.query<SandboxClock>(
    `insert into sandbox_clocks (account_id) values ($1)
     on conflict (account_id) do update set account_id = excluded.account_id returning offset_ms, frozen_at`,
    [tenant.accountId],
  )
  return row ?? { offsetMs: 0, frozenAt: null }
}

export async function updateClock(db: Executor, tenant: Tenant, clock: SandboxClock): Promise<void> {
  await db.execute('update sandbox_clocks set offset_ms = $2, frozen_at = $3 where account_id = $1', [
    tenant.accountId,
    clock.offsetMs,
    clock.frozenAt,
  ])
}

export interface RunRow {
  fromAt: Date
  targetAt: Date
  wasFrozen: boolean
  eventsAfter: number
  leaseToken: string
  leaseUntil: Date
}

export async function findRun(db: Executor, tenant: Tenant): Promise<RunRow | null> {
  const [row] = await db.query<RunRow>(
    `select from_at, target_at, was_frozen, events_after, lease_token, lease_until from sandbox_runs
     where account_id = $1`,
    [tenant.accountId],
    'find_sandbox_run',
  )
  return row ?? null
}

/** Begins a run, or takes over one whose holder is gone; null: somebody is at it. `realNow` is the machine's time. */
export async function insertRun(
  db: Executor,
  tenant: Tenant,
  run: Omit<RunRow, 'eventsAfter'> & { realNow: Date },
): Promise<RunRow | null> {
  const [row] = await db.query<RunRow>(
    `insert into sandbox_runs as r (account_id, from_at, target_at, was_frozen, events_after, lease_token, lease_until)
     values ($1, $3, $4, $5,
       (select coalesce(max(position), 0) from events where account_id = $1 and environment = $2), $6, $7)
     on conflict (account_id) do update set from_at = excluded.from_at, target_at = excluded.target_at,
       events_after = excluded.events_after, lease_token = excluded.lease_token, lease_until = excluded.lease_until
     where r.lease_until < $8
     returning from_at, target_at, was_frozen, events_after, lease_token, lease_until`,
    [
      tenant.accountId,
      tenant.environment,
      run.fromAt,
      run.targetAt,
      run.wasFrozen,
      run.leaseToken,
      run.leaseUntil,
      run.realNow,
    ],
  )
  return row ?? null
}

/** Takes the lease of a run that nobody moves any more. */
export async function leaseAbandonedRun(
  db: Executor,
  tenant: Tenant,
  lease: { token: string; until: Date; realNow: Date },
): Promise<RunRow | null> {
  const [row] = await db.query<RunRow>(
    `update sandbox_runs set lease_token = $2, lease_until = $3 where account_id = $1 and lease_until < $4
     returning from_at, target_at, was_frozen, events_after, lease_token, lease_until`,
    [tenant.accountId, lease.token, lease.until, lease.realNow],
  )
  return row ?? null
}

/** Moves the clock of a run and renews its lease; false: the lease is somebody else's by now. */
export async function moveClock(
  db: Executor,
  tenant: Tenant,
  move: { at: Date; leaseToken: string; leaseUntil: Date },
): Promise<boolean> {
  const count = await db.execute(
    `with run as (update sandbox_runs set lease_until = $4 where account_id = $1 and lease_token = $3 returning account_id)
     update sandbox_clocks c set frozen_at = $2 from run where c.account_id = run.account_id`,
    [tenant.accountId, move.at, move.leaseToken, move.leaseUntil],
    'move_sandbox_clock',
  )
  return count > 0
}

export async function deleteRun(db: Executor, tenant: Tenant, leaseToken: string): Promise<boolean> {
  const count = await db.execute('delete from sandbox_runs where account_id = $1 and lease_token = $2', [
    tenant.accountId,
    leaseToken,
  ])
  return count > 0
}

export interface NextInstants {
  planAt: Date | null
  jobAt: Date | null
  messageAt: Date | null
  settleAt: Date | null
  /** Claims under a lease: nothing may pass them by. */
  claimed: boolean
  planning: boolean
}

/** When each part of the engine has something to do next, in one round trip. */
export async function findNextInstants(db: Executor, tenant: Tenant): Promise<NextInstants> {
  const [row] = await db.query<NextInstants>(
    `select
       (select next_plan_at from planning where account_id = $1 and environment = $2) as plan_at,
       coalesce((select lease_until > now() from planning where account_id = $1 and environment = $2), false) as planning,
       (select min(run_at) from jobs
        where account_id = $1 and environment = $2 and dead_at is null and clock = 'tenant') as job_at,
       (select min(attempt_at) from messages
        where account_id = $1 and environment = $2 and attempt_at is not null) as message_at,
       (select min(settle_at) from messages
        where account_id = $1 and environment = $2 and settle_at is not null) as settle_at,
       exists (select 1 from messages
        where account_id = $1 and environment = $2 and lease_until is not null) as claimed`,
    [tenant.accountId, tenant.environment],
    'find_next_instants',
  )
  return row ?? { planAt: null, jobAt: null, messageAt: null, settleAt: null, claimed: false, planning: false }
}

/** Counts the events of a run by day (UTC) under the names of the statistics. */
export async function countRunEvents(
  db: Executor,
  tenant: Tenant,
  range: { after: number; from: Date; to: Date },
): Promise<DayCount[]> {
  return db.query<DayCount>(
    `select to_char(occurred_at at time zone 'UTC', 'YYYY-MM-DD') as date, name, count(*) as count
     from (
       select occurred_at, case
         when type = 'message.sent' and data->>'kind' = 'campaign' then 'sent'
         when type = 'message.opened' and data->>'machine' is distinct from 'true' then 'opened'
         when type = 'message.clicked' and data->>'machine' is distinct from 'true' then 'clicked'
         when type = 'reply.received' then 'replied'
         when type = 'reply.auto_received' then 'autoReplied'
         when type = 'message.bounced' then 'bounced'
         when type = 'lead.unsubscribed' then 'unsubscribed'
         when type = 'meeting.booked' then 'meetingsBooked'
         when type = 'lead.interest_changed' and data->>'to' = 'interested' then 'interested'
       end as name
       from events
       where account_id = $1 and environment = $2 and position > $3 and occurred_at >= $4 and occurred_at <= $5
     ) counted
     where name is not null group by 1, 2`,
    [tenant.accountId, tenant.environment, range.after, range.from, range.to],
  )
}

export interface DeliveredRow {
  id: string
  campaignId: string | null
  leadId: string | null
  kind: string
  /** The how-manieth message of a campaign to this lead, this one included. */
  ordinal: number
}

/** Puts a message of ours into the recipient's simulated mailbox. Null: no such message. */
export async function insertDelivered(
  db: Executor,
  tenant: Tenant,
  row: {
    id: string
    messageId: string
    sendingAccountId: string
    from: string
    to: readonly string[]
    raw: Buffer
    at: Date
  },
): Promise<DeliveredRow | null> {
  const [delivered] = await db.query<DeliveredRow>(
    `with message as (
       select id, campaign_id, lead_id, step_id, subject, rfc_message_id, kind from messages
       where account_id = $1 and environment = $2 and id = $4
     ), mailbox as (
       insert into sandbox_messages (account_id, environment, id, direction, message_id, campaign_id, lead_id, step_id,
         sending_account_id, from_email, to_emails, subject, rfc_message_id, raw, at)
       select $1, $2, $3, 'to_prospect', id, campaign_id, lead_id, step_id, $5, $6, $7, subject, rfc_message_id, $8, $9
       from message returning id
     )
     select mailbox.id, message.campaign_id, message.lead_id, message.kind,
       1 + (select count(*) from sandbox_messages s
        where s.account_id = $1 and s.environment = $2 and s.lead_id = message.lead_id and s.direction = 'to_prospect'
          and s.step_id is not null) as ordinal
     from message, mailbox`,
    [
      tenant.accountId,
      tenant.environment,
      row.id,
      row.messageId,
      row.sendingAccountId,
      row.from,
      row.to,
      row.raw,
      row.at,
    ],
    'insert_sandbox_delivered',
  )
  return delivered ?? null
}

/** A message of ours as its recipient would answer it. */
export interface AnswerableRow {
  messageId: string
  campaignId: string | null
  leadId: string | null
  sendingAccountId: string
  senderEmail: string
  senderName: string | null
  address: string
  subject: string
  rfcMessageId: string
  refs: string[]
  text: string | null
  raw: Buffer
  sentAt: Date
}

const answerable = `select m.id as message_id, m.campaign_id, m.lead_id, m.sending_account_id, s.email as sender_email,
    s.from_name as sender_name, b.to_emails[1] as address, m.subject, m.rfc_message_id, m.refs, m.text, b.raw, b.at as sent_at
  from sandbox_messages b
  join messages m on m.account_id = b.account_id and m.environment = b.environment and m.id = b.message_id
  join sending_accounts s on s.account_id = m.account_id and s.environment = m.environment and s.id = m.sending_account_id`

export async function findAnswerable(db: Executor, tenant: Tenant, id: string): Promise<AnswerableRow | null> {
  const [row] = await db.query<AnswerableRow>(
    `${answerable} where b.account_id = $1 and b.environment = $2 and b.id = $3 and b.direction = 'to_prospect'`,
    [tenant.accountId, tenant.environment, id],
    'find_answerable',
  )
  return row ?? null
}

/** The last message that reached a lead. */
export async function findLastAnswerable(db: Executor, tenant: Tenant, leadId: string): Promise<AnswerableRow | null> {
  const [row] = await db.query<AnswerableRow>(
    `${answerable} where b.account_id = $1 and b.environment = $2 and b.lead_id = $3 and b.direction = 'to_prospect'
     order by b.position desc limit 1`,
    [tenant.accountId, tenant.environment, leadId],
  )
  return row ?? null
}

export async function hasLead(db: Executor, tenant: Tenant, leadId: string): Promise<boolean> {
  const rows = await db.query(`select 1 from leads where account_id = $1 and environment = $2 and id = $3`, [
    tenant.accountId,
    tenant.environment,
    leadId,
  ])
  return rows.length > 0
}

/** Keeps what a prospect sent; answers its place in the order of arrival. */
export async function insertAnswer(
  db: Executor,
  tenant: Tenant,
  row: { id: string; answered: AnswerableRow; raw: Buffer; subject: string; at: Date },
): Promise<number> {
  const [inserted] = await db.query<{ position: number }>(
    `insert into sandbox_messages (account_id, environment, id, direction, campaign_id, lead_id, sending_account_id,
       from_email, to_emails, subject, raw, at)
     values ($1, $2, $3, 'from_prospect', $4, $5, $6, $7, array[$8], $9, $10, $11)
     on conflict (account_id, environment, id) do update set id = excluded.id
     returning position`,
    [
      tenant.accountId,
      tenant.environment,
      row.id,
      row.answered.campaignId,
      row.answered.leadId,
      row.answered.sendingAccountId,
      row.answered.address,
      row.answered.senderEmail,
      row.subject,
      row.raw,
      row.at,
    ],
    'insert_sandbox_answer',
  )
  return inserted?.position ?? 0
}

/** Whether a message reached its simulated mailbox: what the Sent folder is to a real one. */
export async function hasDelivered(db: Executor, tenant: Tenant, rfcMessageId: string): Promise<boolean> {
  const rows = await db.query(
    `select 1 from sandbox_messages where account_id = $1 and environment = $2 and rfc_message_id = $3 limit 1`,
    [tenant.accountId, tenant.environment, rfcMessageId],
  )
  return rows.length > 0
}

export interface MailboxFilter {
  campaignId: string | null
  leadId: string | null
  sendingAccountId: string | null
  direction: string | null
}

export interface MailboxRow extends Omit<SandboxMessage, 'at'> {
  position: number
  at: Date
}

const mailboxColumns = `id, position, direction, message_id, campaign_id, lead_id, step_id, sending_account_id,
  from_email as "from", to_emails as "to", subject, octet_length(raw) as size_bytes, at`
const filtered = `account_id = $1 and environment = $2 and ($3::text is null or campaign_id = $3)
  and ($4::text is null or lead_id = $4) and ($5::text is null or sending_account_id = $5)
  and ($6::text is null or direction = $6)`

/** Newest first. */
export async function listMailbox(
  db: Executor,
  tenant: Tenant,
  page: MailboxFilter & { before: number | null; offset: number; limit: number },
): Promise<MailboxRow[]> {
  return db.query<MailboxRow>(
    `select ${mailboxColumns} from sandbox_messages where ${filtered} and ($7::bigint is null or position < $7)
     order by position desc limit $8 offset $9`,
    [...filterValues(tenant, page), page.before, page.limit, page.offset],
  )
}

export async function countMailbox(db: Executor, tenant: Tenant, filter: MailboxFilter): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    `select count(*) as count from sandbox_messages where ${filtered}`,
    filterValues(tenant, filter),
  )
  return row?.count ?? 0
}

export async function findMailboxMessage(
  db: Executor,
  tenant: Tenant,
  id: string,
): Promise<(MailboxRow & { raw: Buffer }) | null> {
  const [row] = await db.query<MailboxRow & { raw: Buffer }>(
    `select ${mailboxColumns}, raw from sandbox_messages where account_id = $1 and environment = $2 and id = $3`,
    [tenant.accountId, tenant.environment, id],
  )
  return row ?? null
}

function filterValues(tenant: Tenant, filter: MailboxFilter): unknown[] {
  return [
    tenant.accountId,
    tenant.environment,
    filter.campaignId,
    filter.leadId,
    filter.sendingAccountId,
    filter.direction,
  ]
}

/** The account's clock; one that was never moved ticks like a real one. */
export async function findClock(db: Executor, tenant: Tenant): Promise<SandboxClock> {
  const [row] = await db.query<SandboxClock>('select offset_ms, frozen_at from sandbox_clocks where account_id = $1', [
    tenant.accountId,
  ])
  return row ?? { offsetMs: 0, frozenAt: null }
}
