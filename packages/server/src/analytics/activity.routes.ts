import { notFound } from '@overture/contract/errors.ts'
import { eventEndpoints, type Activity, type Event } from '@overture/contract/events/events-endpoints.ts'
import {
  countEvents,
  publicEvent,
  toEventActor,
  publicEventData,
  findEvent,
  findEventPosition,
  findMovedPosition,
  listEvents,
  waitForCommittedEvents,
  type FeedFilter,
  type FeedPosition,
  type StoredEvent,
} from '../platform/events/feed.sql.ts'
import { answerList, countMax, type CursorKey, type PageQuery } from '../platform/http/paging.ts'
import { query, type RequestContext, type Route } from '../platform/http/route.ts'
import { monotonicMs } from '../platform/clock.ts'
import type { EventStreams } from './event-streams.shell.ts'
import { FullLogs } from './full-logs.ts'
import { findCampaignFacts } from './analytics-facts.sql.ts'
import { parseRangeBound } from './periods.ts'

const settleMsMax = 500
const fullLogs = new FullLogs()

export function activityRoutes(): Route[] {
  return [
    query(eventEndpoints.listEvents, async (context, { query: listQuery }) => {
      const after = listQuery.after === undefined ? undefined : await findPosition(context, listQuery.after)
      const feed = await readFeed(context, listQuery, { order: listQuery.order, type: listQuery.type, after })
      return { ...feed, results: feed.results.map((row) => publicEvent(row) as Event) }
    }),
    query(eventEndpoints.getEvent, async ({ app, tenant }, { params }) => {
      const row = await findEvent(app.db, tenant, params.id)
      if (row === null) throw notFound()
      return publicEvent(row) as Event
    }),
    query(eventEndpoints.getCampaignActivity, async (context, { params, query: listQuery }) => {
      if (!(await findCampaignFacts(context.app.db, context.tenant, params.id))) throw notFound()
      return activityFeed(context, { ...listQuery, campaignId: params.id })
    }),
    query(eventEndpoints.getAccountActivity, (context, { query: listQuery }) => activityFeed(context, listQuery)),
  ]
}

/** A live stream of the event log. */
export function eventStreamRoutes(streams: EventStreams): Route[] {
  return [
    query(eventEndpoints.streamEvents, async (context, { query: listQuery }) => {
      const { readable } = await streams.open(context.tenant, {
        callerId: context.caller.id,
        callerKind: context.caller.kind,
        filter: {
          types: listQuery.types === undefined ? null : new Set(listQuery.types.split(',')),
          campaignId: listQuery.campaignId ?? null,
          leadId: listQuery.leadId ?? null,
        },
        after: context.lastEventId ?? listQuery.after ?? null,
      })
      context.setHeader('content-type', 'text/event-stream; charset=utf-8')
      context.setHeader('x-accel-buffering', 'no')
      return readable
    }),
  ]
}

interface ActivityQuery extends PageQuery {
  campaignId?: string | undefined
  leadId?: string | undefined
  type?: string | undefined
  from?: string | undefined
  to?: string | undefined
  order: 'asc' | 'desc'
}
type Condition = Omit<FeedFilter, 'limit' | 'offset'>

async function activityFeed(context: RequestContext, listQuery: ActivityQuery) {
  const feed = await readFeed(context, listQuery, {
    order: listQuery.order,
    campaignId: listQuery.campaignId,
    leadId: listQuery.leadId,
    type: listQuery.type,
    from: listQuery.from === undefined ? undefined : parseRangeBound(listQuery.from, 'UTC', 'from'),
    to: listQuery.to === undefined ? undefined : parseRangeBound(listQuery.to, 'UTC', 'to'),
  })
  return { ...feed, results: feed.results.map(toActivity) }
}

const byCommit: CursorKey<StoredEvent, FeedPosition & { id: string }> = {
  of: (row) => [row.txId, row.position, row.id],
  read([txId, position, id, ...rest]) {
    const fits = typeof txId === 'string' && /^\d{1,19}$/.test(txId) && Number.isSafeInteger(position)
    return fits && typeof id === 'string' && rest.length === 0 ? { txId, position: Number(position), id } : null
  },
}

async function readFeed({ app, tenant }: RequestContext, paging: PageQuery, condition: Condition) {
  if (condition.order === 'asc') await waitForCommittedEvents(app.db, tenant, settleMsMax)
  return answerList(paging, {
    key: byCommit,
    async list({ after, limit, offset }) {
      // The present position of the cursor's event, which a restore may have moved. If retention has dropped the event, its old
      // position.
      const place = after && ((await findMovedPosition(app.db, tenant, after)) ?? after)
      return listEvents(app.db, tenant, { ...condition, after: place ?? condition.after, limit, offset })
    },
    async count() {
      if (fullLogs.has(paging.listName, monotonicMs())) return countMax
      const count = await countEvents(app.db, tenant, { ...condition, limit: countMax })
      if (count === countMax) fullLogs.note(paging.listName, monotonicMs())
      return count
    },
    present: (rows) => rows,
  })
}

async function findPosition({ app, tenant }: RequestContext, eventId: string): Promise<FeedPosition> {
  const position = await findEventPosition(app.db, tenant, eventId)
  if (!position) throw notFound()
  return position
}

function toActivity(row: StoredEvent): Activity {
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
    actor: toEventActor(row),
    data: publicEventData(row),
  }
}
