import { Readable } from 'node:stream'
import { CsvError, parse } from 'csv-parse'
import { stringify } from 'csv-stringify/sync'
import { invalid, notFound } from '@overture/contract/errors.ts'
import type { ImportJob } from '@overture/contract/campaigns/leads.ts'
import type { Database, Executor, Transaction } from '../../platform/db/database.ts'
import { appendEvents } from '../../platform/events/events.sql.ts'
import type { JobContext } from '../../platform/jobs/job.ts'
import type { Tenant } from '../../platform/tenant.ts'
import { addLeads } from '../leads/leads.commands.ts'
import { errorColumns, guardCell, readHeader, rowToLead } from './import-columns.ts'
import { delimiterOf, hasFirstRow, SpreadsheetText } from './import-text.ts'
import {
  findImport,
  type ImportRow,
  insertImport,
  insertImportRows,
  listRefusedImportRows,
  listNextImportRows,
  lockImport,
  settleImportRows,
  type StoredRow,
  updateImportEnded,
  updateImportProgress,
  type UploadedRow,
} from './imports.sql.ts'

const rowsMax = 1_000_000
const columnsMax = 200
const uploadBatch = 2000
const takeBatch = 1000
const errorsPage = 1000
const recordBytesMax = 1_000_000

/**
 * Reads the upload row by row into the staging table, in the caller's transaction: a refused or broken upload leaves
 * nothing behind. The job takes the rows over afterwards. Source: docs/contract.md, "Leads".
 */
export async function stageImport(
  tx: Transaction,
  tenant: Tenant,
  upload: { id: string; campaignId: string; onDuplicate: string; stream: Readable; now: Date },
): Promise<void> {
  const text = spreadsheetText(upload.stream)
  const { delimiter, rest } = delimiterOf(await firstRow(text))
  const parser = parse({ delimiter, relax_column_count: true, skip_empty_lines: true, max_record_size: recordBytesMax })
  const records = Readable.from(restOf(rest, text))
    .on('error', (error) => parser.destroy(error))
    .pipe(parser)
  let header: string[] | undefined
  let batch: UploadedRow[] = []
  let count = 0
  const store = async () => {
    await insertImportRows(tx, tenant, { importId: upload.id, firstRow: count - batch.length + 1, rows: batch })
    batch = []
  }
  try {
    for await (const record of records as AsyncIterable<string[]>) {
      if (!header) {
        header = checkHeader(record)
        await insertImport(tx, tenant, { ...upload, header })
        continue
      }
      if (++count > rowsMax) throw invalid({ path: '', rule: 'max_rows', message: `At most ${rowsMax} rows.` })
      batch.push(toRow(record))
      if (batch.length === uploadBatch) await store()
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    throw invalid({ path: '', rule: 'csv', message: `Not readable as CSV: ${error.message}` })
  }
  if (!header) throw invalid({ path: '', rule: 'csv', message: 'The file is empty: the first row names the columns.' })
  if (batch.length > 0) await store()
}

// PostgreSQL holds no null character: such a row is refused, and repeated with the sign for an unreadable one.
function toRow(record: string[]): UploadedRow {
  if (!record.some((field) => field.includes('\0'))) return { fields: record, reason: null }
  return { fields: record.map((field) => field.replaceAll('\0', '\ufffd')), reason: 'invalid_field' }
}

async function* spreadsheetText(stream: Readable): AsyncGenerator<string, void, void> {
  const text = new SpreadsheetText()
  // The upload stays open when reading stops early: its connection carries the answer.
  for await (const piece of stream.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>)
    yield text.read(piece)
  yield text.read(new Uint8Array(0), true)
}

/** Text up to at least the end of the first row, which tells how the columns are separated. */
async function firstRow(text: AsyncGenerator<string, void, void>): Promise<string> {
  let head = ''
  while (!hasFirstRow(head) && head.length < recordBytesMax) {
    const next = await text.next()
    if (next.done === true) break
    head += next.value
  }
  return head
}

async function* restOf(head: string, text: AsyncGenerator<string, void, void>): AsyncGenerator<string, void, void> {
  if (head !== '') yield head
  for await (const piece of text) if (piece !== '') yield piece
}

function checkHeader(header: string[]): string[] {
  if (header.length > columnsMax)
    throw invalid({ path: '', rule: 'max_columns', message: `At most ${columnsMax} columns.` })
  if (header.some((title) => title.includes('\0')))
    throw invalid({ path: '', rule: 'characters', message: 'The first row holds null characters: save it as UTF-8.' })
  const columns = readHeader(header)
  if (columns.some((column) => column?.kind === 'field' && column.name === 'email')) return header
  throw invalid({ path: 'email', rule: 'required', message: 'A column "email" is required in the first row.' })
}

/** Takes the staged rows over, a batch a transaction: a worker that dies goes on where the last commit was. */
export async function runImport(context: JobContext, payload: Record<string, unknown>): Promise<void> {
  const id = String(payload['importId'])
  for (let more = true; more && !context.signal.aborted;) {
    more = await context.app.db.transaction((tx) => takeImportBatch(tx, context.tenant, { id, now: context.now }))
  }
}

async function takeImportBatch(
  tx: Transaction,
  tenant: Tenant,
  { id, now }: { id: string; now: Date },
): Promise<boolean> {
  const row = await lockImport(tx, tenant, id)
  if (!row || row.status === 'completed' || row.status === 'failed') return false
  // Rows are taken in order, so that no batch passes over what earlier ones refused or left behind.
  const rows = await listNextImportRows(tx, tenant, id, { afterRow: row.rowsRead, limit: takeBatch })
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
  const taken = await takeRows(tx, tenant, { row, rows, now })
  if (taken === 'campaign_gone') {
    await updateImportEnded(tx, tenant, { id, status: 'failed', error: 'The campaign was deleted.', now })
    return false
  }
  const { refused } = taken
  await settleImportRows(tx, tenant, { importId: id, afterRow: row.rowsRead, lastRow: last.rowNumber, refused })
  await updateImportProgress(tx, tenant, { id, status: 'running', read: rows.length, ...taken.counts })
  return true
}

async function takeRows(tx: Transaction, tenant: Tenant, batch: { row: ImportRow; rows: StoredRow[]; now: Date }) {
  const columns = readHeader(batch.row.header)
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
      now: batch.now,
    })
    const refused = answer.results.flatMap((result) => {
      const stored = fit[result.index]
      return result.outcome === 'invalid' && stored
        ? [{ rowNumber: stored.rowNumber, reason: result.reason ?? 'invalid_field' }]
        : []
    })
    const { added, updated, skipped, invalid: failed } = answer
    return { refused, counts: { added, updated, skipped, failed: failed + unfit } }
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
    rowsRead: row.rowsRead,
    added: row.added,
    updated: row.updated,
    skipped: row.skipped,
    failed: row.failed,
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
