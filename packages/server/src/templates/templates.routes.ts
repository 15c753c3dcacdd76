import { notFound } from '@overture/contract/errors.ts'
import { templateEndpoints } from '@overture/contract/templates.ts'
import { decodeCursor, encodeCursor, pageOf } from '../platform/http/paging.ts'
import { command, query, type RequestContext, type Route } from '../platform/http/route.ts'
import {
  changeTemplate,
  createTemplate,
  presentTemplate,
  previewTemplate,
  removeTemplate,
} from './templates.commands.ts'
import { countTemplates, findTemplate, listTemplates } from './templates.sql.ts'

export function templateRoutes(): Route[] {
  return [
    query(templateEndpoints.listTemplates, (context, { query: asked }) => listPage(context, asked)),
    command(templateEndpoints.createTemplate, (context, { body }, tx) => createTemplate(context, tx, body)),
    query(templateEndpoints.getTemplate, async ({ app, tenant }, { params }) => {
      const row = await findTemplate(app.db, tenant, params.id)
      if (!row) throw notFound()
      return presentTemplate(row)
    }),
    command(templateEndpoints.updateTemplate, (context, { params, body }, tx) =>
      changeTemplate(context, tx, { id: params.id, input: body }),
    ),
    command(templateEndpoints.deleteTemplate, (context, { params }, tx) => removeTemplate(context, tx, params.id)),
    query(templateEndpoints.previewTemplate, (context, { params, body }) => previewTemplate(context, params.id, body)),
  ]
}

interface TemplateQuery {
  page?: number | undefined
  limit: number
  cursor?: string | undefined
  q?: string | undefined
  tag?: string | undefined
}

async function listPage({ app, tenant }: RequestContext, asked: TemplateQuery) {
  const page = asked.page ?? 1
  const filter = {
    q: asked.q === undefined || asked.q === '' ? null : `%${asked.q.replace(/[\\%_]/g, String.raw`\$&`)}%`,
    tag: asked.tag ?? null,
    afterId: asked.cursor === undefined ? null : String(decodeCursor(asked.cursor, 1)[0]),
    limit: asked.limit + 1,
    offset: asked.cursor === undefined ? (page - 1) * asked.limit : 0,
  }
  const totalCount = await countTemplates(app.db, tenant, filter)
  const rows = await listTemplates(app.db, tenant, filter)
  const results = rows.slice(0, asked.limit)
  const last = results.at(-1)
  const nextCursor = rows.length > asked.limit && last ? encodeCursor([last.id]) : null
  return {
    results: results.map(presentTemplate),
    pagination: pageOf({ page, limit: asked.limit, totalCount }),
    nextCursor,
  }
}
