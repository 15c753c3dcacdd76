import type { Executor } from '../db/database.ts'
import type { RowRange } from '../http/paging.ts'
import type { Tenant } from '../tenant.ts'

export interface ImportRow {
  id: string
  header: string[]
  /** The target of each column. Null if the titles decide. */
  columns: (string | null)[] | null
  rowsTotal: number
  skippedReasons: Record<string, number>
  status: 'pending' | 'running' | 'completed' | 'failed'
  rowsRead: number
  added: number
  updated: number
  skipped: number
  failed: number
  removed: number
  error: string | null
  createdAt: Date
  completedAt: Date | null
}

export interface LeadImportRow extends ImportRow {
  campaignId: string
  onDuplicate: 'skip' | 'update'
  verify: boolean
  skipIfInOtherCampaign: boolean
}

export interface SuppressionImportRow extends ImportRow {
  list: string
  mode: 'add' | 'replace'
}

export interface MemberImportRow extends ImportRow {
  personListId: string
}

/** The row of an import, by what the file contains. */
export interface ImportRows {
  leads: LeadImportRow
  members: MemberImportRow
  suppressions: SuppressionImportRow
}

const columns = `id, campaign_id, on_duplicate, verify, skip_if_in_other_campaign, list, mode, person_list_id, header, columns, rows_total,
  skipped_reasons, status, rows_read, added, updated, skipped, failed, removed, error, created_at, completed_at`

function importById(kind: keyof ImportRows): string {
  return `select ${columns} from imports where account_id = $1 and environment = $2 and id = $3
       and ${kind === 'leads' ? 'campaign_id' : kind === 'members' ? 'person_list_id' : 'list'} is not null
       and status not in ('uploading', 'abandoned')`
}

export async function findImport<Kind extends keyof ImportRows>(
  db: Executor,
  tenant: Tenant,
  { id, kind }: { id: string; kind: Kind },
): Promise<ImportRows[Kind] | undefined> {
  const [row] = await db.query<ImportRows[Kind]>(importById(kind), [tenant.accountId, tenant.environment, id])
  return row
}

/** The imports of leads of one campaign or all, latest first. */
export async function listImports(
  db: Executor,
  tenant: Tenant,
  campaignId: string | null,
  range: RowRange<string>,
): Promise<LeadImportRow[]> {
  return db.query<LeadImportRow>(
    `select ${columns} from imports where account_id = $1 and environment = $2 and campaign_id is not null
       and status not in ('uploading', 'abandoned') and ($3::text is null or campaign_id = $3) and ($4::text is null or id < $4)
     order by id desc limit $5 offset $6`,
    [tenant.accountId, tenant.environment, campaignId, range.after, range.limit, range.offset],
  )
}

export async function countImports(db: Executor, tenant: Tenant, campaignId: string | null): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    `select count(*)::int as count from imports where account_id = $1 and environment = $2 and campaign_id is not null
       and status not in ('uploading', 'abandoned') and ($3::text is null or campaign_id = $3)`,
    [tenant.accountId, tenant.environment, campaignId],
  )
  return row?.count ?? 0
}

export async function lockImport<Kind extends keyof ImportRows>(
  db: Executor,
  tenant: Tenant,
  { id, kind }: { id: string; kind: Kind },
): Promise<ImportRows[Kind] | undefined> {
  const values = [tenant.accountId, tenant.environment, id]
  const [row] = await db.query<ImportRows[Kind]>(`${importById(kind)} for update`, values)
  return row
}

export interface StoredRow {
  rowNumber: number
  fields: string[]
  reason: string | null
}

/** The next rows, including rows refused at the upload: as many as contain `charactersMax` characters, and one more. */
export async function listNextImportRows(
  db: Executor,
  tenant: Tenant,
  id: string,
  page: { afterRow: number; limit: number; charactersMax: number },
) {
  return db.query<StoredRow>(
    `select row_number, fields, reason from (
       select row_number, fields, reason, sum(length(array_to_string(fields, '')))
         over (order by row_number rows between unbounded preceding and 1 preceding) as before
       from (select row_number, fields, reason from import_rows
         where account_id = $1 and environment = $2 and import_id = $3 and row_number > $4
         order by row_number limit $5) next
     ) counted
     where before is null or before <= $6 order by row_number`,
    [tenant.accountId, tenant.environment, id, page.afterRow, page.limit, page.charactersMax],
    'list_next_import_rows',
  )
}

/** The next refused rows: as many as contain `charactersMax` characters, and one more. */
export async function listRefusedImportRows(
  db: Executor,
  tenant: Tenant,
  id: string,
  page: { afterRow: number; limit: number; charactersMax: number },
) {
  return db.query<StoredRow>(
    `select row_number, fields, reason from (
       select row_number, fields, reason, sum(length(array_to_string(fields, '')))
         over (order by row_number rows between unbounded preceding and 1 preceding) as before
       from (select row_number, fields, reason from import_rows
         where account_id = $1 and environment = $2 and import_id = $3 and row_number > $4 and reason is not null
         order by row_number limit $5) next
     ) counted
     where before is null or before <= $6 order by row_number`,
    [tenant.accountId, tenant.environment, id, page.afterRow, page.limit, page.charactersMax],
  )
}

/** Deletes a finished batch, except refused rows, which keep their reason. */
export async function settleImportRows(
  db: Executor,
  tenant: Tenant,
  batch: {
    importId: string
    afterRow: number
    lastRow: number
    refused: readonly { rowNumber: number; reason: string }[]
  },
): Promise<void> {
  if (batch.refused.length > 0) await updateRefusedRows(db, tenant, batch)
  await db.execute(
    `delete from import_rows where account_id = $1 and environment = $2 and import_id = $3 and row_number > $4
       and row_number <= $5 and reason is null`,
    [tenant.accountId, tenant.environment, batch.importId, batch.afterRow, batch.lastRow],
  )
}

async function updateRefusedRows(
  db: Executor,
  tenant: Tenant,
  batch: { importId: string; refused: readonly { rowNumber: number; reason: string }[] },
): Promise<void> {
  await db.execute(
    `update import_rows r set reason = t.reason from unnest($4::int[], $5::text[]) t (row_number, reason)
     where r.account_id = $1 and r.environment = $2 and r.import_id = $3 and r.row_number = t.row_number`,
    [
      tenant.accountId,
      tenant.environment,
      batch.importId,
      batch.refused.map((row) => row.rowNumber),
      batch.refused.map((row) => row.reason),
    ],
  )
}

export async function updateImportProgress(
  db: Executor,
  tenant: Tenant,
  change: {
    id: string
    status: ImportRow['status']
    read: number
    added: number
    updated: number
    skipped: number
    failed: number
    skippedReasons: Readonly<Record<string, number>>
  },
): Promise<void> {
  await db.execute(
    `update imports set status = $4, rows_read = rows_read + $5, added = added + $6, updated = updated + $7,
       skipped = skipped + $8, failed = failed + $9, skipped_reasons = $10
     where account_id = $1 and environment = $2 and id = $3`,
    [
      tenant.accountId,
      tenant.environment,
      change.id,
      change.status,
      change.read,
      change.added,
      change.updated,
      change.skipped,
      change.failed,
      JSON.stringify(change.skippedReasons),
    ],
  )
}

/** Counts entries that the import removed. */
export async function updateImportRemoved(
  db: Executor,
  tenant: Tenant,
  { id, removed }: { id: string; removed: number },
): Promise<void> {
  await db.execute('update imports set removed = removed + $4 where account_id = $1 and environment = $2 and id = $3', [
    tenant.accountId,
    tenant.environment,
    id,
    removed,
  ])
}

export async function updateImportEnded(
  db: Executor,
  tenant: Tenant,
  change: { id: string; status: 'completed' | 'failed'; error: string | null; now: Date },
): Promise<void> {
  await db.execute(
    `update imports set status = $4, error = $5, completed_at = $6 where account_id = $1 and environment = $2 and id = $3`,
    [tenant.accountId, tenant.environment, change.id, change.status, change.error, change.now],
  )
}
