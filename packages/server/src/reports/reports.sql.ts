import type { ReportQuery } from '@overture/contract/reports/reports.ts'
import type { Executor } from '../platform/db/database.ts'
import type { RowRange } from '../platform/http/paging.ts'
import type { Tenant } from '../platform/tenant.ts'
import type { ReportRow } from './report.ts'

const columns = `id, name, active, query, every, on_day, at_time, timezone, recipients, next_run_at, last_run_id, created_at`

export async function countReports(db: Executor, tenant: Tenant): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    'select count(*)::int as count from reports where account_id = $1 and environment = $2',
    [tenant.accountId, tenant.environment],
    'count_reports',
  )
  return row?.count ?? 0
}

/** Newest first. */
export async function listReports(db: Executor, tenant: Tenant, range: RowRange<string>): Promise<ReportRow[]> {
  return db.query<ReportRow>(
    `select ${columns} from reports where account_id = $1 and environment = $2 and ($3::text is null or id < $3)
     order by id desc limit $4 offset $5`,
    [tenant.accountId, tenant.environment, range.after, range.limit, range.offset],
    'list_reports',
  )
}

export async function findReport(db: Executor, tenant: Tenant, id: string): Promise<ReportRow | undefined> {
  const [row] = await db.query<ReportRow>(
    `select ${columns} from reports where account_id = $1 and environment = $2 and id = $3`,
    [tenant.accountId, tenant.environment, id],
    'find_report',
  )
  return row
}

export async function lockReport(tx: Executor, tenant: Tenant, id: string): Promise<ReportRow | undefined> {
  const [row] = await tx.query<ReportRow>(
    `select ${columns} from reports where account_id = $1 and environment = $2 and id = $3 for update`,
    [tenant.accountId, tenant.environment, id],
    'lock_report',
  )
  return row
}

export async function insertReport(tx: Executor, tenant: Tenant, row: Omit<ReportRow, 'lastRunId'>): Promise<void> {
  await tx.execute(
    `insert into reports (account_id, environment, id, name, active, query, every, on_day, at_time, timezone, recipients,
       next_run_at, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`,
    [...values(tenant, row), row.createdAt],
    'insert_report',
  )
}

export async function updateReport(tx: Executor, tenant: Tenant, row: Omit<ReportRow, 'lastRunId' | 'createdAt'>) {
  await tx.execute(
    `update reports set name = $4, active = $5, query = $6, every = $7, on_day = $8, at_time = $9, timezone = $10,
       recipients = $11, next_run_at = $12
     where account_id = $1 and environment = $2 and id = $3`,
    values(tenant, row),
    'update_report',
  )
}

function values(tenant: Tenant, row: Omit<ReportRow, 'lastRunId' | 'createdAt'>): unknown[] {
  const { query } = row
  return [
    tenant.accountId,
    tenant.environment,
    row.id,
    row.name,
    row.active,
    JSON.stringify(query),
    row.every,
    row.onDay,
    row.atTime,
    row.timezone,
    row.recipients,
    row.nextRunAt,
  ]
}

/** Notes the newest run, and when the next one is due. */
export async function updateReportRun(
  tx: Executor,
  tenant: Tenant,
  { id, lastRunId, nextRunAt }: Pick<ReportRow, 'id' | 'lastRunId' | 'nextRunAt'>,
): Promise<void> {
  await tx.execute(
    `update reports set last_run_id = $4, next_run_at = $5 where account_id = $1 and environment = $2 and id = $3`,
    [tenant.accountId, tenant.environment, id, lastRunId, nextRunAt],
    'update_report_run',
  )
}

/** Deletes the report with its runs. */
export async function deleteReport(tx: Executor, tenant: Tenant, id: string): Promise<number> {
  return tx.execute(
    'delete from reports where account_id = $1 and environment = $2 and id = $3',
    [tenant.accountId, tenant.environment, id],
    'delete_report',
  )
}

/** The active users among `ids`, locked against their deletion. */
export async function lockActiveUsers(tx: Executor, { accountId }: Tenant, ids: readonly string[]): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(
    `select id from users where account_id = $1 and id = any($2) and status = 'active' order by id for share`,
    [accountId, ids],
    'lock_active_users',
  )
  return rows.map(({ id }) => id)
}

/** Whether the environment has the campaign, the sending account and the tag that a query names. */
export async function findQueried(
  db: Executor,
  tenant: Tenant,
  { campaignId, sendingAccountId, tagId }: Pick<ReportQuery, 'campaignId' | 'sendingAccountId' | 'tagId'>,
): Promise<Record<'campaign' | 'sender' | 'tag', boolean>> {
  const [row] = await db.query<Record<'campaign' | 'sender' | 'tag', boolean>>(
    `select exists (select 1 from campaigns where account_id = $1 and environment = $2 and id = $3 and deleted_at is null) as campaign,
       exists (select 1 from sending_accounts where account_id = $1 and environment = $2 and id = $4) as sender,
       exists (select 1 from tags where account_id = $1 and environment = $2 and id = $5) as tag`,
    [tenant.accountId, tenant.environment, campaignId ?? null, sendingAccountId ?? null, tagId ?? null],
    'find_queried',
  )
  return row!
}

/** Removes a deleted user from all reports, in both environments. */
export async function updateReportsWithoutUser(db: Executor, accountId: string, userId: string): Promise<void> {
  await db.execute(
    'update reports set recipients = array_remove(recipients, $2) where account_id = $1 and $2 = any(recipients)',
    [accountId, userId],
    'update_reports_without_user',
  )
}

/** Deletes what is stored about the mail to a deleted user, in both environments. */
export async function deleteDeliveriesToUser(db: Executor, accountId: string, userId: string): Promise<void> {
  await db.execute(
    'delete from report_deliveries where account_id = $1 and user_id = $2',
    [accountId, userId],
    'delete_deliveries_to_user',
  )
}
