import type { App } from '../app.ts'
import type { Database, Executor, Transaction } from '../db/database.ts'
import type { JobContext, JobHandler } from '../jobs/job.ts'
import type { Tenant } from '../tenant.ts'
import {
  type ImportRow,
  type ImportRows,
  listNextImportRows,
  lockImport,
  settleImportRows,
  type StoredRow,
  updateImportEnded,
  updateImportProgress,
} from './imports.sql.ts'

const batchCharactersMax = 4_000_000

interface TakenRows {
  kind: 'taken'
  added: number
  updated: number
  skipped: number
  failed: number
  /** The number of skipped rows per reason, earlier batches included. */
  skippedReasons: Readonly<Record<string, number>>
  refused: readonly { rowNumber: number; reason: string }[]
}

/** A feature's part in an import. `Ready` is a batch of rows that were read and checked before their transaction. */
export interface Importer<Kind extends keyof ImportRows, Ready> {
  kind: Kind
  batchRowsMax: number
  /** Checks rows that the upload did not refuse. It runs while the database writes the previous batch. */
  prepare(rows: readonly StoredRow[], row: ImportRows[Kind]): Ready
  /** Stores a batch. */
  take(
    tx: Transaction,
    tenant: Tenant,
    batch: { row: ImportRows[Kind]; ready: Ready; now: Date },
  ): Promise<TakenRows | { kind: 'failed'; error: string }>
  /**
   * Called after the last row, each time in a transaction, until it returns null. It gets what it returned before, or an empty
   * text. After a crash it begins again.
   */
  finish(
    tx: Transaction,
    tenant: Tenant,
    last: { row: ImportRows[Kind]; after: string; now: Date },
  ): Promise<string | null>
}

const triesMax = 20
const givenUp =
  `The import was given up after ${triesMax} tries. The rows that it has read stay imported. Import the rest of the file again. ` +
  'The log of the server has the reason.'

interface ImportJob<Kind extends keyof ImportRows, Ready> {
  jobKind: string
  importKind: Kind
  createImporter: (app: App) => Importer<Kind, Ready>
}

/** The job that imports rows. If all tries fail, the import fails with a reason, and keeps what was imported. */
export function importJob<Kind extends keyof ImportRows, Ready>({
  jobKind,
  importKind,
  createImporter,
}: ImportJob<Kind, Ready>): JobHandler {
  return {
    kind: jobKind,
    maxAttempts: triesMax,
    lane: 'rows',
    run: (context, payload) => runImport(context, payload, createImporter(context.app)),
    async giveUp(tx, tenant, { payload, now }) {
      const id = String(payload['importId'])
      const row = await lockImport(tx, tenant, { id, kind: importKind })
      if (row === undefined || hasEnded(row)) return
      await updateImportEnded(tx, tenant, { id, status: 'failed', error: givenUp, now })
    },
  }
}

function hasEnded({ status }: ImportRow): boolean {
  return status === 'completed' || status === 'failed'
}

/**
 * Imports the staged rows, one batch per transaction: after a crash another worker continues after the last commit. While the
 * database writes a batch, the next one is read and checked here.
 */
async function runImport<Kind extends keyof ImportRows, Ready>(
  { app, tenant, now, signal }: JobContext,
  payload: Record<string, unknown>,
  importer: Importer<Kind, Ready>,
): Promise<void> {
  const nowOf = (tx: Executor) => app.clocks.now(tx, tenant)
  const id = String(payload['importId'])
  const run: ImportRun<Kind, Ready> = { db: app.db, tenant, now, nowOf, id, importer, ahead: null, finishedTo: '' }
  for (let more = true; more && !signal.aborted;) {
    const ahead = await run.ahead
    run.ahead = null
    more = await app.db.transaction((tx) => takeBatch(tx, run, ahead))
  }
  await run.ahead
}

interface ImportRun<Kind extends keyof ImportRows, Ready> extends Pick<JobContext, 'tenant' | 'now'> {
  db: Database
  nowOf: (tx: Executor) => Promise<Date>
  id: string
  importer: Importer<Kind, Ready>
  /** The next batch. Null if it could not be read. */
  ahead: Promise<ReadBatch<Ready> | null> | null
  finishedTo: string
}

/** Rows after `afterRow`. `unfit` of them were refused at the upload, and `ready` contains the others. */
interface ReadBatch<Ready> {
  afterRow: number
  rows: StoredRow[]
  unfit: number
  ready: Ready
}

async function takeBatch<Kind extends keyof ImportRows, Ready>(
  tx: Transaction,
  run: ImportRun<Kind, Ready>,
  ahead: ReadBatch<Ready> | null,
): Promise<boolean> {
  const { tenant, id, now, importer } = run
  const row = await lockImport(tx, tenant, { id, kind: importer.kind })
  if (row === undefined || hasEnded(row)) return false
  // Rows are imported in order, so that no batch skips rows that earlier batches refused or left.
  const batch = ahead?.afterRow === row.rowsRead ? ahead : await readBatch(tx, run, row)
  const last = batch.rows.at(-1)
  if (!last) return finish(tx, run, row)
  run.ahead = readBatch(run.db, run, { ...row, rowsRead: last.rowNumber }).catch(() => null)
  const taken = await importer.take(tx, tenant, { row, ready: batch.ready, now })
  if (taken.kind === 'failed') {
    await updateImportEnded(tx, tenant, { id, status: 'failed', error: taken.error, now: await endTime(tx, run) })
    return false
  }
  const { refused, ...counts } = taken
  await settleImportRows(tx, tenant, { importId: id, afterRow: row.rowsRead, lastRow: last.rowNumber, refused })
  const progress = { ...counts, failed: counts.failed + batch.unfit, read: batch.rows.length }
  await updateImportProgress(tx, tenant, { id, status: 'running', ...progress })
  return true
}

async function finish<Kind extends keyof ImportRows, Ready>(
  tx: Transaction,
  run: ImportRun<Kind, Ready>,
  row: ImportRows[Kind],
): Promise<boolean> {
  const now = await endTime(tx, run)
  const after = await run.importer.finish(tx, run.tenant, { row, after: run.finishedTo, now })
  if (after === null) await updateImportEnded(tx, run.tenant, { id: run.id, status: 'completed', error: null, now })
  else run.finishedTo = after
  return after !== null
}

/** The tenant's current time, because `now` is the start of the job. While a clock is being moved, its jobs may be ahead of it. */
async function endTime<Kind extends keyof ImportRows, Ready>(tx: Transaction, { nowOf, now }: ImportRun<Kind, Ready>) {
  const shown = await nowOf(tx)
  return shown > now ? shown : now
}

/** Only their own import deletes staged rows, so they can be read before their turn. */
async function readBatch<Kind extends keyof ImportRows, Ready>(
  db: Executor,
  { tenant, id, importer }: ImportRun<Kind, Ready>,
  row: ImportRow & ImportRows[Kind],
): Promise<ReadBatch<Ready>> {
  const page = { afterRow: row.rowsRead, limit: importer.batchRowsMax, charactersMax: batchCharactersMax }
  const rows = await listNextImportRows(db, tenant, id, page)
  const fit = rows.filter((stored) => stored.reason === null)
  return { afterRow: row.rowsRead, rows, unfit: rows.length - fit.length, ready: importer.prepare(fit, row) }
}
