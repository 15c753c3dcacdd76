import { notFound } from '@overture/contract/errors.ts'
import { reportEndpoints as api } from '@overture/contract/reports/report-endpoints.ts'
import { answerList, byId } from '../platform/http/paging.ts'
import { command, query, type Route } from '../platform/http/route.ts'
import { changeReport, createReport, presentReports, removeReport, showReport, startRun } from './reports.commands.ts'
import { countReports, findReport, listReports } from './reports.sql.ts'

export function reportRoutes(): Route[] {
  return [
    query(api.listReports, ({ app, tenant }, { query: listQuery }) =>
      answerList(listQuery, {
        key: byId,
        list: (range) => listReports(app.db, tenant, range),
        count: (seen) => seen ?? countReports(app.db, tenant),
        present: (rows) => presentReports(app.db, tenant, rows),
      }),
    ),
    command(api.createReport, ({ tenant, now }, { body }, tx) => createReport(tx, tenant, { input: body, now })),
    query(api.getReport, async ({ app, tenant }, { params }) => {
      const row = await findReport(app.db, tenant, params.id)
      if (row === undefined) throw notFound()
      return showReport(app.db, tenant, row)
    }),
    command(api.updateReport, ({ tenant, now }, { params, body }, tx) =>
      changeReport(tx, tenant, { id: params.id, input: body, now }),
    ),
    command(api.deleteReport, ({ tenant }, { params }, tx) => removeReport(tx, tenant, params.id)),
    command(api.runReport, ({ tenant, now }, { params }, tx) => startRun(tx, tenant, { id: params.id, now })),
  ]
}
