import { Readable } from 'node:stream'
import { stringify } from 'csv-stringify/sync'
import { notFound } from '@overture/contract/errors.ts'
import type { ImportJob } from '@overture/contract/campaigns/imports.ts'
import { guardCell } from '@overture/ground/text/spreadsheet-cell.ts'
import type { Database, Executor, Transaction } from '../../platform/db/database.ts'
import { appendEvents } from '../../platform/events/events.sql.ts'
import type { JobContext } from '../../platform/jobs/job.ts'
import type { Tenant } from '../../platform/tenant.ts'
import type { AddressHashes } from '../../suppressions/index.ts'
import { readLead, type ReadLead } from '../leads/lead.ts'
import { addReadLeads } from '../leads/leads.commands.ts'
import { columnsOf, errorColumns, readHeader, rowToLead, type ImportColumn } from './import-columns.ts'
import { leadRefusal, reasonOf } from './refusals.ts'
import {
  findImport,
  type ImportRow,
  listRefusedImportRows,
  listNextImportRows,
  lockImport,
  settleImportRows,
  type StoredRow,
  updateImportEnded,
  updateImportProgress,
} from './imports.sql.ts'

const takeBatch = 1000
const takeCharactersMax = 4_000_000
const errorsPage = 1000

/**
 * Imports the staged rows, one batch per transaction: after a crash another worker continues after the last commit. While the
 * database writes a batch, the next one is read and checked here.
 */
export async function runImport(context: JobContext, payload: Record<string, unknown>): Promise<void> {
  const { app, tenant, now } = context
  const run: ImportRun = { app, tenant, now, id: String(payload['importId']), ahead: null }
  for (let more = true; more && !context.signal.aborted;) {
    const ahead = await run.ahead
    run.ahead = null
    more = await app.db.transaction((tx) => takeImportBatch(tx, run, ahead))
  }
  await run.ahead
}

interface ImportRun extends Pick<JobContext, 'app' | 'tenant' | 'now'> {
  id: string
  /** The next batch. Null if it could not be read. */
  ahead: Promise<ReadBatch | null> | null
}

/** Rows after `afterRow`. `read` contains the leads of the rows in `fit`, which were not refused at the upload. */
interface ReadBatch {
  afterRow: number
  rows: StoredRow[]
  fit: StoredRow[]
  read: ReadLead[]
  columns: ImportColumn[]
  secrets: AddressHashes
}

async function takeImportBatch(tx: Transaction, run: ImportRun, ahead: ReadBatch | null): Promise<boolean> {
  const { app, tenant, id, now } = run
  const row = await lockImport(tx, tenant, id)
  if (!row || row.status === 'completed' || row.status === 'failed') return false
  // Rows are imported in order, so that no batch skips rows that earlier batches refused or left.
  const batch = ahead?.afterRow === row.rowsRead ? ahead : await readBatch(tx, run, row)
  const last = batch.rows.at(-1)
  if (!last) {
    const endedAt = await endOf(tx, run)
    await updateImportEnded(tx, tenant, { id, status: 'completed', error: null, now: endedAt })
    await appendEvents(tx, tenant, [
      {
        type: 'import.completed',
        occurredAt: endedAt,
        campaignId: row.campaignId,
        data: { importId: id, added: row.added, failed: row.failed },
      },
    ])
    return false
  }
  run.ahead = readBatch(app.db, run, { ...row, rowsRead: last.rowNumber }).catch(() => null)
  const taken = await takeRows(tx, tenant, { row, batch, now })
  if (taken === 'campaign_gone') {
    await updateImportEnded(tx, tenant, {
      id,
      status: 'failed',
      error: 'The campaign was deleted.',
      now: await endOf(tx, run),
    })
    return false
  }
  const { refused } = taken
  await settleImportRows(tx, tenant, { importId: id, afterRow: row.rowsRead, lastRow: last.rowNumber, refused })
  await updateImportProgress(tx, tenant, { id, status: 'running', read: batch.rows.length, ...taken.counts })
  return true
}

/** The tenant's current time, because `now` is the start of the job. While a clock is being moved, its jobs may be ahead of it. */
async function endOf(tx: Transaction, { app, tenant, now }: ImportRun): Promise<Date> {
  const shown = await app.clocks.now(tx, tenant)
  return shown > now ? shown : now
}

/** Only their own import deletes staged rows, so they can be read before their turn. */
async function readBatch(db: Executor, { app, tenant, id }: ImportRun, row: ImportRow): Promise<ReadBatch> {
  const page = { afterRow: row.rowsRead, limit: takeBatch, charactersMax: takeCharactersMax }
  const rows = await listNextImportRows(db, tenant, id, page)
  const columns = row.columns === null ? readHeader(row.header) : columnsOf(row.columns)
  const fit = rows.filter((stored) => stored.reason === null)
  const read = fit.map((stored, index) => readLead(rowToLead(columns, stored.fields), index))
  const emails = read.flatMap((item) => (item.kind === 'lead' ? [item.lead.email] : []))
  return { afterRow: row.rowsRead, rows, fit, read, columns, secrets: hashedBefore(app.secrets, emails) }
}

function hashedBefore(secrets: AddressHashes, emails: readonly string[]): AddressHashes {
  const hashes = new Map(emails.map((email) => [email, secrets.addressHash(email)]))
  return { addressHash: (email) => hashes.get(email) ?? secrets.addressHash(email) }
}

async function takeRows(
  tx: Transaction,
  tenant: Tenant,
  { row, batch, now }: { row: ImportRow; batch: ReadBatch; now: Date },
) {
  const { fit, read, columns, secrets } = batch
  const unfit = batch.rows.length - fit.length
  try {
    const answer = await addReadLeads(tx, tenant, {
      campaignId: row.campaignId,
      input: { onDuplicate: row.onDuplicate, skipIfInOtherCampaign: false },
      read,
      secrets,
      now,
    })
    const refused = answer.results.flatMap((result) => {
      const stored = fit[result.index]
      return result.outcome === 'invalid' && stored
        ? [{ rowNumber: stored.rowNumber, reason: reasonOf(leadRefusal(result, { header: row.header, columns })) }]
        : []
    })
    const { added, updated, skipped, invalid: failed } = answer
    const skippedReasons = { ...row.skippedReasons }
    for (const { outcome, reason } of answer.results)
      if (outcome === 'skipped' && reason !== null) skippedReasons[reason] = (skippedReasons[reason] ?? 0) + 1
    return { refused, counts: { added, updated, skipped, failed: failed + unfit, skippedReasons } }
  } catch (error) {
    if (isNotFound(error)) return 'campaign_gone' as const
    throw error
  }
}

function isNotFound(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'NOT_FOUND'
}

export function presentImport(row: ImportRow, publicUrl: string): ImportJob {
  return {
    id: row.id,
    campaignId: row.campaignId,
    status: row.status,
    rowsTotal: row.rowsTotal,
    rowsRead: row.rowsRead,
    added: row.added,
    updated: row.updated,
    skipped: row.skipped,
    failed: row.failed,
    skippedReasons: row.skippedReasons,
    errorsUrl: row.failed > 0 ? `${publicUrl}/v2/imports/${row.id}/errors` : null,
    error: row.error,
    createdAt: row.createdAt.toISOString(),
    completedAt: row.completedAt?.toISOString() ?? null,
  }
}

export async function getImport(db: Executor, tenant: Tenant, id: string): Promise<ImportRow> {
  const row = await findImport(db, tenant, id)
  if (!row) throw notFound()
  return row
}

/** The refused rows as they were uploaded, after their number and the reason. Pages are read while the file is sent. */
export async function importErrors(db: Database, tenant: Tenant, id: string): Promise<Readable> {
  const row = await getImport(db, tenant, id)
  return Readable.from(errorLines(db, tenant, row))
}

async function* errorLines(db: Database, tenant: Tenant, row: ImportRow): AsyncGenerator<string> {
  yield stringify([[...errorColumns, ...row.header.map(guardCell)]])
  for (let afterRow = 0; ;) {
    const rows = await listRefusedImportRows(db, tenant, row.id, { afterRow, limit: errorsPage })
    if (rows.length > 0)
      yield stringify(rows.map(({ rowNumber, reason, fields }) => [rowNumber, reason, ...fields.map(guardCell)]))
    const last = rows.at(-1)
    if (!last || rows.length < errorsPage) return
    afterRow = last.rowNumber
  }
}
