import { notFound } from '@overture/contract/errors.ts'
import { webhookEndpoints } from '@overture/contract/webhooks.ts'
import { decodeCursor, encodeCursor, pageOf } from '../platform/http/paging.ts'
import { command, phased, query, type RequestContext, type Route } from '../platform/http/route.ts'
import { countDeliveries, listDeliveries } from './deliveries.sql.ts'
import {
  changeWebhook,
  checkUrl,
  createWebhook,
  presentDelivery,
  presentWebhook,
  queueTest,
  redeliver,
  removeWebhook,
  rotateSecret,
} from './webhooks.commands.ts'
import { countWebhooks, findWebhook, listWebhooks } from './webhooks.sql.ts'

export function webhookRoutes(): Route[] {
  return [
    query(webhookEndpoints.listWebhooks, (context, { query: asked }) => listPage(context, asked)),
    phased(webhookEndpoints.createWebhook, async (context, { body }, answer) => {
      await checkUrl(context, body.url)
      return answer((tx) => createWebhook(context, tx, body))
    }),
    query(webhookEndpoints.getWebhook, async ({ app, tenant }, { params }) => {
      const row = await findWebhook(app.db, tenant, params.id)
      if (!row) throw notFound()
      return presentWebhook(row)
    }),
    phased(webhookEndpoints.updateWebhook, async (context, { params, body }, answer) => {
      if (body.url !== undefined) await checkUrl(context, body.url)
      return answer((tx) => changeWebhook(context, tx, { id: params.id, input: body }))
    }),
    command(webhookEndpoints.deleteWebhook, (context, { params }, tx) => removeWebhook(context, tx, params.id)),
    command(webhookEndpoints.testWebhook, (context, { params, body }, tx) =>
      queueTest(context, tx, { id: params.id, type: body.type ?? 'message.sent' }),
    ),
    query(webhookEndpoints.listWebhookDeliveries, (context, { params, query: asked }) =>
      deliveryPage(context, params.id, asked),
    ),
    command(webhookEndpoints.redeliverWebhook, (context, { params }, tx) =>
      redeliver(context, tx, { webhookId: params.id, id: params.deliveryId }),
    ),
    command(webhookEndpoints.rotateWebhookSecret, (context, { params }, tx) => rotateSecret(context, tx, params.id)),
  ]
}

interface Paging {
  page?: number | undefined
  limit: number
  cursor?: string | undefined
}

/** Endpoints are few (50 at most), so that a cursor is a page's number. */
async function listPage({ app, tenant }: RequestContext, asked: Paging) {
  const page = asked.cursor === undefined ? (asked.page ?? 1) : Number(decodeCursor(asked.cursor, 1)[0]) || 1
  const totalCount = await countWebhooks(app.db, tenant)
  const rows = await listWebhooks(app.db, tenant, { limit: asked.limit, offset: (page - 1) * asked.limit })
  const nextCursor = page * asked.limit < totalCount ? encodeCursor([page + 1]) : null
  return { results: rows.map(presentWebhook), pagination: pageOf({ page, limit: asked.limit, totalCount }), nextCursor }
}

interface DeliveryQuery extends Paging {
  status?: string | undefined
  eventId?: string | undefined
}

async function deliveryPage({ app, tenant }: RequestContext, webhookId: string, asked: DeliveryQuery) {
  if (!(await findWebhook(app.db, tenant, webhookId))) throw notFound()
  const after = asked.cursor === undefined ? null : readCursor(asked.cursor)
  const page = asked.page ?? 1
  const filter = {
    webhookId,
    status: asked.status ?? null,
    eventId: asked.eventId ?? null,
    after,
    limit: asked.limit + 1,
    offset: after ? 0 : (page - 1) * asked.limit,
  }
  const totalCount = await countDeliveries(app.db, tenant, filter)
  const rows = await listDeliveries(app.db, tenant, filter)
  const results = rows.slice(0, asked.limit).map(presentDelivery)
  const last = results.at(-1)
  const nextCursor = rows.length > asked.limit && last ? encodeCursor([last.createdAt, last.id]) : null
  return { results, pagination: pageOf({ page, limit: asked.limit, totalCount }), nextCursor }
}

function readCursor(text: string): { createdAt: string; id: string } {
  const [createdAt, id] = decodeCursor(text, 2)
  return { createdAt: String(createdAt), id: String(id) }
}
