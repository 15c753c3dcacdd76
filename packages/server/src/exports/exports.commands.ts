import { AppError, notFound } from '@overture/contract/errors.ts'
import {
  type AccountExport,
  type CreateExportInput,
  exportDays,
  exportTables,
} from '@overture/contract/exports/exports.ts'
import { dayMs } from '@overture/ground/time/spans.ts'
import type { Executor, Transaction } from '../platform/db/database.ts'
import { newId } from '../platform/ids.ts'
import { enqueueJob } from '../platform/jobs/jobs.shell.ts'
import type { Tenant } from '../platform/tenant.ts'
import {
  deleteChunks,
  deleteExport,
  type ExportFileRow,
  type ExportRecord,
  findExport,
  insertChunk,
  insertExport,
  insertExportFiles,
  listExportFiles,
  lockExportRun,
  updateExportEnded,
  updateExportFile,
  updateExportRun,
} from './exports.sql.ts'

export const exportJobKind = 'exports.write'
/** Each file that is completed gives new tries to the next one. */
export const triesMax = 10

export async function createExport(
  tx: Transaction,
  tenant: Tenant,
  { input, now }: { input: CreateExportInput; now: Date },
): Promise<ExportRecord> {
  const id = newId('exp')
  const row = await insertExport(tx, tenant, {
    id,
    format: input.format,
    fromAt: input.from === undefined ? null : new Date(input.from),
    toAt: input.to === undefined ? null : new Date(input.to),
    createdAt: now,
    expiresAt: new Date(now.getTime() + exportDays * dayMs),
  })
  if (row === undefined) throw anotherRuns()
  const wanted = new Set(input.tables ?? exportTables)
  await insertExportFiles(tx, tenant, { id, tables: exportTables.filter((table) => wanted.has(table)) })
  await enqueueExport(tx, tenant, { id, now })
  return row
}

function anotherRuns(): AppError {
  return new AppError('CONFLICT', 'Another export is running. Wait until it is complete, or delete it.', {
    currentStatus: 'running',
    allowedActions: ['delete'],
  })
}

async function enqueueExport(tx: Transaction, tenant: Tenant, { id, now }: { id: string; now: Date }): Promise<void> {
  await enqueueJob(tx, { kind: exportJobKind, tenant, payload: { id }, runAt: now, key: id })
}

export async function removeExport(tx: Transaction, tenant: Tenant, { id, now }: { id: string; now: Date }) {
  if ((await findExport(tx, tenant, { id, now })) === undefined) throw notFound()
  await deleteExport(tx, tenant, id)
  return { id, deleted: true as const }
}

/** The exports of the given rows as the API shows them. */
export async function presentExports(
  db: Executor,
  tenant: Tenant,
  { rows, publicUrl }: { rows: readonly ExportRecord[]; publicUrl: string },
): Promise<AccountExport[]> {
  const ids = rows.map(({ id }) => id)
  const files = await listExportFiles(db, tenant, ids)
  return rows.map(({ fromAt, toAt, run: _run, createdAt, completedAt, expiresAt, ...row }) => ({
    ...row,
    from: fromAt?.toISOString() ?? null,
    to: toAt?.toISOString() ?? null,
    files: files.filter(({ exportId }) => exportId === row.id).map((file) => presentFile(file, publicUrl)),
    createdAt: createdAt.toISOString(),
    completedAt: completedAt?.toISOString() ?? null,
    expiresAt: expiresAt.toISOString(),
  }))
}

function presentFile({ exportId, content, rows, bytes, sha256 }: ExportFileRow, publicUrl: string) {
  const url = sha256 === null ? null : `${publicUrl}/v2/exports/${exportId}/files/${content}`
  return { table: content, rows, bytes, sha256: sha256?.toString('hex') ?? null, url }
}

interface ExportRun {
  row: ExportRecord
  /** The files that are not complete. */
  files: ExportFileRow[]
}

/** Begins to write the export. Returns null if the export has ended or is gone. */
export async function beginRun(tx: Transaction, tenant: Tenant, id: string): Promise<ExportRun | null> {
  const row = await updateExportRun(tx, tenant, id)
  if (row === undefined) return null
  return { row, files: (await listExportFiles(tx, tenant, [id])).filter(({ sha256 }) => sha256 === null) }
}

type RunKey = Pick<ExportRecord, 'id' | 'run'>

/** Deletes what an earlier run wrote of a file. Returns false if this run has ended. */
export async function beginFile(
  tx: Transaction,
  tenant: Tenant,
  { run, content }: { run: RunKey } & Pick<ExportFileRow, 'content'>,
): Promise<boolean> {
  if (!(await lockExportRun(tx, tenant, run))) return false
  await emptyFile(tx, tenant, { exportId: run.id, content })
  return true
}

async function emptyFile(tx: Transaction, tenant: Tenant, key: Pick<ExportFileRow, 'exportId' | 'content'>) {
  await deleteChunks(tx, tenant, key)
  await updateExportFile(tx, tenant, { ...key, rows: 0, bytes: 0, sha256: null })
}

/** Stores the next part of a file, and how far it is written. Returns false if this run has ended. */
export async function storeChunk(
  tx: Transaction,
  tenant: Tenant,
  { run, file, chunk }: { run: RunKey; file: ExportFileRow; chunk: { position: number; packed: Buffer } | null },
): Promise<boolean> {
  if (!(await lockExportRun(tx, tenant, run))) return false
  const { exportId, content } = file
  if (chunk !== null) await insertChunk(tx, tenant, { exportId, content, ...chunk })
  await updateExportFile(tx, tenant, file)
  return true
}

/** Plans the next run if files are missing. Otherwise the export is complete. */
export async function endOrContinue(
  tx: Transaction,
  tenant: Tenant,
  { run, now }: { run: RunKey; now: Date },
): Promise<void> {
  if (!(await lockExportRun(tx, tenant, run))) return
  const files = await listExportFiles(tx, tenant, [run.id])
  if (files.some(({ sha256 }) => sha256 === null)) await enqueueExport(tx, tenant, { id: run.id, now })
  else await updateExportEnded(tx, tenant, { id: run.id, status: 'completed', error: null, now })
}

/** Ends an export that is not complete, and deletes what was written of its incomplete file. Complete files stay. */
export async function failExport(
  tx: Transaction,
  tenant: Tenant,
  { id, now }: { id: string; now: Date },
): Promise<void> {
  const error =
    `The export was given up, because ${triesMax} tries to write a file failed. Start it again. The log of the server has ` +
    'the reason.'
  await updateExportEnded(tx, tenant, { id, status: 'failed', error, now })
  const files = await listExportFiles(tx, tenant, [id])
  for (const file of files) if (file.sha256 === null && file.bytes > 0) await emptyFile(tx, tenant, file)
}
