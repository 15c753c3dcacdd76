import type { SenderProvider, SenderStatus } from '@overture/contract/sending-accounts/sending-accounts.ts'
import type { Executor } from '../platform/db/database.ts'
import type { RowRange } from '../platform/http/paging.ts'
import { hasTag, tagIdsColumn } from '../tags/index.ts'
import type { Tenant } from '../platform/tenant.ts'
import type { Sender, SenderSettings } from './sending-account.ts'

const ownColumns = `id, email, from_name, provider, smtp, imap, status, status_reason, status_advice, last_error, daily_limit,
  reserved_per_day, min_gap_seconds, max_gap_seconds, timezone, signature, reply_to, tracking_domain, ramp_up,
  ramp_started_at, pace, require_authentication, authentication_wrong_since, ignore_mail, health,
  next_send_at, send_sequence, connection_version, held_until, hold_count,
  retry_at, retry_count, tenant_connection_id, created_at, updated_at`
const columns = `${ownColumns}, ${tagIdsColumn('id')}`

export async function findSender(db: Executor, tenant: Tenant, id: string): Promise<Sender | null> {
  const rows = await db.query<Sender>(
    `select ${columns} from sending_accounts where account_id = $1 and environment = $2 and id = $3`,
    [tenant.accountId, tenant.environment, id],
    'find_sender',
  )
  return rows[0] ?? null
}

export type SenderWithSecrets = Sender & { secrets: Buffer | null }

/** Reads senders with their secrets in one statement, so that a password is never combined with another server than its own. */
export async function listSendersWithSecrets(
  db: Executor,
  tenant: Tenant,
  ids: readonly string[],
): Promise<SenderWithSecrets[]> {
  return db.query<SenderWithSecrets>(
    `select ${columns}, secrets from sending_accounts where account_id = $1 and environment = $2 and id = any($3)`,
    [tenant.accountId, tenant.environment, ids],
    'list_senders_with_secrets',
  )
}

export async function lockSender(tx: Executor, tenant: Tenant, id: string): Promise<Sender | null> {
  const rows = await tx.query<Sender>(
    `select ${columns} from sending_accounts where account_id = $1 and environment = $2 and id = $3 for update`,
    [tenant.accountId, tenant.environment, id],
    'lock_sender',
  )
  return rows[0] ?? null
}

export async function findSenderByEmail(db: Executor, tenant: Tenant, email: string): Promise<Sender | null> {
  const rows = await db.query<Sender>(
    `select ${columns} from sending_accounts where account_id = $1 and environment = $2 and lower(email) = lower($3)`,
    [tenant.accountId, tenant.environment, email],
  )
  return rows[0] ?? null
}

/** Lists all senders of a tenant, or the existing ones of `ids`, oldest first. */
export async function listSenders(db: Executor, tenant: Tenant, ids?: readonly string[]): Promise<Sender[]> {
  return db.query<Sender>(
    `select ${columns} from sending_accounts
     where account_id = $1 and environment = $2 and ($3::text[] is null or id = any($3)) order by id`,
    [tenant.accountId, tenant.environment, ids ?? null],
    'list_senders',
  )
}

interface SenderFilter {
  status: SenderStatus | null
  provider: SenderProvider | null
  /** A pattern for `like`, lower case, already escaped. */
  pattern: string | null
  tagId: string | null
}

const matching = `account_id = $1 and environment = $2 and ($3::text is null or status = $3)
  and ($4::text is null or provider = $4) and ($5::text is null or lower(email) like $5 or lower(from_name) like $5)
  and ${hasTag('$6', 'id')}`

/** Lists senders newest first. */
export async function listSendersPage(
  db: Executor,
  tenant: Tenant,
  filter: SenderFilter,
  range: RowRange<string>,
): Promise<Sender[]> {
  return db.query<Sender>(
    `select ${columns} from sending_accounts where ${matching} and ($7::text is null or id < $7)
     order by id desc limit $8 offset $9`,
    [
      tenant.accountId,
      tenant.environment,
      filter.status,
      filter.provider,
      filter.pattern,
      filter.tagId,
      range.after,
      range.limit,
      range.offset,
    ],
  )
}

export async function countSenders(db: Executor, tenant: Tenant, filter: SenderFilter): Promise<number> {
  const rows = await db.query<{ count: number }>(
    `select count(*)::int as count from sending_accounts where ${matching}`,
    [tenant.accountId, tenant.environment, filter.status, filter.provider, filter.pattern, filter.tagId],
  )
  return rows[0]?.count ?? 0
}

/** Counts claims of the given days by sender. */
export async function listSentOn(
  db: Executor,
  tenant: Tenant,
  days: readonly { id: string; day: string }[],
): Promise<Map<string, number>> {
  const rows = await db.query<{ id: string; claimed: number }>(
    `select d.sending_account_id as id, d.claimed from unnest($3::text[], $4::date[]) as asked (id, day)
     join sender_days d on d.account_id = $1 and d.environment = $2 and d.sending_account_id = asked.id and d.day = asked.day`,
    [tenant.accountId, tenant.environment, days.map((entry) => entry.id), days.map((entry) => entry.day)],
    'list_sent_on',
  )
  return new Map(rows.map((row) => [row.id, row.claimed]))
}

interface NewSenderRow extends SenderSettings {
  id: string
  provider: SenderProvider
  status: SenderStatus
  statusReason: string | null
  secrets: Buffer | null
  tenantConnectionId: string | null
  now: Date
}

/** Returns null if a transaction that just committed took the address. Other work of this transaction stays. */
export async function insertSender(tx: Executor, tenant: Tenant, row: NewSenderRow): Promise<Sender | null> {
  const rows = await tx.query<Sender>(
    `with changed as (
     insert into sending_accounts (account_id, environment, id, email, from_name, provider, smtp, imap, secrets, status,
       status_reason, daily_limit, min_gap_seconds, max_gap_seconds, timezone, signature, reply_to, tracking_domain,
       ramp_up, ramp_started_at, tenant_connection_id, created_at, updated_at, reserved_per_day, ignore_mail,
       require_authentication)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $22, $21, $21, $23, $24, $25)
     on conflict (account_id, environment, lower(email)) do nothing returning ${ownColumns})
     select ${columns} from changed`,
    [
      tenant.accountId,
      tenant.environment,
      row.id,
      row.email,
      row.fromName,
      row.provider,
      json(row.smtp),
      json(row.imap),
      row.secrets,
      row.status,
      row.statusReason,
      row.dailyLimit,
      row.minGapSeconds,
      row.maxGapSeconds,
      row.timezone,
      row.signature,
      row.replyTo,
      row.trackingDomain,
      json(row.rampUp),
      row.rampStartedAt,
      row.now,
      row.tenantConnectionId,
      row.reservedPerDay,
      json(row.ignoreMail),
      row.requireAuthentication,
    ],
  )
  return rows[0] ?? null
}

export async function updateSenderSettings(
  tx: Executor,
  tenant: Tenant,
  row: SenderSettings & Pick<Sender, 'pace'> & { id: string; secrets: Buffer | null; reconnects: boolean; now: Date },
): Promise<Sender> {
  const rows = await tx.query<Sender>(
    `with changed as (
     update sending_accounts set email = $4, from_name = $5, smtp = $6, imap = $7, secrets = $8, daily_limit = $9,
       min_gap_seconds = $10, max_gap_seconds = $11, timezone = $12, signature = $13, reply_to = $14,
       tracking_domain = $15, ramp_up = $16, ramp_started_at = $17, updated_at = $18,
       connection_version = connection_version + $19, reserved_per_day = $20, ignore_mail = $21,
       require_authentication = $22, pace = $23
     where account_id = $1 and environment = $2 and id = $3 returning ${ownColumns})
     select ${columns} from changed`,
    [
      tenant.accountId,
      tenant.environment,
      row.id,
      row.email,
      row.fromName,
      json(row.smtp),
      json(row.imap),
      row.secrets,
      row.dailyLimit,
      row.minGapSeconds,
      row.maxGapSeconds,
      row.timezone,
      row.signature,
      row.replyTo,
      row.trackingDomain,
      json(row.rampUp),
      row.rampStartedAt,
      row.now,
      row.reconnects ? 1 : 0,
      row.reservedPerDay,
      json(row.ignoreMail),
      row.requireAuthentication,
      json(row.pace),
    ],
  )
  return rows[0] as Sender
}

/** Moves a sender to another provider. */
export async function updateSenderProvider(
  tx: Executor,
  tenant: Tenant,
  row: Pick<NewSenderRow, 'id' | 'provider' | 'smtp' | 'imap' | 'now'>,
): Promise<Sender> {
  const rows = await tx.query<Sender>(
    `with changed as (
     update sending_accounts set provider = $4, smtp = $5, imap = $6, updated_at = $7
     where account_id = $1 and environment = $2 and id = $3 returning ${ownColumns})
     select ${columns} from changed`,
    [tenant.accountId, tenant.environment, row.id, row.provider, json(row.smtp), json(row.imap), row.now],
    'update_sender_provider',
  )
  return rows[0] as Sender
}

export async function findSenderSecrets(db: Executor, tenant: Tenant, id: string): Promise<Buffer | null> {
  const rows = await db.query<{ secrets: Buffer | null }>(
    'select secrets from sending_accounts where account_id = $1 and environment = $2 and id = $3',
    [tenant.accountId, tenant.environment, id],
    'find_sender_secrets',
  )
  return rows[0]?.secrets ?? null
}

export async function updateSenderSecrets(tx: Executor, tenant: Tenant, id: string, secrets: Buffer): Promise<void> {
  await tx.execute('update sending_accounts set secrets = $4 where account_id = $1 and environment = $2 and id = $3', [
    tenant.accountId,
    tenant.environment,
    id,
    secrets,
  ])
}

export async function updateSenderHealth(
  tx: Executor,
  tenant: Tenant,
  id: string,
  health: Sender['health'],
): Promise<void> {
  await tx.execute('update sending_accounts set health = $4 where account_id = $1 and environment = $2 and id = $3', [
    tenant.accountId,
    tenant.environment,
    id,
    json(health),
  ])
}

export async function deleteSender(tx: Executor, tenant: Tenant, id: string): Promise<void> {
  await tx.execute('delete from sending_accounts where account_id = $1 and environment = $2 and id = $3', [
    tenant.accountId,
    tenant.environment,
    id,
  ])
}

export async function findAccountTimezone(db: Executor, tenant: Tenant): Promise<string> {
  const rows = await db.query<{ defaultTimezone: string }>(
    'select default_timezone from accounts where account_id = $1',
    [tenant.accountId],
  )
  return rows[0]?.defaultTimezone ?? 'UTC'
}

/** Lists raw bounces of this sender, newest first. The headers that they quote show how the provider signs. */
export async function listQuotingMail(db: Executor, tenant: Tenant, id: string, limit: number): Promise<Buffer[]> {
  const rows = await db.query<{ raw: Buffer }>(
    `select raw from messages where account_id = $1 and environment = $2 and sending_account_id = $3
       and direction = 'inbound' and kind = 'bounce' and raw is not null
     order by received_at desc limit $4`,
    [tenant.accountId, tenant.environment, id, limit],
  )
  return rows.map((row) => row.raw)
}

function json(value: unknown): string | null {
  return value === null || value === undefined ? null : JSON.stringify(value)
}
