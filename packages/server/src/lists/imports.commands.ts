import { notFound } from '@overture/contract/errors.ts'
import type { ListImport } from '@overture/contract/lists/lists.ts'
import { refusalReasons } from '@overture/ground/text/refused-rows.ts'
import { toImportColumns, type ImportColumn, readHeader, rowToLead } from '../campaigns/imports/import-columns.ts'
import { leadRefusals } from '../campaigns/imports/refusals.ts'
import { readLead, type ReadLead } from '../campaigns/leads/lead.ts'
import type { Executor, Transaction } from '../platform/db/database.ts'
import { findImport, type MemberImportRow, type StoredRow } from '../platform/imports/imports.sql.ts'
import type { Importer } from '../platform/imports/run-import.shell.ts'
import type { Tenant } from '../platform/tenant.ts'
import { findList } from './lists.sql.ts'
import { addReadMembers } from './members.commands.ts'

export const memberImportKind = 'lists.import'

const batchRowsMax = 2_000

interface ReadyMembers {
  fit: readonly StoredRow[]
  read: ReadLead[]
  columns: ImportColumn[]
}

export function memberImporter(): Importer<'members', ReadyMembers> {
  return {
    kind: 'members',
    batchRowsMax,
    prepare(fit, row) {
      const columns = row.columns === null ? readHeader(row.header) : toImportColumns(row.columns)
      return { fit, columns, read: fit.map((stored, index) => readLead(rowToLead(columns, stored.fields), index)) }
    },
    take: takeMembers,
    finish: () => Promise.resolve(null),
  }
}

async function takeMembers(
  tx: Transaction,
  tenant: Tenant,
  { row, ready, now }: { row: MemberImportRow; ready: ReadyMembers; now: Date },
) {
  const { fit, read, columns } = ready
  if ((await findList(tx, tenant, row.personListId)) === undefined)
    return { kind: 'failed' as const, error: 'The list was deleted.' }
  const { checked, output } = await addReadMembers(tx, tenant, { listId: row.personListId, read, now })
  const { added, updated, invalid: failed } = output
  const refused = checked.flatMap((item) => {
    const stored = item.kind === 'invalid' ? fit[item.result.index] : undefined
    return item.kind === 'invalid' && stored
      ? [{ rowNumber: stored.rowNumber, reason: refusalReasons(leadRefusals(item, { header: row.header, columns })) }]
      : []
  })
  return { kind: 'taken' as const, refused, added, updated, skipped: 0, failed, skippedReasons: {} }
}

export async function getMemberImport(db: Executor, tenant: Tenant, id: string): Promise<MemberImportRow> {
  const row = await findImport(db, tenant, { id, kind: 'members' })
  if (!row) throw notFound()
  return row
}

export function presentMemberImport(row: MemberImportRow, publicUrl: string): ListImport {
  return {
    id: row.id,
    listId: row.personListId,
    status: row.status,
    rowsTotal: row.rowsTotal,
    rowsRead: row.rowsRead,
    added: row.added,
    updated: row.updated,
    failed: row.failed,
    errorsUrl: row.failed > 0 ? `${publicUrl}/v2/lists/imports/${row.id}/errors` : null,
    error: row.error,
    createdAt: row.createdAt.toISOString(),
    completedAt: row.completedAt?.toISOString() ?? null,
  }
}
