import { likeAnywhere } from '@overture/ground/text/like.ts'
import { notFound } from '@overture/contract/errors.ts'
import { templateEndpoints } from '@overture/contract/templates/templates.ts'
import { answerList, byId, type PageQuery } from '../platform/http/paging.ts'
import { command, query, type BodyCheck, type RequestContext, type Route } from '../platform/http/route.ts'
import { changeTemplate, createTemplate, presentTemplate, previewTemplate, removeTemplate } from './templates.shell.ts'
import type { TemplateRenderer } from './renderer.client.ts'
import { issuesIn, textsIn } from './template-issues.ts'
import { countTemplates, findTemplate, listTemplates } from './templates.sql.ts'

export function templateRoutes(renderer: TemplateRenderer): Route[] {
  const textIssues: BodyCheck = async (body, tenant) => issuesIn(body, await renderer.check(tenant, textsIn(body)))
  return [
    query(templateEndpoints.listTemplates, (context, { query: listQuery }) => listPage(context, listQuery)),
    command(templateEndpoints.createTemplate, (context, { body }, tx) => createTemplate(context, tx, body), textIssues),
    query(templateEndpoints.getTemplate, async ({ app, tenant }, { params }) => {
      const row = await findTemplate(app.db, tenant, params.id)
      if (!row) throw notFound()
      return presentTemplate(row)
    }),
    command(
      templateEndpoints.updateTemplate,
      (context, { params, body }, tx) => changeTemplate(context, tx, { id: params.id, input: body }),
      textIssues,
    ),
    command(templateEndpoints.deleteTemplate, (context, { params }, tx) => removeTemplate(context, tx, params.id)),
    query(templateEndpoints.previewTemplate, (context, { params, body }) =>
      previewTemplate(context, { id: params.id, input: body, renderer }),
    ),
  ]
}

interface TemplateQuery extends PageQuery {
  q?: string | undefined
  tag?: string | undefined
}

async function listPage({ app, tenant }: RequestContext, listQuery: TemplateQuery) {
  const filter = {
    q: listQuery.q === undefined || listQuery.q === '' ? null : likeAnywhere(listQuery.q),
    tag: listQuery.tag ?? null,
  }
  return answerList(listQuery, {
    key: byId,
    list: (range) => listTemplates(app.db, tenant, filter, range),
    count: () => countTemplates(app.db, tenant, filter),
    present: (rows) => rows.map(presentTemplate),
  })
}
