import type { AccountExport, ExportTable } from '@overture/contract/exports/exports.ts'
import type { Executor } from '../platform/db/database.ts'
import type { RowRange } from '../platform/http/paging.ts'
import type { Tenant } from '../platform/tenant.ts'

export interface ExportRecord extends Pick<AccountExport, 'id' | 'status' | 'format' | 'error'> {
  fromAt: Date | null
  toAt: Date | null
  run: number
  createdAt: Date
  completedAt: Date | null
  expiresAt: Date
}

const columns = 'id, status, format, from_at, to_at, run, error, created_at, completed_at, expires_at'

type NewExport = Pick<ExportRecord, 'id' | 'format' | 'fromAt' | 'toAt' | 'createdAt' | 'expiresAt'>

/** Returns undefined if another export of the environment is not complete. */
export async function insertExport(tx: Executor, tenant: Tenant, row: NewExport): Promise<ExportRecord | undefined> {
  const [inserted] = await tx.query<ExportRecord>(
    `insert into exports (account_id, environment, id, status, format, from_at, to_at, created_at, expires_at)
     values ($1, $2, $3, 'pending', $4, $5, $6, $7, $8)
     on conflict (account_id, environment) where status in ('pending', 'running') do nothing returning ${columns}`,
    [tenant.accountId, tenant.environment, row.id, row.format, row.fromAt, row.toAt, row.createdAt, row.expiresAt],
    'insert_export',
  )
  return inserted
}

/** Expired exports are not found. */
export async function findExport(
  db: Executor,
  tenant: Tenant,
  { id, now }: { id: string; now: Date },
): Promise<ExportRecord | undefined> {
  const [row] = await db.query<ExportRecord>(
    `select ${columns} from exports where account_id = $1 and environment = $2 and id = $3 and expires_at > $4`,
    [tenant.accountId, tenant.environment, id, now],
    'find_export',
  )
  return row
}

/** Newest first. */
export async function listExports(
  db: Executor,
  tenant: Tenant,
  now: Date,
  range: RowRange<string>,
): Promise<ExportRecord[]> {
  return db.query<ExportRecord>(
    `select ${columns} from exports where account_id = $1 and environment = $2 and expires_at > $3 and ($4::text is null or id < $4)
     order by id desc limit $5 offset $6`,
    [tenant.accountId, tenant.environment, now, range.after, range.limit, range.offset],
    'list_exports',
  )
}

export async function countExports(db: Executor, tenant: Tenant, now: Date): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    `select count(*)::int as count from exports where account_id = $1 and environment = $2 and expires_at > $3`,
    [tenant.accountId, tenant.environment, now],
    'count_exports',
  )
  return row?.count ?? 0
}

/** Deletes the export with its files. */
export async function deleteExport(tx: Executor, tenant: Tenant, id: string): Promise<number> {
  return tx.execute(
    `delete from exports where account_id = $1 and environment = $2 and id = $3`,
    [tenant.accountId, tenant.environment, id],
    'delete_export',
  )
}

/** Begins a run of a worker and ends the older ones. Returns undefined if the export has ended or is gone. */
export async function updateExportRun(tx: Executor, tenant: Tenant, id: string): Promise<ExportRecord | undefined> {
  const [row] = await tx.query<ExportRecord>(
    `update exports set status = 'running', run = run + 1
     where account_id = $1 and environment = $2 and id = $3 and status in ('pending', 'running') returning ${columns}`,
    [tenant.accountId, tenant.environment, id],
    'update_export_run',
  )
  return row
}

/** Locks the export for a write of this run. Returns false if a newer run has begun, or if the export has ended or is gone. */
export async function lockExportRun(
  tx: Executor,
  tenant: Tenant,
  { id, run }: { id: string; run: number },
): Promise<boolean> {
  const rows = await tx.query(
    `select from exports where account_id = $1 and environment = $2 and id = $3 and run = $4 and status = 'running' for update`,
    [tenant.accountId, tenant.environment, id, run],
    'lock_export_run',
  )
  return rows.length > 0
}

export async function updateExportEnded(
  tx: Executor,
  tenant: Tenant,
  change: { id: string; status: 'completed' | 'failed'; error: string | null; now: Date },
): Promise<void> {
  await tx.execute(
    `update exports set status = $4, error = $5, completed_at = $6
     where account_id = $1 and environment = $2 and id = $3 and status in ('pending', 'running')`,
    [tenant.accountId, tenant.environment, change.id, change.status, change.error, change.now],
    'update_export_ended',
  )
}

export interface ExportFileRow {
  exportId: string
  content: ExportTable
  rows: number
  bytes: number
  sha256: Buffer | null
}

const fileColumns = 'export_id, content, rows::float8 as rows, bytes::float8 as bytes, sha256'

export async function insertExportFiles(
  tx: Executor,
  tenant: Tenant,
  { id, tables }: { id: string; tables: readonly ExportTable[] },
): Promise<void> {
  await tx.execute(
    `insert into export_files (account_id, environment, export_id, content, position)
     select a.account_id, $2, $3, t.content, t.position from accounts a, unnest($4::text[]) with ordinality t (content, position)
     where a.account_id = $1 on conflict do nothing`,
    [tenant.accountId, tenant.environment, id, tables],
    'insert_export_files',
  )
}

/** The files of these exports, in the order in which they are written. */
export async function listExportFiles(db: Executor, tenant: Tenant, ids: readonly string[]): Promise<ExportFileRow[]> {
  return db.query<ExportFileRow>(
    `select ${fileColumns} from export_files where account_id = $1 and environment = $2 and export_id = any($3)
     order by export_id, position`,
    [tenant.accountId, tenant.environment, ids],
    'list_export_files',
  )
}

interface FileKey {
  exportId: string
  content: ExportTable
}

export async function findExportFile(
  db: Executor,
  tenant: Tenant,
  { exportId, content }: { exportId: string; content: string },
): Promise<ExportFileRow | undefined> {
  const [row] = await db.query<ExportFileRow>(
    `select ${fileColumns} from export_files where account_id = $1 and environment = $2 and export_id = $3 and content = $4`,
    [tenant.accountId, tenant.environment, exportId, content],
    'find_export_file',
  )
  return row
}

/** Stores how far a file is written. With a hash, the file is complete. */
export async function updateExportFile(
  tx: Executor,
  tenant: Tenant,
  { exportId, content, rows, bytes, sha256 }: ExportFileRow,
): Promise<void> {
  await tx.execute(
    `update export_files set rows = $5, bytes = $6, sha256 = $7
     where account_id = $1 and environment = $2 and export_id = $3 and content = $4`,
    [tenant.accountId, tenant.environment, exportId, content, rows, bytes, sha256],
    'update_export_file',
  )
}

export async function insertChunk(
  tx: Executor,
  tenant: Tenant,
  { exportId, content, position, packed }: FileKey & { position: number; packed: Buffer },
): Promise<void> {
  await tx.execute(
    `insert into export_chunks (account_id, environment, export_id, content, position, packed) values ($1, $2, $3, $4, $5, $6)`,
    [tenant.accountId, tenant.environment, exportId, content, position, packed],
    'insert_export_chunk',
  )
}

export async function findChunk(
  db: Executor,
  tenant: Tenant,
  { exportId, content, position }: FileKey & { position: number },
): Promise<Buffer | undefined> {
  const [row] = await db.query<{ packed: Buffer }>(
    `select packed from export_chunks where account_id = $1 and environment = $2 and export_id = $3 and content = $4 and position = $5`,
    [tenant.accountId, tenant.environment, exportId, content, position],
    'find_export_chunk',
  )
  return row?.packed
}

/** Deletes what an earlier run wrote of a file. */
export async function deleteChunks(tx: Executor, tenant: Tenant, { exportId, content }: FileKey): Promise<void> {
  await tx.execute(
    `delete from export_chunks where account_id = $1 and environment = $2 and export_id = $3 and content = $4`,
    [tenant.accountId, tenant.environment, exportId, content],
    'delete_export_chunks',
  )
}
