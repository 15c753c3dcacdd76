import { notFound } from '@overture/contract/errors.ts'
import { eventEndpoints, type Activity, type Event } from '@overture/contract/events-endpoints.ts'
import {
  countEvents,
  eventBodyOf,
  eventDataOf,
  findEventPosition,
  listEvents,
  waitForCommittedEvents,
  type FeedFilter,
  type FeedPosition,
  type StoredEvent,
} from '../platform/events/feed.ts'
import { decodeCursor, encodeCursor, pageOf } from '../platform/http/paging.ts'
import { query, type RequestContext, type Route } from '../platform/http/route.ts'
import { findCampaignFacts } from './analytics-facts.sql.ts'
import { boundOf } from './periods.ts'

const settleMsMax = 500

export function activityRoutes(): Route[] {
  return [
    query(eventEndpoints.listEvents, async (context, { query: asked }) => {
      const after = asked.after === undefined ? undefined : await positionOf(context, asked.after)
      const feed = await readFeed(context, asked, { order: asked.order, type: asked.type, after })
      return { ...feed, results: feed.results.map((row) => eventBodyOf(row) as Event) }
    }),
    query(eventEndpoints.getCampaignActivity, async (context, { params, query: asked }) => {
      if (!(await findCampaignFacts(context.app.db, context.tenant, params.id))) throw notFound()
      return activityFeed(context, { ...asked, campaignId: params.id })
    }),
    query(eventEndpoints.getAccountActivity, (context, { query: asked }) => activityFeed(context, asked)),
  ]
}

interface Paging {
  page?: number | undefined
  limit: number
  cursor?: string | undefined
}
interface ActivityQuery extends Paging {
  campaignId?: string | undefined
  leadId?: string | undefined
  type?: string | undefined
  from?: string | undefined
  to?: string | undefined
  order: 'asc' | 'desc'
}
type Condition = Omit<FeedFilter, 'limit' | 'offset'>

async function activityFeed(context: RequestContext, asked: ActivityQuery) {
  const feed = await readFeed(context, asked, {
    order: asked.order,
    campaignId: asked.campaignId,
    leadId: asked.leadId,
    type: asked.type,
    from: asked.from === undefined ? undefined : boundOf(asked.from, 'UTC', 'from'),
    to: asked.to === undefined ? undefined : boundOf(asked.to, 'UTC', 'to'),
  })
  return { ...feed, results: feed.results.map(activityOf) }
}

/** One page. A cursor carries page and total along, so that walking on never counts the log again. */
async function readFeed({ app, tenant }: RequestContext, paging: Paging, condition: Condition) {
  if (condition.order === 'asc') await waitForCommittedEvents(app.db, tenant, settleMsMax)
  const walk = paging.cursor === undefined ? null : readCursor(paging.cursor)
  const page = walk?.page ?? paging.page ?? 1
  const totalCount = walk?.totalCount ?? (await countEvents(app.db, tenant, { ...condition, limit: 0 }))
  const rows = await listEvents(app.db, tenant, {
    ...condition,
    after: walk?.after ?? condition.after,
    limit: paging.limit + 1,
    offset: walk ? 0 : (page - 1) * paging.limit,
  })
  const results = rows.slice(0, paging.limit)
  const last = results.at(-1)
  const nextCursor =
    rows.length > paging.limit && last ? encodeCursor([last.txId, last.position, page + 1, totalCount]) : null
  return { results, pagination: pageOf({ page, limit: paging.limit, totalCount }), nextCursor }
}

function readCursor(text: string): { after: FeedPosition; page: number; totalCount: number } {
  const [txId, position, page, totalCount] = decodeCursor(text, 4)
  return {
    after: { txId: String(txId), position: Number(position) },
    page: Number(page),
    totalCount: Number(totalCount),
  }
}

async function positionOf({ app, tenant }: RequestContext, eventId: string): Promise<FeedPosition> {
  const position = await findEventPosition(app.db, tenant, eventId)
  if (!position) throw notFound()
  return position
}

function activityOf(row: StoredEvent): Activity {
  return {
    id: row.id,
    type: row.type as Activity['type'],
    occurredAt: row.occurredAt.toISOString(),
    campaignId: row.campaignId,
    leadId: row.leadId,
    leadEmail: row.leadEmail,
    messageId: row.messageId,
    stepId: row.stepId,
    sendingAccountId: row.sendingAccountId,
    data: eventDataOf(row),
  }
}
