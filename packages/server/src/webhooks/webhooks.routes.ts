import { notFound } from '@overture/contract/errors.ts'
import { webhookEndpoints } from '@overture/contract/webhooks/webhooks.ts'
import { answerList, byId, byTime, type PageQuery } from '../platform/http/paging.ts'
import { command, phased, query, type RequestContext, type Route } from '../platform/http/route.ts'
import { countDeliveries, type DeliveryRow, listDeliveries } from './deliveries.sql.ts'
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
} from './webhooks.shell.ts'
import { countWebhooks, findWebhook, listWebhooks } from './webhooks.sql.ts'

export function webhookRoutes(): Route[] {
  return [
    query(webhookEndpoints.listWebhooks, (context, { query: listQuery }) => listPage(context, listQuery)),
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
    query(webhookEndpoints.listWebhookDeliveries, (context, { params, query: listQuery }) =>
      deliveryPage(context, params.id, listQuery),
    ),
    command(webhookEndpoints.redeliverWebhook, (context, { params }, tx) =>
      redeliver(context, tx, { webhookId: params.id, id: params.deliveryId }),
    ),
    command(webhookEndpoints.rotateWebhookSecret, (context, { params }, tx) => rotateSecret(context, tx, params.id)),
  ]
}

function listPage({ app, tenant }: RequestContext, listQuery: PageQuery) {
  return answerList(listQuery, {
    key: byId,
    list: (range) => listWebhooks(app.db, tenant, range),
    count: () => countWebhooks(app.db, tenant),
    present: (rows) => rows.map(presentWebhook),
  })
}

interface DeliveryQuery extends PageQuery {
  status?: string | undefined
  eventId?: string | undefined
}

const byCreation = byTime((row: DeliveryRow) => row.createdAt)

async function deliveryPage({ app, tenant }: RequestContext, webhookId: string, listQuery: DeliveryQuery) {
  if (!(await findWebhook(app.db, tenant, webhookId))) throw notFound()
  const filter = { webhookId, status: listQuery.status ?? null, eventId: listQuery.eventId ?? null }
  return answerList(listQuery, {
    key: byCreation,
    list: (range) => listDeliveries(app.db, tenant, filter, range),
    count: () => countDeliveries(app.db, tenant, filter),
    present: (rows) => rows.map(presentDelivery),
  })
}
