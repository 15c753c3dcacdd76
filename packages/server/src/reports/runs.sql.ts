import type { Role } from '@overture/contract/team/roles.ts'
import type { UserStatus } from '@overture/contract/team/users.ts'
import type { Executor } from '../platform/db/database.ts'
import type { Tenant } from '../platform/tenant.ts'
import type { DeliveryRow, RunRow } from './report.ts'

const columns = 'id, report_id, from_text, to_text, status, error, created_at'

interface NewRun extends Pick<RunRow, 'id' | 'reportId' | 'fromText' | 'toText' | 'createdAt'> {
  period: string | null
}

/** Claims the period for this run. Returns false if the period has a run. */
export async function insertRun(tx: Executor, tenant: Tenant, run: NewRun): Promise<boolean> {
  const count = await tx.execute(
    `insert into report_runs (account_id, environment, id, report_id, period, from_text, to_text, status, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, 'running', $8)
     on conflict (account_id, environment, report_id, period) do nothing`,
    [tenant.accountId, tenant.environment, run.id, run.reportId, run.period, run.fromText, run.toText, run.createdAt],
    'insert_report_run',
  )
  return count > 0
}

export async function hasRunOfPeriod(
  db: Executor,
  tenant: Tenant,
  { reportId, period }: { reportId: string; period: string },
): Promise<boolean> {
  const rows = await db.query(
    'select 1 from report_runs where account_id = $1 and environment = $2 and report_id = $3 and period = $4',
    [tenant.accountId, tenant.environment, reportId, period],
    'has_run_of_period',
  )
  return rows.length > 0
}

export async function listRuns(db: Executor, tenant: Tenant, ids: readonly string[]): Promise<RunRow[]> {
  return db.query<RunRow>(
    `select ${columns} from report_runs where account_id = $1 and environment = $2 and id = any($3)`,
    [tenant.accountId, tenant.environment, ids],
    'list_report_runs',
  )
}

/** Ends a run. Returns false if it had ended. */
export async function updateRunEnded(
  tx: Executor,
  tenant: Tenant,
  { id, status, error }: { id: string; status: Exclude<RunRow['status'], 'running'>; error: string | null },
): Promise<boolean> {
  const count = await tx.execute(
    `update report_runs set status = $4, error = $5
     where account_id = $1 and environment = $2 and id = $3 and status = 'running'`,
    [tenant.accountId, tenant.environment, id, status, error],
    'update_report_run_ended',
  )
  return count > 0
}

/** Locks a run that has not ended. Returns false if it has, or if its report was deleted. */
export async function lockRun(tx: Executor, tenant: Tenant, id: string): Promise<boolean> {
  const rows = await tx.query(
    `select 1 from report_runs where account_id = $1 and environment = $2 and id = $3 and status = 'running' for key share`,
    [tenant.accountId, tenant.environment, id],
    'lock_report_run',
  )
  return rows.length > 0
}

export async function listDeliveries(db: Executor, tenant: Tenant, runIds: readonly string[]): Promise<DeliveryRow[]> {
  return db.query<DeliveryRow>(
    `select run_id, user_id, status, reason from report_deliveries
     where account_id = $1 and environment = $2 and run_id = any($3) order by run_id, user_id`,
    [tenant.accountId, tenant.environment, runIds],
    'list_report_deliveries',
  )
}

/** Returns false if the mail of the run to this user was decided before. */
export async function insertDelivery(tx: Executor, tenant: Tenant, row: DeliveryRow): Promise<boolean> {
  const count = await tx.execute(
    `insert into report_deliveries (account_id, environment, run_id, user_id, status, reason) values ($1, $2, $3, $4, $5, $6)
     on conflict do nothing`,
    [tenant.accountId, tenant.environment, row.runId, row.userId, row.status, row.reason],
    'insert_report_delivery',
  )
  return count > 0
}

export async function updateDelivery(db: Executor, tenant: Tenant, row: DeliveryRow): Promise<void> {
  await db.execute(
    `update report_deliveries set status = $5, reason = $6
     where account_id = $1 and environment = $2 and run_id = $3 and user_id = $4`,
    [tenant.accountId, tenant.environment, row.runId, row.userId, row.status, row.reason],
    'update_report_delivery',
  )
}

/** Releases the claim of a mail that was certainly not sent. */
export async function deleteDelivery(
  db: Executor,
  tenant: Tenant,
  { runId, userId }: Pick<DeliveryRow, 'runId' | 'userId'>,
): Promise<void> {
  await db.execute(
    `delete from report_deliveries where account_id = $1 and environment = $2 and run_id = $3 and user_id = $4`,
    [tenant.accountId, tenant.environment, runId, userId],
    'delete_report_delivery',
  )
}

/** Marks the mails whose process ended between claim and result. */
export async function updateUncertainDeliveries(tx: Executor, tenant: Tenant, runId: string): Promise<void> {
  await tx.execute(
    `update report_deliveries set status = 'skipped', reason = 'mail_uncertain'
     where account_id = $1 and environment = $2 and run_id = $3 and status = 'claimed'`,
    [tenant.accountId, tenant.environment, runId],
    'update_uncertain_report_deliveries',
  )
}

interface Recipient {
  email: string
  role: Role
  status: UserStatus
}

/** The user as a recipient, locked until the mail is claimed. */
export async function lockRecipient(
  tx: Executor,
  { accountId }: Tenant,
  userId: string,
): Promise<Recipient | undefined> {
  const [row] = await tx.query<Recipient>(
    'select email, role, status from users where account_id = $1 and id = $2 for share',
    [accountId, userId],
    'lock_report_recipient',
  )
  return row
}

interface OldRun {
  accountId: string
  environment: string
  id: string
}

export async function listOldRunsAcrossAccounts(db: Executor, before: Date, limit: number): Promise<OldRun[]> {
  return db.query<OldRun>(
    'select account_id, environment, id from report_runs where recorded_at < $1 limit $2',
    [before, limit],
    'list_old_report_runs',
  )
}

/** Deletes the runs with their deliveries. */
export async function deleteOldRuns(
  db: Executor,
  accountId: string,
  rows: readonly OldRun[],
  before: Date,
): Promise<number> {
  return db.execute(
    `delete from report_runs where account_id = $1 and (environment, id) in (
       select environment, id from report_runs where account_id = $1 and recorded_at < $2
         and (environment, id) in (select * from unnest($3::text[], $4::text[])) for update skip locked)`,
    [accountId, before, rows.map((row) => row.environment), rows.map((row) => row.id)],
    'delete_old_report_runs',
  )
}
