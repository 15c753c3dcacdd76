import type { Environment } from '@overture/contract/endpoint.ts'
import type { Executor } from '../platform/db/database.ts'
import type { RowRange } from '../platform/http/paging.ts'
import type { Tenant } from '../platform/tenant.ts'
import type { WebhookStatus } from '@overture/contract/webhooks/webhooks.ts'

export interface WebhookRow {
  id: string
  url: string
  events: string[]
  campaignIds: string[]
  enabled: boolean
  status: WebhookStatus
  statusReason: string | null
  failingSince: Date | null
  createdAt: Date
  updatedAt: Date
}

const columns = 'id, url, events, campaign_ids, enabled, status, status_reason, failing_since, created_at, updated_at'
const ours = 'account_id = $1 and environment = $2'

export async function listWebhooks(db: Executor, tenant: Tenant, range: RowRange<string>): Promise<WebhookRow[]> {
  return db.query<WebhookRow>(
    `select ${columns} from webhooks where ${ours} and ($3::text is null or id > $3) order by id limit $4 offset $5`,
    [tenant.accountId, tenant.environment, range.after, range.limit, range.offset],
  )
}

export async function countWebhooks(db: Executor, tenant: Tenant): Promise<number> {
  const rows = await db.query<{ count: number }>(`select count(*)::int as count from webhooks where ${ours}`, [
    tenant.accountId,
    tenant.environment,
  ])
  return rows[0]?.count ?? 0
}

export async function findWebhook(db: Executor, tenant: Tenant, id: string): Promise<WebhookRow | null> {
  const rows = await db.query<WebhookRow>(`select ${columns} from webhooks where ${ours} and id = $3`, [
    tenant.accountId,
    tenant.environment,
    id,
  ])
  return rows[0] ?? null
}

export async function lockWebhook(
  tx: Executor,
  tenant: Tenant,
  id: string,
): Promise<(WebhookRow & { secret: Buffer }) | null> {
  const rows = await tx.query<WebhookRow & { secret: Buffer }>(
    `select ${columns}, secret from webhooks where ${ours} and id = $3 for update`,
    [tenant.accountId, tenant.environment, id],
  )
  return rows[0] ?? null
}

interface NewWebhook {
  id: string
  url: string
  events: readonly string[]
  campaignIds: readonly string[]
  enabled: boolean
  secret: Buffer
  createdBy: string | null
  now: Date
}

export async function insertWebhook(tx: Executor, tenant: Tenant, row: NewWebhook): Promise<WebhookRow> {
  const rows = await tx.query<WebhookRow>(
    `insert into webhooks (account_id, environment, id, url, events, enabled, status, status_reason, secret, created_at,
       updated_at, campaign_ids, created_by)
     values ($1, $2, $3, $4, $5, $6, case when $6 then 'active' else 'disabled' end, case when $6 then null else 'user' end,
       $7, $8, $8, $9, $10) returning ${columns}`,
    [
      tenant.accountId,
      tenant.environment,
      row.id,
      row.url,
      row.events,
      row.enabled,
      row.secret,
      row.now,
      row.campaignIds,
      row.createdBy,
    ],
  )
  return rows[0]!
}

/** Lists the endpoints that a person made, in both environments. */
export async function listWebhooksMadeBy(db: Executor, accountId: string, userId: string): Promise<MadeWebhook[]> {
  return db.query<MadeWebhook>(
    `select id, environment, url from webhooks where account_id = $1 and created_by = $2 order by id`,
    [accountId, userId],
    'list_webhooks_made_by',
  )
}

interface MadeWebhook {
  id: string
  environment: Environment
  url: string
}

/** Enabling resets the endpoint: it is not failing, and pending deliveries are due now. */
export async function updateWebhook(
  tx: Executor,
  tenant: Tenant,
  row: Omit<NewWebhook, 'secret' | 'createdBy'>,
): Promise<WebhookRow> {
  const rows = await tx.query<WebhookRow>(
    `update webhooks set url = $4, events = $5, updated_at = $7, campaign_ids = $8,
       status = case when enabled = $6 then status when $6 then 'active' else 'disabled' end,
       status_reason = case when enabled = $6 then status_reason when $6 then null else 'user' end,
       failing_since = case when enabled = $6 then failing_since else null end,
       next_attempt_at = case when $6 and not enabled then (select now()) else next_attempt_at end,
       enabled = $6
     where ${ours} and id = $3 returning ${columns}`,
    [tenant.accountId, tenant.environment, row.id, row.url, row.events, row.enabled, row.now, row.campaignIds],
  )
  return rows[0]!
}

export async function deleteWebhook(tx: Executor, tenant: Tenant, id: string): Promise<number> {
  return tx.execute(`delete from webhooks where ${ours} and id = $3`, [tenant.accountId, tenant.environment, id])
}

export async function updateSecret(
  tx: Executor,
  tenant: Tenant,
  row: { id: string; secret: Buffer; previousSecret: Buffer; now: Date },
): Promise<WebhookRow> {
  const rows = await tx.query<WebhookRow>(
    `update webhooks set secret = $4, previous_secret = $5, previous_secret_until = now() + interval '24 hours', updated_at = $6
     where ${ours} and id = $3 returning ${columns}`,
    [tenant.accountId, tenant.environment, row.id, row.secret, row.previousSecret, row.now],
  )
  return rows[0]!
}

/** Makes the endpoint due now. */
export async function updateWebhookDue(tx: Executor, tenant: Tenant, id: string): Promise<void> {
  await tx.execute(`update webhooks set next_attempt_at = now() where ${ours} and id = $3`, [
    tenant.accountId,
    tenant.environment,
    id,
  ])
}
