import { Readable } from 'node:stream'
import { notFound } from '@overture/contract/errors.ts'
import type { ImportJob } from '@overture/contract/campaigns/imports.ts'
import type { App } from '../../platform/app.ts'
import type { Database, Executor, Transaction } from '../../platform/db/database.ts'
import { appendEvents } from '../../platform/events/events.sql.ts'
import { errorLines } from '../../platform/imports/import-errors.shell.ts'
import { findImport, type LeadImportRow, type StoredRow } from '../../platform/imports/imports.sql.ts'
import { refusalReasons } from '@overture/ground/text/refused-rows.ts'
import { type Importer, importJob } from '../../platform/imports/run-import.shell.ts'
import type { JobHandler } from '../../platform/jobs/job.ts'
import type { Tenant } from '../../platform/tenant.ts'
import type { AddressHashes } from '../../suppressions/index.ts'
import { readLead, type ReadLead } from '../leads/lead.ts'
import { addReadLeads } from '../leads/leads.commands.ts'
import { toImportColumns, readHeader, rowToLead, type ImportColumn } from './import-columns.ts'
import { leadRefusals } from './refusals.ts'

const batchRowsMax = 1000

export const leadImportKind = 'campaigns.import'

export interface LeadImportTools {
  /** Starts a verification of the campaign's addresses, in the transaction that completes the import. */
  verify?: (tx: Transaction, tenant: Tenant, of: { campaignId: string; now: Date }) => Promise<unknown>
}

export function leadImportJob(tools: LeadImportTools): JobHandler {
  return importJob({
    jobKind: leadImportKind,
    importKind: 'leads',
    createImporter: ({ secrets }) => leadImporter(secrets, tools),
  })
}

/** `read` contains the leads of the rows in `fit`. */
interface ReadyLeads {
  fit: readonly StoredRow[]
  read: ReadLead[]
  columns: ImportColumn[]
  secrets: AddressHashes
}

function leadImporter(secrets: App['secrets'], tools: LeadImportTools): Importer<'leads', ReadyLeads> {
  return {
    kind: 'leads',
    batchRowsMax,
    prepare(fit, row) {
      const columns = row.columns === null ? readHeader(row.header) : toImportColumns(row.columns)
      const read = fit.map((stored, index) => readLead(rowToLead(columns, stored.fields), index))
      const emails = read.flatMap((item) => (item.kind === 'lead' ? [item.lead.email] : []))
      return { fit, read, columns, secrets: hashedBefore(secrets, emails) }
    },
    take: takeLeads,
    async finish(tx, tenant, { row, now }) {
      const data = { importId: row.id, added: row.added, failed: row.failed }
      await appendEvents(tx, tenant, [{ type: 'import.completed', occurredAt: now, campaignId: row.campaignId, data }])
      if (row.verify) await tools.verify?.(tx, tenant, { campaignId: row.campaignId, now })
      return null
    },
  }
}

function hashedBefore(secrets: AddressHashes, emails: readonly string[]): AddressHashes {
  const hashes = new Map(emails.map((email) => [email, secrets.addressHash(email)]))
  return { addressHash: (email) => hashes.get(email) ?? secrets.addressHash(email) }
}

async function takeLeads(
  tx: Transaction,
  tenant: Tenant,
  { row, ready, now }: { row: LeadImportRow; ready: ReadyLeads; now: Date },
) {
  const { fit, read, columns, secrets } = ready
  try {
    const answer = await addReadLeads(tx, tenant, {
      campaignId: row.campaignId,
      input: { onDuplicate: row.onDuplicate, skipIfInOtherCampaign: row.skipIfInOtherCampaign },
      read,
      secrets,
      now,
    })
    const refused = answer.results.flatMap((result) => {
      const stored = fit[result.index]
      const item = read[result.index]
      if (stored === undefined || result.outcome !== 'invalid') return []
      const others = item?.kind === 'invalid' ? item.others : []
      const refusals = leadRefusals({ kind: 'invalid', result, others }, { header: row.header, columns })
      return [{ rowNumber: stored.rowNumber, reason: refusalReasons(refusals) }]
    })
    const { added, updated, skipped, invalid: failed } = answer
    const skippedReasons = { ...row.skippedReasons }
    for (const { outcome, reason } of answer.results)
      if (outcome === 'skipped' && reason !== null) skippedReasons[reason] = (skippedReasons[reason] ?? 0) + 1
    return { kind: 'taken' as const, refused, added, updated, skipped, failed, skippedReasons }
  } catch (error) {
    if (isNotFound(error)) return { kind: 'failed' as const, error: 'The campaign was deleted.' }
    throw error
  }
}

function isNotFound(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'NOT_FOUND'
}

export function presentImport(row: LeadImportRow, publicUrl: string): ImportJob {
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

export async function getImport(db: Executor, tenant: Tenant, id: string): Promise<LeadImportRow> {
  const row = await findImport(db, tenant, { id, kind: 'leads' })
  if (!row) throw notFound()
  return row
}

/** The first refused rows, or all, as they were uploaded, after their number and the reason. */
export async function importErrors(
  db: Database,
  tenant: Tenant,
  { id, limit }: { id: string; limit: number | undefined },
): Promise<Readable> {
  return Readable.from(errorLines(db, tenant, await getImport(db, tenant, id), limit))
}
