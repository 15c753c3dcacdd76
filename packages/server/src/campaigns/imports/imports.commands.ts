import { Readable } from 'node:stream'
import { stringify } from 'csv-stringify/sync'
import { notFound } from '@overture/contract/errors.ts'
import type { ImportJob } from '@overture/contract/campaigns/imports.ts'
import { guardCell } from '../../ground/text/spreadsheet-cell.ts'
import type { Database, Executor, Transaction } from '../../platform/db/database.ts'
import { appendEvents } from '../../platform/events/events.sql.ts'
import type { JobContext } from '../../platform/jobs/job.ts'
import type { Tenant } from '../../platform/tenant.ts'
import type { AddressHashes } from '../../suppressions/index.ts'
import { addLeads } from '../leads/leads.commands.ts'
import { columnsOf, errorColumns, readHeader, rowToLead } from './import-columns.ts'
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

/** Takes the staged rows over, one batch per transaction: a worker that dies goes on where the last commit was. */
export async function runImport(context: JobContext, payload: Record<string, unknown>): Promise<void> {
  const id = String(payload['importId'])
  const { secrets } = context.app
  for (let more = true; more && !context.signal.aborted;) {
    more = await context.app.db.transaction((tx) =>
      takeImportBatch(tx, context.tenant, { id, secrets, now: context.now }),
    )
  }
}

async function takeImportBatch(
  tx: Transaction,
  tenant: Tenant,
  { id, secrets, now }: { id: string; secrets: AddressHashes; now: Date },
): Promise<boolean> {
  const row = await lockImport(tx, tenant, id)
  if (!row || row.status === 'completed' || row.status === 'failed') return false
  // Rows are taken in order, so that no batch passes over what earlier ones refused or left behind.
  const page = { afterRow: row.rowsRead, limit: takeBatch, charactersMax: takeCharactersMax }
  const rows = await listNextImportRows(tx, tenant, id, page)
  const last = rows.at(-1)
  if (!last) {
    await updateImportEnded(tx, tenant, { id, status: 'completed', error: null, now })
    await appendEvents(tx, tenant, [
      {
        type: 'import.completed',
        occurredAt: now,
        campaignId: row.campaignId,
        data: { importId: id, added: row.added, failed: row.failed },
      },
    ])
    return false
  }
  const taken = await takeRows(tx, tenant, { row, rows, secrets, now })
  if (taken === 'campaign_gone') {
    await updateImportEnded(tx, tenant, { id, status: 'failed', error: 'The campaign was deleted.', now })
    return false
  }
  const { refused } = taken
  await settleImportRows(tx, tenant, { importId: id, afterRow: row.rowsRead, lastRow: last.rowNumber, refused })
  await updateImportProgress(tx, tenant, { id, status: 'running', read: rows.length, ...taken.counts })
  return true
}

interface Batch {
  row: ImportRow
  rows: StoredRow[]
  secrets: AddressHashes
  now: Date
}

async function takeRows(tx: Transaction, tenant: Tenant, batch: Batch) {
  const columns = batch.row.columns === null ? readHeader(batch.row.header) : columnsOf(batch.row.columns)
  const fit = batch.rows.filter((stored) => stored.reason === null)
  const unfit = batch.rows.length - fit.length
  try {
    const answer = await addLeads(tx, tenant, {
      campaignId: batch.row.campaignId,
      input: {
        leads: fit.map((stored) => rowToLead(columns, stored.fields)),
        onDuplicate: batch.row.onDuplicate,
        skipIfInOtherCampaign: false,
      },
      secrets: batch.secrets,
      now: batch.now,
    })
    const refused = answer.results.flatMap((result) => {
      const stored = fit[result.index]
      return result.outcome === 'invalid' && stored
        ? [{ rowNumber: stored.rowNumber, reason: result.reason ?? 'invalid_field' }]
        : []
    })
    const { added, updated, skipped, invalid: failed } = answer
    const skippedReasons = { ...batch.row.skippedReasons }
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

/** The refused rows as they came, their number and the reason in front; read a page at a time while it is sent. */
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
