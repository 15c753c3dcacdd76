import type { Executor } from '../platform/db/database.ts'
import { eventColumns, type StoredEvent } from '../platform/events/feed.sql.ts'
import {
  nextBatch,
  type ReadEvents,
  type ReadFrom,
  toReadEvents,
  type ReadRow,
  whatWasRead,
} from '../platform/events/places.sql.ts'
import type { Tenant } from '../platform/tenant.ts'

/** Lists which of these accounts have a webhook. Events from before an account's first webhook have no receiver. */
export async function listAccountsWithWebhooksAcrossAccounts(
  db: Executor,
  accountIds: readonly string[],
): Promise<string[]> {
  const rows = await db.query<{ accountId: string }>(
    'select distinct account_id from webhooks where account_id = any($1)',
    [accountIds],
    'list_accounts_with_webhooks',
  )
  return rows.map(({ accountId }) => accountId)
}

/**
 * Turns the next events of an account into deliveries and moves its place, in one statement, so that neither a crash nor a
 * second worker loses or doubles a delivery. Also returns the webhooks of these deliveries, which are woken in the same
 * transaction.
 */
export async function fanOutEvents(
  tx: Executor,
  tenant: Tenant,
  { place, limit }: ReadFrom,
): Promise<ReadEvents & { webhookIds: string[] }> {
  const rows = await tx.query<ReadRow & { webhookIds: string[] }>(
    `with ${nextBatch('webhooks', 'e.id, e.type, e.campaign_id, e.tx_id, e.position')}, inserted as (
       insert into webhook_deliveries (account_id, environment, webhook_id, id, event_id, event_type, tx_id, position, status,
         next_attempt_at, created_at)
       select w.account_id, w.environment, w.id, 'dlv_' || substr(b.id, 5) || '_' || substr(w.id, 5), b.id, b.type, b.tx_id,
         b.position, 'pending', now(), date_trunc('milliseconds', now())
       from placed, batch b, webhooks w where w.account_id = $1 and w.environment = $2
         and w.enabled and b.tx_id > w.since_tx
         and (cardinality(w.events) = 0 or '*' = any(w.events) or b.type = any(w.events))
         and (cardinality(w.campaign_ids) = 0 or b.campaign_id = any(w.campaign_ids))
       on conflict do nothing returning webhook_id
     )
     select r.*, array(select distinct i.webhook_id from inserted i) as webhook_ids from (${whatWasRead}) r`,
    [tenant.accountId, tenant.environment, place.txId, place.position, limit],
    'fan_out_events',
  )
  return { ...toReadEvents(rows), webhookIds: rows[0]?.webhookIds ?? [] }
}

/** Makes webhooks due after deliveries were written for them. Waits for a worker that is releasing one of them. */
export async function updateWebhooksDue(tx: Executor, tenant: Tenant, webhookIds: readonly string[]): Promise<void> {
  await tx.execute(
    `update webhooks set next_attempt_at = least(next_attempt_at, now())
     where account_id = $1 and environment = $2 and id = any($3)`,
    [tenant.accountId, tenant.environment, webhookIds],
    'update_webhooks_due',
  )
}

/** An endpoint that a worker has claimed. While the lease lasts no other worker delivers to it, which keeps the order. */
export interface ClaimedWebhook {
  accountId: string
  environment: Tenant['environment']
  id: string
  url: string
  secret: Buffer
  previousSecret: Buffer | null
  failingSince: Date | null
  leaseToken: string
}

type WebhookKey = Pick<ClaimedWebhook, 'accountId' | 'environment' | 'id'>

const due = `enabled and next_attempt_at <= now() and (lease_until is null or lease_until < now())`

/** Lists due webhooks, the longest waiting first. */
export async function listDueWebhooksAcrossAccounts(
  db: Executor,
  { failingToo, limit }: { failingToo: boolean; limit: number },
): Promise<WebhookKey[]> {
  return db.query<WebhookKey>(
    `select account_id, environment, id from webhooks where ${due} and ($1 or failing_since is null)
     order by next_attempt_at limit $2`,
    [failingToo, limit],
    'list_due_webhooks',
  )
}

/** Claims a webhook. Returns null if another worker claimed it first. */
export async function claimDueWebhook(
  db: Executor,
  { accountId, environment, id }: WebhookKey,
  claim: { leaseToken: string; leaseMs: number; failingToo: boolean },
): Promise<ClaimedWebhook | null> {
  const rows = await db.query<ClaimedWebhook>(
    `with taken as (
       update webhooks w set lease_token = $4::uuid, lease_until = now() + $5::int * interval '1 millisecond'
       from (select id from webhooks where account_id = $1 and environment = $2 and id = $3 and ${due}
         and ($6 or failing_since is null) for update skip locked) free
       where w.account_id = $1 and w.environment = $2 and w.id = free.id
       returning w.account_id, w.environment, w.id, w.url, w.secret, w.failing_since, w.lease_token::text as lease_token,
         w.previous_secret, w.previous_secret_until)
     select t.account_id, t.environment, t.id, t.url, t.secret, t.failing_since, t.lease_token,
       case when t.previous_secret_until > now() then t.previous_secret end as previous_secret
     from taken t`,
    [accountId, environment, id, claim.leaseToken, claim.leaseMs, claim.failingToo],
    'claim_due_webhook',
  )
  return rows[0] ?? null
}

/** Renews the lease. Returns false if it was lost; the worker must then stop. */
export async function renewLease(db: Executor, webhook: ClaimedWebhook, leaseMs: number): Promise<boolean> {
  const count = await db.execute(
    `update webhooks set lease_until = now() + $5::int * interval '1 millisecond'
     where account_id = $1 and environment = $2 and id = $3 and lease_token = $4::uuid and enabled`,
    [webhook.accountId, webhook.environment, webhook.id, webhook.leaseToken, leaseMs],
    'renew_webhook_lease',
  )
  return count === 1
}

export interface DueDelivery extends StoredEvent {
  deliveryId: string
  deliveryEventId: string
  attempts: number
  testBody: unknown
}

// True only while the endpoint is enabled and claimed by this worker.
const held = `exists (select 1 from webhooks w where w.account_id = $1 and w.environment = $2 and w.id = $3 and w.enabled
  and w.lease_token = $4::uuid)`
// A delivery that waits for its first retry (5 s) delays later deliveries, so a short outage keeps the order. After that it no
// longer delays them, so an event that a receiver never accepts does not stop the others.
const eligible = `d.account_id = $1 and d.environment = $2 and d.webhook_id = $3 and d.status = 'pending'
  and d.next_attempt_at <= now() and coalesce((d.tx_id, d.position) < (
    select h.tx_id, h.position from webhook_deliveries h
    where h.account_id = $1 and h.environment = $2 and h.webhook_id = $3 and h.status = 'pending' and h.attempts = 1
      and h.next_attempt_at > now()
    order by h.tx_id, h.position limit 1), true)`

export async function listDueDeliveries(db: Executor, webhook: ClaimedWebhook, limit: number): Promise<DueDelivery[]> {
  return db.query<DueDelivery>(
    `select d.id as delivery_id, d.event_id as delivery_event_id, d.attempts, d.test_body, ${eventColumns}
     from (select * from webhook_deliveries d where ${held} and ${eligible} order by d.tx_id, d.position limit $5) d
     left join events e on e.account_id = $1 and e.environment = $2 and e.tx_id = d.tx_id and e.position = d.position and e.id = d.event_id
     order by d.tx_id, d.position`,
    [webhook.accountId, webhook.environment, webhook.id, webhook.leaseToken, limit],
    'list_due_deliveries',
  )
}

export interface DeliveryRecord {
  deliveryId: string
  status: 'pending' | 'succeeded' | 'failed'
  /** Null: no retry. */
  delayMs: number | null
  responseStatus: number | null
  excerpt: string | null
  error: string | null
  durationMs: number
  at: Date
}

const attemptLogMax = 20

/** Stores the results of deliveries if the lease is still held. Returns their number, 0 if the lease was lost. */
export async function recordAttempts(
  tx: Executor,
  webhook: ClaimedWebhook,
  records: readonly DeliveryRecord[],
): Promise<number> {
  const rows = records.map((record) => ({
    id: record.deliveryId,
    status: record.status,
    delay_ms: record.delayMs,
    response_status: record.responseStatus,
    excerpt: record.excerpt,
    error: record.error,
    duration_ms: record.durationMs,
    at: record.at.toISOString(),
    entry: [
      {
        at: record.at.toISOString(),
        responseStatus: record.responseStatus,
        durationMs: record.durationMs,
        error: record.error,
      },
    ],
  }))
  return tx.execute(
    `update webhook_deliveries d set status = r.status, attempts = d.attempts + 1, last_attempt_at = r.at,
       next_attempt_at = r.next_at, response_status = r.response_status,
       response_excerpt = r.excerpt, error = r.error, duration_ms = r.duration_ms,
       delivered_at = case when r.status = 'succeeded' then r.at else d.delivered_at end,
       attempt_log = case when jsonb_array_length(d.attempt_log) >= ${attemptLogMax} then d.attempt_log - 0 else d.attempt_log end
         || r.entry
     from (select r.*, now() + r.delay_ms * interval '1 millisecond' as next_at
       from jsonb_to_recordset($5::jsonb) as r (id text, status text, delay_ms bigint, response_status integer, excerpt text,
         error text, duration_ms integer, at timestamptz, entry jsonb)) r, webhooks w
     where w.account_id = $1 and w.environment = $2 and w.id = $3 and w.lease_token = $4::uuid
       and d.account_id = $1 and d.environment = $2 and d.webhook_id = $3 and d.id = r.id`,
    [webhook.accountId, webhook.environment, webhook.id, webhook.leaseToken, JSON.stringify(rows)],
    'record_webhook_attempts',
  )
}

/** Stores whether the endpoint works. Returns for how long it has been failing, by the database's clock. */
export async function updateWebhookHealth(tx: Executor, webhook: ClaimedWebhook, works: boolean): Promise<number> {
  const rows = await tx.query<{ failingMs: number }>(
    `with changed as (
       update webhooks set status = case when $4 then 'active' else 'failing' end,
         failing_since = case when $4 then null else coalesce(failing_since, (select now())) end
       where account_id = $1 and environment = $2 and id = $3 and enabled
       returning failing_since)
     select coalesce(extract(epoch from now() - failing_since) * 1000, 0)::float8 as failing_ms from changed`,
    [webhook.accountId, webhook.environment, webhook.id, works],
    'update_webhook_health',
  )
  return rows[0]?.failingMs ?? 0
}

export async function disableWebhook(tx: Executor, webhook: ClaimedWebhook, reason: string): Promise<boolean> {
  const count = await tx.execute(
    `update webhooks set enabled = false, status = 'disabled', status_reason = $4, updated_at = now(), next_attempt_at = null
     where account_id = $1 and environment = $2 and id = $3 and enabled`,
    [webhook.accountId, webhook.environment, webhook.id, reason],
  )
  return count === 1
}

/**
 * Releases the endpoint, due when its next delivery is due. Call it in a transaction. The row is locked first: either this
 * statement sees a delivery that was added concurrently, or the writer of that delivery waits and sets the time itself.
 */
export async function releaseWebhook(tx: Executor, webhook: ClaimedWebhook): Promise<void> {
  const values = [webhook.accountId, webhook.environment, webhook.id]
  await tx.query(`select 1 from webhooks where account_id = $1 and environment = $2 and id = $3 for update`, values)
  await tx.execute(
    `update webhooks w set lease_token = null, lease_until = null,
       next_attempt_at = case when exists (select 1 from webhook_deliveries d where ${eligible}) then (select now())
         else (select min(p.next_attempt_at) from webhook_deliveries p where p.account_id = $1 and p.environment = $2
           and p.webhook_id = $3 and p.status = 'pending' and p.next_attempt_at > now()) end
     where w.account_id = $1 and w.environment = $2 and w.id = $3 and w.lease_token = $4::uuid`,
    [...values, webhook.leaseToken],
    'release_webhook',
  )
}
