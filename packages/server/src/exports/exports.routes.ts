import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { AppError, notFound } from '@overture/contract/errors.ts'
import { exportEndpoints as api } from '@overture/contract/exports/exports.ts'
import type { Database, Executor } from '../platform/db/database.ts'
import { answerList, byId } from '../platform/http/paging.ts'
import { command, query, type RequestContext, type Route } from '../platform/http/route.ts'
import type { Tenant } from '../platform/tenant.ts'
import { createExport, presentExports, removeExport } from './exports.commands.ts'
import {
  countExports,
  type ExportFileRow,
  type ExportRecord,
  findChunk,
  findExport,
  findExportFile,
  listExports,
} from './exports.sql.ts'

const unpack = promisify(gunzip)
const contentTypes = { csv: 'text/csv; charset=utf-8; header=present', ndjson: 'application/x-ndjson; charset=utf-8' }

export function exportRoutes(): Route[] {
  return [
    command(api.createExport, async (context, { body }, tx) => {
      const { tenant, now } = context
      return showExport(context, tx, await createExport(tx, tenant, { input: body, now }))
    }),
    query(api.listExports, ({ app, tenant, now }, { query: listQuery }) =>
      answerList(listQuery, {
        key: byId,
        list: (range) => listExports(app.db, tenant, now, range),
        count: () => countExports(app.db, tenant, now),
        present: (rows) => presentExports(app.db, tenant, { rows, publicUrl: app.config.publicUrl }),
      }),
    ),
    query(api.getExport, async (context, { params }) =>
      showExport(context, context.app.db, await requireExport(context, params.id)),
    ),
    query(api.downloadExportFile, async (context, { params }) => {
      const { app, tenant } = context
      const row = await requireExport(context, params.id)
      const file = await findExportFile(app.db, tenant, { exportId: row.id, content: params.table })
      if (file === undefined) throw notFound()
      if (file.sha256 === null) throw incomplete(row)
      context.setHeader('content-type', contentTypes[row.format])
      context.setHeader('content-length', String(file.bytes))
      context.setHeader('content-disposition', `attachment; filename="${file.content}.${row.format}"`)
      context.setHeader('x-content-type-options', 'nosniff')
      return Readable.from(readChunks(app.db, tenant, file), { objectMode: false })
    }),
    command(api.deleteExport, ({ tenant, now }, { params }, tx) => removeExport(tx, tenant, { id: params.id, now })),
  ]
}

async function requireExport({ app, tenant, now }: RequestContext, id: string): Promise<ExportRecord> {
  const row = await findExport(app.db, tenant, { id, now })
  if (row === undefined) throw notFound()
  return row
}

async function showExport({ app, tenant }: RequestContext, db: Executor, row: ExportRecord) {
  const [shown] = await presentExports(db, tenant, { rows: [row], publicUrl: app.config.publicUrl })
  return shown!
}

function incomplete({ status }: ExportRecord): AppError {
  const message = 'The file is not complete. Read the export until the file has a url.'
  return new AppError('CONFLICT', message, { currentStatus: status, allowedActions: ['delete'] })
}

/** One part at a time. If the file is deleted meanwhile, the download fails instead of ending early. */
async function* readChunks(db: Database, tenant: Tenant, file: ExportFileRow): AsyncGenerator<Buffer> {
  const { exportId, content, bytes } = file
  for (let position = 0, sent = 0; sent < bytes; position++) {
    const packed = await findChunk(db, tenant, { exportId, content, position })
    if (packed === undefined) throw new Error('The export was deleted during the download.')
    const part = await unpack(packed)
    sent += part.length
    yield part
  }
}
