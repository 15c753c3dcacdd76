import { minuteMs } from '@overture/ground/time/spans.ts'
import { importColumnsMax, type SpreadsheetEncoding } from '@overture/contract/campaigns/imports.ts'
import { invalid, AppError } from '@overture/contract/errors.ts'
import type { App } from '../app.ts'
import { monotonicMs } from '../clock.ts'
import type { Executor, Transaction } from '../db/database.ts'
import { enqueueJob } from '../jobs/jobs.shell.ts'
import type { JobContext, JobHandler } from '../jobs/job.ts'
import type { Tenant } from '../tenant.ts'
import { refusalReason, rowRefusal } from '@overture/ground/text/refused-rows.ts'
import type { CsvFault, CsvRow } from '@overture/ground/text/csv-text.ts'
import { placeInSheet } from '../files/workbook-sheet.ts'
import { readRecords } from './import-records.shell.ts'
import {
  deleteAbandonedUpload,
  deleteUploadedRows,
  findUploadStatus,
  insertUpload,
  insertUploadedRows,
  updateLapsedUploads,
  updateUploadAbandoned,
  updateUploadToImport,
  type ImportTarget,
  type UploadedRow,
} from './uploads.sql.ts'

const rowsMax = 1_000_000
const batchRowsMax = 2_000
const batchCharactersMax = 1_000_000
/** After this long without data an upload no longer prevents another one with the same key. */
const leaseMs = minuteMs
const renewEveryMs = 15_000
/** After this delay the server has ended every request that may still be uploading. */
const discardAfterMs = 11 * minuteMs
const discardAgainMs = minuteMs
const discardBatch = 5_000
const discardUploadKind = 'imports.discard_upload'

interface UploadRequest {
  id: string
  target: ImportTarget
  /** The kind of the job that imports the rows. */
  jobKind: string
  /** Throws if the file can't be imported with this first row. */
  checkHeader: (header: readonly string[]) => void
  /** The id of the API key or the session, each of which uploads one file at a time. */
  keyId: string
  /** The target of each column of leads. Null or absent if the titles decide. */
  columns?: readonly (string | null)[] | null
  bytes: AsyncIterable<Uint8Array>
  /** Null to detect the encoding. */
  encoding?: SpreadsheetEncoding | null
  /** The sheet of a workbook. Null or absent for the first visible one. */
  sheet?: string | null
  /** The tenant's time. */
  now: Date
}

/**
 * Reads an upload row by row into the staging table, in short transactions. No transaction is open while the server waits for
 * the client. `finish` gets a function that turns the upload into an import, and runs it in the last transaction.
 * The rows of a refused, broken or killed upload are never visible; a job deletes them.
 */
export async function receiveUpload<Finished>(
  app: App,
  tenant: Tenant,
  upload: UploadRequest,
  finish: (complete: (tx: Transaction) => Promise<void>) => Promise<Finished>,
): Promise<Finished> {
  await beginUpload(app, tenant, upload)
  try {
    const staged = await stageRows(app.db, tenant, upload)
    return await finish((tx) => completeUpload(tx, tenant, { ...upload, ...staged }))
  } catch (error) {
    await abandonUpload(app, tenant, upload.id).catch((failure: Error) =>
      app.log.warn({ event: 'import.upload_not_discarded', importId: upload.id, reason: failure.name }),
    )
    throw error
  }
}

async function beginUpload(app: App, tenant: Tenant, upload: UploadRequest): Promise<void> {
  await app.db.transaction(async (tx) => {
    for (const id of await updateLapsedUploads(tx, tenant, upload.keyId)) await enqueueDiscard(app, tx, { tenant, id })
    if (!(await insertUpload(tx, tenant, { ...upload, leaseMs }))) throw alreadyUploading()
    await enqueueDiscard(app, tx, { tenant, id: upload.id, delayMs: discardAfterMs })
  })
}

async function abandonUpload(app: App, tenant: Tenant, id: string): Promise<void> {
  await app.db.transaction(async (tx) => {
    await updateUploadAbandoned(tx, tenant, { id, lapsed: false })
    await enqueueDiscard(app, tx, { tenant, id })
  })
}

async function enqueueDiscard(
  app: App,
  tx: Executor,
  { tenant, id, delayMs = 0 }: { tenant: Tenant; id: string; delayMs?: number },
): Promise<void> {
  const runAt = new Date(app.clock.now().getTime() + delayMs)
  const payload = { importId: id }
  await enqueueJob(tx, { kind: discardUploadKind, tenant, payload, runAt, clock: 'real', key: id })
}

interface StagedUpload {
  header: string[]
  rowsTotal: number
}

async function stageRows(db: Executor, tenant: Tenant, upload: UploadRequest): Promise<StagedUpload> {
  let header: string[] | undefined
  let count = 0
  let batch: UploadedRow[] = []
  let batchCharacters = 0
  let renewAtMs = monotonicMs() + renewEveryMs
  const store = async () => {
    const rows = { importId: upload.id, firstRow: count - batch.length + 1, rows: batch, leaseMs }
    if (!(await insertUploadedRows(db, tenant, rows))) throw givenUp()
    batch = []
    batchCharacters = 0
    renewAtMs = monotonicMs() + renewEveryMs
  }
  for await (const records of readRecords(upload.bytes, {
    encoding: upload.encoding ?? null,
    sheet: upload.sheet ?? null,
  })) {
    for (const record of records) {
      if (header === undefined) {
        header = readHeaderRow(record)
        upload.checkHeader(header)
        continue
      }
      if (++count > rowsMax) throw invalid({ path: '', rule: 'max_rows', message: `At most ${rowsMax} rows.` })
      batch.push(toRow(record, header))
      for (const field of record.cells) batchCharacters += field.length
      if (batch.length === batchRowsMax || batchCharacters >= batchCharactersMax) await store()
    }
    if (monotonicMs() > renewAtMs) await store()
  }
  if (header === undefined)
    throw invalid({ path: '', rule: 'csv', message: 'The file is empty. The first row must contain the column names.' })
  if (batch.length > 0) await store()
  return { header, rowsTotal: count }
}

async function completeUpload(tx: Transaction, tenant: Tenant, upload: UploadRequest & StagedUpload) {
  if (!(await updateUploadToImport(tx, tenant, { ...upload, columns: upload.columns ?? null }))) throw givenUp()
  const { id, now, jobKind } = upload
  await enqueueJob(tx, { kind: jobKind, tenant, payload: { importId: id }, runAt: now, key: id })
}

/** Deletes the rows of an upload that did not become an import. */
export const discardUploadJob: JobHandler = {
  kind: discardUploadKind,
  maxAttempts: 20,
  lane: 'rows',
  run: discardUpload,
}

async function discardUpload({ app, tenant, signal }: JobContext, payload: Record<string, unknown>) {
  const id = String(payload['importId'])
  await updateUploadAbandoned(app.db, tenant, { id, lapsed: true })
  const status = await findUploadStatus(app.db, tenant, id)
  if (status === 'uploading') return enqueueDiscard(app, app.db, { tenant, id, delayMs: discardAgainMs })
  if (status !== 'abandoned' && status !== null) return
  for (let gone = discardBatch; gone === discardBatch && !signal.aborted;)
    gone = await deleteUploadedRows(app.db, tenant, id, discardBatch)
  if (!signal.aborted) await deleteAbandonedUpload(app.db, tenant, id)
}

// PostgreSQL can't store null characters. The file of refused rows contains U+FFFD instead.
function toRow(row: CsvRow, header: readonly string[]): UploadedRow {
  const refusal = rowRefusal(row, header)
  if (refusal === null) return { fields: row.cells, reason: null }
  return { fields: row.cells.map((field) => field.replaceAll('\0', '\ufffd')), reason: refusalReason(refusal) }
}

function readHeaderRow({ cells: header, fault }: CsvRow): string[] {
  if (fault !== null) throw unreadableHeader(fault)
  if (header.length > importColumnsMax)
    throw invalid({ path: '', rule: 'max_columns', message: `At most ${importColumnsMax} columns.` })
  if (header.some((title) => title.includes('\0')))
    throw invalid({
      path: '',
      rule: 'characters',
      message: 'The first row contains null characters. Save the file as UTF-8.',
    })
  return header
}

function unreadableHeader(fault: CsvFault): AppError {
  const place = placeInSheet(fault)
  if (place !== null) return invalid({ path: '', rule: 'workbook', message: `${place}: ${fault.message}` })
  const message = `Not readable as CSV. Line ${fault.line}, column ${fault.column + 1}: ${fault.message}`
  return invalid({ path: '', rule: 'csv', message })
}

function alreadyUploading(): AppError {
  return new AppError('CONFLICT', 'This key is already uploading a file. Wait until that upload ends.', {
    currentStatus: 'uploading',
    allowedActions: [],
  })
}

function givenUp(): AppError {
  return new AppError('CONFLICT', 'The upload stalled and was canceled. Try again.', {
    currentStatus: 'abandoned',
    allowedActions: [],
  })
}
