import type { Executor } from '../db/database.ts'
import type { Tenant } from '../tenant.ts'

/** Abandons uploads of a key whose lease has expired, because the process died or no more data came. Returns their ids. */
export async function updateLapsedUploads(db: Executor, tenant: Tenant, keyId: string): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    `update imports set status = 'abandoned' where account_id = $1 and environment = $2 and upload_key_id = $3
       and status = 'uploading' and upload_until < now()
     returning id`,
    [tenant.accountId, tenant.environment, keyId],
  )
  return rows.map((row) => row.id)
}

interface LeadTarget {
  campaignId: string
  onDuplicate: string
  verify?: boolean
  skipIfInOtherCampaign?: boolean
}

interface SuppressionTarget {
  list: string
  mode: string
}

interface MemberTarget {
  personListId: string
}

type Without<Fields> = { [Name in keyof Fields]?: never }

/** The rows of a file become leads of a campaign, entries of a suppression list or members of a list of people. */
export type ImportTarget =
  | (LeadTarget & Without<SuppressionTarget & MemberTarget>)
  | (SuppressionTarget & Without<LeadTarget & MemberTarget>)
  | (MemberTarget & Without<LeadTarget & SuppressionTarget>)

/** Returns false if the key is uploading another file. */
export async function insertUpload(
  db: Executor,
  tenant: Tenant,
  upload: { id: string; target: ImportTarget; keyId: string; leaseMs: number; now: Date },
): Promise<boolean> {
  const count = await db.execute(
    `insert into imports
       (account_id, environment, id, campaign_id, on_duplicate, list, mode, verify, person_list_id,
        skip_if_in_other_campaign, header, status, created_at, upload_key_id, upload_until)
     values ($1, $2, $3, $4, $5, $9, $10, $11, $12, $13, '{}', 'uploading', $6, $7, now() + $8 * interval '1 millisecond')
     on conflict (account_id, upload_key_id) where status = 'uploading' do nothing`,
    [
      tenant.accountId,
      tenant.environment,
      upload.id,
      upload.target.campaignId ?? null,
      upload.target.onDuplicate ?? null,
      upload.now,
      upload.keyId,
      upload.leaseMs,
      upload.target.list ?? null,
      upload.target.mode ?? null,
      upload.target.verify ?? false,
      upload.target.personListId ?? null,
      upload.target.skipIfInOtherCampaign ?? false,
    ],
  )
  return count > 0
}

/** An uploaded row with its `fields` in the order of the header. A row with a `reason` is refused already. */
export interface UploadedRow {
  fields: readonly string[]
  reason: string | null
}

/**
 * Stores rows of a running upload and extends its lease, in one statement. The update of the upload's row comes first, so
 * nothing is stored after another process has abandoned the upload. Returns false in that case.
 */
export async function insertUploadedRows(
  db: Executor,
  tenant: Tenant,
  batch: { importId: string; firstRow: number; rows: readonly UploadedRow[]; leaseMs: number },
): Promise<boolean> {
  const [row] = await db.query<{ held: number }>(
    `with held as (
       update imports set upload_until = now() + $6 * interval '1 millisecond'
       where account_id = $1 and environment = $2 and id = $3 and status = 'uploading'
       returning id
     ), stored as (
       insert into import_rows (account_id, environment, import_id, row_number, fields, reason)
       select $1, $2, held.id, $4 + r.ordinality - 1, array(select jsonb_array_elements_text(r.value->'fields')),
         r.value->>'reason'
       from held cross join jsonb_array_elements($5::jsonb) with ordinality r returning 1
     )
     select count(*)::int as held from held`,
    [tenant.accountId, tenant.environment, batch.importId, batch.firstRow, JSON.stringify(batch.rows), batch.leaseMs],
    'insert_uploaded_rows',
  )
  return row?.held === 1
}

/** Turns a complete upload into an import. Returns false if the upload was abandoned. */
export async function updateUploadToImport(
  db: Executor,
  tenant: Tenant,
  upload: {
    id: string
    header: readonly string[]
    columns: readonly (string | null)[] | null
    rowsTotal: number
    now: Date
  },
): Promise<boolean> {
  const count = await db.execute(
    `update imports set status = 'pending', header = $4, created_at = $5, columns = $6, rows_total = $7,
       upload_key_id = null, upload_until = null
     where account_id = $1 and environment = $2 and id = $3 and status = 'uploading'`,
    [tenant.accountId, tenant.environment, upload.id, upload.header, upload.now, upload.columns, upload.rowsTotal],
  )
  return count > 0
}

/** Abandons an upload. With `lapsed`, only if its lease has expired. */
export async function updateUploadAbandoned(
  db: Executor,
  tenant: Tenant,
  { id, lapsed }: { id: string; lapsed: boolean },
): Promise<void> {
  await db.execute(
    `update imports set status = 'abandoned' where account_id = $1 and environment = $2 and id = $3
       and status = 'uploading' and (not $4 or upload_until < now())`,
    [tenant.accountId, tenant.environment, id, lapsed],
  )
}

export async function findUploadStatus(db: Executor, tenant: Tenant, id: string): Promise<string | null> {
  const [row] = await db.query<{ status: string }>(
    'select status from imports where account_id = $1 and environment = $2 and id = $3',
    [tenant.accountId, tenant.environment, id],
  )
  return row?.status ?? null
}

/** Deletes a batch of the first rows of an abandoned upload. Deleting a range costs only as much as it deletes. */
export async function deleteUploadedRows(db: Executor, tenant: Tenant, id: string, limit: number): Promise<number> {
  return db.execute(
    `delete from import_rows where account_id = $1 and environment = $2 and import_id = $3 and row_number <= (
       select max(row_number) from (
         select row_number from import_rows where account_id = $1 and environment = $2 and import_id = $3
         order by row_number limit $4) first)`,
    [tenant.accountId, tenant.environment, id, limit],
  )
}

export async function deleteAbandonedUpload(db: Executor, tenant: Tenant, id: string): Promise<void> {
  await db.execute(
    `delete from imports where account_id = $1 and environment = $2 and id = $3 and status = 'abandoned'`,
    [tenant.accountId, tenant.environment, id],
  )
}
