import { notFound } from '@overture/contract/errors.ts'
import { meetingEndpoints } from '@overture/contract/meetings.ts'
import { decodeCursor, encodeCursor, pageOf } from '../platform/http/paging.ts'
import { command, query, type RequestContext, type Route } from '../platform/http/route.ts'
import { changeAvailability, getAvailability } from './availability.commands.ts'
import { findMeetingLead } from './availability.sql.ts'
import { changeMeeting, createMeeting, removeMeeting } from './meetings.commands.ts'
import { countMeetings, findLatestMeetingOfLead, findMeeting, listMeetings } from './meetings.sql.ts'
import { presentMeeting, type MeetingDeps } from './meeting-moves.commands.ts'

export function meetingRoutes(deps: MeetingDeps): Route[] {
  return [
    query(meetingEndpoints.listMeetings, (context, { query: asked }) => listPage(context, asked)),
    command(meetingEndpoints.createMeeting, (context, { body }, tx) => createMeeting(deps, context, tx, body)),
    query(meetingEndpoints.getAvailability, (context) => getAvailability(context)),
    command(meetingEndpoints.updateAvailability, (context, { body }, tx) => changeAvailability(context, tx, body)),
    query(meetingEndpoints.getMeeting, async ({ app, tenant }, { params }) => {
      const row = await findMeeting(app.db, tenant, params.id)
      if (!row) throw notFound()
      return presentMeeting(row)
    }),
    command(meetingEndpoints.updateMeeting, (context, { params, body }, tx) =>
      changeMeeting(deps, context, tx, { id: params.id, input: body }),
    ),
    command(meetingEndpoints.deleteMeeting, (context, { params }, tx) => removeMeeting(deps, context, tx, params.id)),
    query(meetingEndpoints.getLeadMeeting, async ({ app, tenant }, { params }) => {
      const lead = await findMeetingLead(app.db, tenant, params.leadId)
      const key = { campaignId: params.id, leadId: params.leadId }
      const row = lead?.campaignId === params.id ? await findLatestMeetingOfLead(app.db, tenant, key) : null
      if (!row) throw notFound()
      return presentMeeting(row)
    }),
  ]
}

interface MeetingQuery {
  page?: number | undefined
  limit: number
  cursor?: string | undefined
  status?: string | undefined
  source?: string | undefined
  campaignId?: string | undefined
  leadId?: string | undefined
  from?: string | undefined
  to?: string | undefined
}

async function listPage({ app, tenant }: RequestContext, asked: MeetingQuery) {
  const after = asked.cursor === undefined ? null : readCursor(asked.cursor)
  const page = asked.page ?? 1
  const filter = {
    status: asked.status ?? null,
    source: asked.source ?? null,
    campaignId: asked.campaignId ?? null,
    leadId: asked.leadId ?? null,
    from: asked.from ?? null,
    to: asked.to ?? null,
    after,
    limit: asked.limit + 1,
    offset: after ? 0 : (page - 1) * asked.limit,
  }
  const totalCount = await countMeetings(app.db, tenant, filter)
  const rows = await listMeetings(app.db, tenant, filter)
  const results = rows.slice(0, asked.limit).map(presentMeeting)
  const last = results.at(-1)
  const nextCursor = rows.length > asked.limit && last ? encodeCursor([last.startAt, last.id]) : null
  return { results, pagination: pageOf({ page, limit: asked.limit, totalCount }), nextCursor }
}

function readCursor(text: string): { startAt: string; id: string } {
  const [startAt, id] = decodeCursor(text, 2)
  return { startAt: String(startAt), id: String(id) }
}
