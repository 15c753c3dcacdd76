import { Readable } from 'node:stream'
import { auditEndpoints } from '@overture/contract/team/audit.ts'
import { answerList, byPosition } from '../platform/http/paging.ts'
import { query, type Route } from '../platform/http/route.ts'
import { toAuditEntry } from './audit-entry.ts'
import { exportLines } from './audit-export.shell.ts'
import { countAuditEntries, listAuditEntries } from './audit-log.sql.ts'

const countedMax = 10_000
const types = { csv: 'text/csv; charset=utf-8', ndjson: 'application/x-ndjson; charset=utf-8' } as const

export function auditRoutes(): Route[] {
  return [
    query(auditEndpoints.listAuditLog, async ({ app, tenant }, { query: listQuery }) =>
      answerList(listQuery, {
        key: byPosition,
        list: (range) => listAuditEntries(app.db, tenant.accountId, { ...range, filter: listQuery }),
        count: (known) =>
          known === null
            ? countAuditEntries(app.db, tenant.accountId, { filter: listQuery, max: countedMax })
            : Promise.resolve(known),
        present: (rows) => rows.map(toAuditEntry),
      }),
    ),
    query(auditEndpoints.exportAuditLog, async (context, { query: { format, ...filter } }) => {
      const { app, tenant } = context
      context.setHeader('content-type', types[format])
      context.setHeader('content-disposition', `attachment; filename="audit-log.${format}"`)
      return Readable.from(exportLines(app.db, tenant.accountId, { filter, format }))
    }),
  ]
}
