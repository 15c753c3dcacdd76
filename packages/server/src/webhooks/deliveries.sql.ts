import type { WebhookDelivery } from '@overture/contract/webhooks/webhooks.ts'
import type { Executor } from '../platform/db/database.ts'
import type { RowRange, TimeAndId } from '../platform/http/paging.ts'
import type { Tenant } from '../platform/tenant.ts'

export interface DeliveryRow {
  id: string
  webhookId: string
  eventId: string
  eventType: string
  status: WebhookDelivery['status']
  attempts: number
  nextAttemptAt: Date | null
  lastAttemptAt: Date | null
  deliveredAt: Date | null
  responseStatus: number | null
  responseExcerpt: string | null
  error: string | null
  durationMs: number | null
  attemptLog: WebhookDelivery['attemptLog']
  createdAt: Date
}

const columns = `id, webhook_id, event_id, event_type, status, attempts, next_attempt_at, last_attempt_at, delivered_at,
  response_status, response_excerpt, error, duration_ms, attempt_log, created_at`
const ours = 'account_id = $1 and environment = $2 and webhook_id = $3'

interface DeliveryFilter {
  webhookId: string
  status: string | null
  eventId: string | null
}

export async function listDeliveries(
  db: Executor,
  tenant: Tenant,
  filter: DeliveryFilter,
  range: RowRange<TimeAndId>,
): Promise<DeliveryRow[]> {
  return db.query<DeliveryRow>(
    `select ${columns} from webhook_deliveries where ${ours} and ($4::text is null or status = $4)
       and ($5::text is null or event_id = $5) and ($6::timestamptz is null or (created_at, id) < ($6, $7))
     order by created_at desc, id desc limit $8 offset $9`,
    [
      tenant.accountId,
      tenant.environment,
      filter.webhookId,
      filter.status,
      filter.eventId,
      range.after?.at ?? null,
      range.after?.id ?? null,
      range.limit,
      range.offset,
    ],
  )
}

export async function countDeliveries(db: Executor, tenant: Tenant, filter: DeliveryFilter): Promise<number> {
  const rows = await db.query<{ count: number }>(
    `select count(*)::int as count from webhook_deliveries where ${ours} and ($4::text is null or status = $4)
       and ($5::text is null or event_id = $5)`,
    [tenant.accountId, tenant.environment, filter.webhookId, filter.status, filter.eventId],
  )
  return rows[0]?.count ?? 0
}

export async function insertTestDelivery(
  tx: Executor,
  tenant: Tenant,
  row: { webhookId: string; id: string; eventId: string; eventType: string; body: unknown },
): Promise<DeliveryRow> {
  const rows = await tx.query<DeliveryRow>(
    `insert into webhook_deliveries (account_id, environment, webhook_id, id, event_id, event_type, tx_id, position, test_body,
       status, next_attempt_at, created_at)
     values ($1, $2, $3, $4, $5, $6, '0', 0, $7, 'pending', now(), date_trunc('milliseconds', now())) returning ${columns}`,
    [tenant.accountId, tenant.environment, row.webhookId, row.id, row.eventId, row.eventType, JSON.stringify(row.body)],
  )
  return rows[0]!
}

export async function updateDeliveryAgain(
  tx: Executor,
  tenant: Tenant,
  delivery: { webhookId: string; id: string },
): Promise<DeliveryRow | null> {
  const rows = await tx.query<DeliveryRow>(
    `update webhook_deliveries set status = 'pending', attempts = 0, next_attempt_at = now(), error = null
     where ${ours} and id = $4 returning ${columns}`,
    [tenant.accountId, tenant.environment, delivery.webhookId, delivery.id],
  )
  return rows[0] ?? null
}

/** Fails all pending deliveries. Each can be delivered again by hand. */
export async function failPendingDeliveries(
  tx: Executor,
  tenant: Tenant,
  webhookId: string,
  error: string,
): Promise<void> {
  await tx.execute(
    `update webhook_deliveries set status = 'failed', next_attempt_at = null, error = coalesce(error, $4)
     where ${ours} and status = 'pending'`,
    [tenant.accountId, tenant.environment, webhookId, error],
  )
}

interface OldDelivery {
  accountId: string
  environment: string
  webhookId: string
  id: string
}

const old = (days: string) => `created_at < now() - ${days}::int * interval '1 day' and status <> 'pending'`

/** Compares with the database's clock, which wrote the rows: a worker whose clock jumps deletes nothing. */
export async function listOldDeliveriesAcrossAccounts(
  db: Executor,
  days: number,
  limit: number,
): Promise<OldDelivery[]> {
  return db.query<OldDelivery>(
    `select account_id, environment, webhook_id, id from webhook_deliveries where ${old('$1')} limit $2`,
    [days, limit],
    'list_old_deliveries',
  )
}

export async function deleteOldDeliveries(
  db: Executor,
  accountId: string,
  rows: readonly OldDelivery[],
  days: number,
): Promise<number> {
  return db.execute(
    `delete from webhook_deliveries where account_id = $1 and (environment, webhook_id, id) in (
       select environment, webhook_id, id from webhook_deliveries where account_id = $1 and ${old('$2')}
         and (environment, webhook_id, id) in (select * from unnest($3::text[], $4::text[], $5::text[])) for update skip locked)`,
    [accountId, days, rows.map((row) => row.environment), rows.map((row) => row.webhookId), rows.map((row) => row.id)],
    'delete_old_deliveries',
  )
}
