import type { SuppressionImport } from '@overture/contract/suppressions/suppression-lists.ts'
import type { Secrets } from '../platform/crypto/secrets.shell.ts'
import type { Transaction } from '../platform/db/database.ts'
import { newId } from '../platform/ids.ts'
import { updateImportRemoved, type StoredRow, type SuppressionImportRow } from '../platform/imports/imports.sql.ts'
import { type Importer, importJob } from '../platform/imports/run-import.shell.ts'
import type { JobHandler } from '../platform/jobs/job.ts'
import type { Tenant } from '../platform/tenant.ts'
import { expireJob, expireNext } from './expiry.commands.ts'
import { readEntry, readEntryColumns } from './import-rows.ts'
import { deleteOlderEntries, findEndOfPage, type ListEntry, upsertListEntries } from './list-entries.sql.ts'
import type { SuppressionTools } from './suppression-tools.ts'

export const suppressionImportKind = 'suppressions.import'

const batchRowsMax = 5_000
const removePage = 10_000

export function suppressionJobs(tools: SuppressionTools = {}): JobHandler[] {
  return [
    importJob({
      jobKind: suppressionImportKind,
      importKind: 'suppressions',
      createImporter: ({ secrets }) => suppressionImporter(secrets, tools),
    }),
    expireJob(tools),
  ]
}

interface ReadyEntries {
  /** Each address and each domain once, as its last row in the batch says. */
  entries: ListEntry[]
  /** Rows that were read, including those with the same address or domain. */
  rows: number
  refused: { rowNumber: number; reason: string }[]
}

type Hashes = Pick<Secrets, 'addressHash' | 'digestHash'>

function suppressionImporter(secrets: Hashes, tools: SuppressionTools): Importer<'suppressions', ReadyEntries> {
  return {
    kind: 'suppressions',
    batchRowsMax,
    prepare: (rows, row) => readRows(secrets, rows, row.header),
    take: takeEntries,
    async finish(tx, tenant, { row, after, now }) {
      const last = replaces(row) ? await removeNextPage(tx, tenant, row, after) : null
      if (last !== null) return last
      await tools.freed?.(tx, tenant, now)
      await expireNext(tx, tenant, { after: now, notBefore: now })
      return null
    },
  }
}

function readRows(secrets: Hashes, rows: readonly StoredRow[], header: readonly string[]): ReadyEntries {
  const columns = readEntryColumns(header)
  const entries = new Map<string, ListEntry>()
  const refused: ReadyEntries['refused'] = []
  for (const { rowNumber, fields } of rows) {
    const read = readEntry(columns, fields)
    if (read.kind === 'refused') {
      refused.push({ rowNumber, reason: read.reason })
      continue
    }
    const { kind: _kind, ...entry } = read
    const hash = entryHash(secrets, entry)
    const key = hash?.toString('base64') ?? `@${entry.domain}`
    entries.set(key, { id: newId('sup'), hash, ...entry })
  }
  // All imports of a list lock its entries in this order.
  const inOrder = [...entries].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, entry]) => entry)
  return { entries: inOrder, rows: rows.length - refused.length, refused }
}

function entryHash(secrets: Hashes, { email, sha256 }: Pick<ListEntry, 'email' | 'sha256'>): Buffer | null {
  if (email !== null) return secrets.addressHash(email)
  return sha256 === null ? null : secrets.digestHash(Buffer.from(sha256, 'hex'))
}

async function takeEntries(
  tx: Transaction,
  tenant: Tenant,
  { row, ready }: { row: SuppressionImportRow; ready: ReadyEntries },
) {
  let added = 0
  const addresses = ready.entries.filter(({ hash }) => hash !== null)
  const domains = ready.entries.filter(({ hash }) => hash === null)
  for (const entries of [addresses, domains]) {
    if (entries.length === 0) continue
    const written = await upsertListEntries(tx, tenant, { ...toWriter(row), entries })
    added += entries.filter(({ id }) => written.has(id)).length
  }
  const { rows, refused } = ready
  const counts = { added, updated: rows - added, skipped: 0, failed: refused.length, skippedReasons: {} }
  return { kind: 'taken' as const, refused, ...counts }
}

/** A file of which all rows are refused is not a list, so it removes nothing. */
function replaces({ mode, rowsRead, failed }: SuppressionImportRow): boolean {
  return mode === 'replace' && (rowsRead === 0 || failed < rowsRead)
}

/** Removes older entries of one page of the list. Returns the end of the page, or null after the last page. */
async function removeNextPage(
  tx: Transaction,
  tenant: Tenant,
  row: SuppressionImportRow,
  after: string,
): Promise<string | null> {
  const last = await findEndOfPage(tx, tenant, { list: row.list, after, limit: removePage })
  if (last === null) return null
  const removed = await deleteOlderEntries(tx, tenant, { ...toWriter(row), after, last })
  if (removed > 0) await updateImportRemoved(tx, tenant, { id: row.id, removed })
  return last
}

function toWriter({ id, list, createdAt }: SuppressionImportRow) {
  return { list, importId: id, importedAt: createdAt }
}

export function presentSuppressionImport(row: SuppressionImportRow, publicUrl: string): SuppressionImport {
  return {
    id: row.id,
    list: row.list,
    mode: row.mode,
    status: row.status,
    rowsTotal: row.rowsTotal,
    rowsRead: row.rowsRead,
    added: row.added,
    updated: row.updated,
    removed: row.removed,
    failed: row.failed,
    errorsUrl: row.failed > 0 ? `${publicUrl}/v2/suppressions/imports/${row.id}/errors` : null,
    error: row.error,
    createdAt: row.createdAt.toISOString(),
    completedAt: row.completedAt?.toISOString() ?? null,
  }
}
