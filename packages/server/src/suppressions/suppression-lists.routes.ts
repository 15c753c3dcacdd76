import { Readable } from 'node:stream'
import { notFound } from '@overture/contract/errors.ts'
import { suppressionListEndpoints } from '@overture/contract/suppressions/suppression-lists.ts'
import type { Executor } from '../platform/db/database.ts'
import { answerList, type CursorKey } from '../platform/http/paging.ts'
import { phased, query } from '../platform/http/route.ts'
import type { Route } from '../platform/http/route.ts'
import { newId } from '../platform/ids.ts'
import { errorLines } from '../platform/imports/import-errors.shell.ts'
import { findImport } from '../platform/imports/imports.sql.ts'
import { receiveUpload } from '../platform/imports/uploads.shell.ts'
import type { Tenant } from '../platform/tenant.ts'
import { exportLines } from './export.shell.ts'
import { readEntryColumns } from './import-rows.ts'
import { presentSuppressionImport, suppressionImportKind } from './imports.commands.ts'
import { countSuppressionLists, listSuppressionLists } from './list-entries.sql.ts'

const api = suppressionListEndpoints
const csvType = 'text/csv; charset=utf-8'

const byName: CursorKey<{ name: string }, string> = {
  of: ({ name }) => [name],
  read: ([name, ...rest]) => (typeof name === 'string' && rest.length === 0 ? name : null),
}

export function suppressionListRoutes(): Route[] {
  return [
    phased(
      api.importSuppressions,
      async ({ app, tenant, caller, now }, { query: { list, mode, encoding, sheet }, upload }, answer) => {
        const request = {
          id: newId('imp'),
          target: { list, mode },
          jobKind: suppressionImportKind,
          checkHeader: readEntryColumns,
          keyId: caller.id,
          encoding: encoding ?? null,
          sheet: sheet ?? null,
          now,
        }
        return receiveUpload(app, tenant, { ...request, bytes: upload }, (complete) =>
          answer(async (tx) => {
            await complete(tx)
            return presentSuppressionImport(await getSuppressionImport(tx, tenant, request.id), app.config.publicUrl)
          }),
        )
      },
    ),
    query(api.getSuppressionImport, async ({ app, tenant }, { params }) =>
      presentSuppressionImport(await getSuppressionImport(app.db, tenant, params.id), app.config.publicUrl),
    ),
    query(api.getSuppressionImportErrors, async (context, { params }) => {
      const { app, tenant } = context
      const row = await getSuppressionImport(app.db, tenant, params.id)
      context.setHeader('content-type', csvType)
      context.setHeader('content-disposition', 'attachment; filename="errors.csv"')
      return Readable.from(errorLines(app.db, tenant, row))
    }),
    query(api.exportSuppressions, async (context, { query: listQuery }) => {
      const { app, tenant } = context
      context.setHeader('content-type', csvType)
      context.setHeader('content-disposition', 'attachment; filename="suppressions.csv"')
      const filter = { pattern: null, source: listQuery.source ?? null, list: listQuery.list ?? null }
      return Readable.from(exportLines(app.db, tenant, filter))
    }),
    query(api.listSuppressionLists, ({ app, tenant }, { query: listQuery }) =>
      answerList(listQuery, {
        key: byName,
        list: (range) => listSuppressionLists(app.db, tenant, range),
        count: (seen) => seen ?? countSuppressionLists(app.db, tenant),
        present: (rows) => rows,
      }),
    ),
  ]
}

async function getSuppressionImport(db: Executor, tenant: Tenant, id: string) {
  const row = await findImport(db, tenant, { id, kind: 'suppressions' })
  if (!row) throw notFound()
  return row
}
