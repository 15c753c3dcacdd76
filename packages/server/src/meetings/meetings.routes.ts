import { notFound } from '@overture/contract/errors.ts'
import { meetingEndpoints } from '@overture/contract/meetings/meetings.ts'
import { answerList, byTime, type PageQuery } from '../platform/http/paging.ts'
import { command, query, type RequestContext, type Route } from '../platform/http/route.ts'
import { changeAvailability, getAvailability } from './availability/availability.commands.ts'
import { findMeetingLead } from './availability/availability.sql.ts'
import { changeMeeting, createMeeting, removeMeeting, spanIssues } from './meetings.commands.ts'
import { countMeetings, findLatestMeetingOfLead, findMeeting, listMeetings, type MeetingRow } from './meetings.sql.ts'
import { presentMeeting } from './booking/meeting-moves.commands.ts'
import type { MeetingTools } from './notices/notices.commands.ts'

export function meetingRoutes(tools: MeetingTools): Route[] {
  return [
    query(meetingEndpoints.listMeetings, (context, { query: listQuery }) => listPage(context, listQuery)),
    command(
      meetingEndpoints.createMeeting,
      (context, { body }, tx) => createMeeting(tools, context, tx, body),
      spanIssues,
    ),
    query(meetingEndpoints.getAvailability, (context) => getAvailability(context)),
    command(meetingEndpoints.updateAvailability, (context, { body }, tx) => changeAvailability(context, tx, body)),
    query(meetingEndpoints.getMeeting, async ({ app, tenant }, { params }) => {
      const row = await findMeeting(app.db, tenant, params.id)
      if (!row) throw notFound()
      return presentMeeting(row)
    }),
    command(
      meetingEndpoints.updateMeeting,
      (context, { params, body }, tx) => changeMeeting(tools, context, tx, { id: params.id, input: body }),
      spanIssues,
    ),
    command(meetingEndpoints.deleteMeeting, (context, { params }, tx) => removeMeeting(tools, context, tx, params.id)),
    query(meetingEndpoints.getLeadMeeting, async ({ app, tenant }, { params }) => {
      const lead = await findMeetingLead(app.db, tenant, params.leadId)
      const key = { campaignId: params.id, leadId: params.leadId }
      const row = lead?.campaignId === params.id ? await findLatestMeetingOfLead(app.db, tenant, key) : null
      if (!row) throw notFound()
      return presentMeeting(row)
    }),
  ]
}

const byStart = byTime((row: MeetingRow) => row.startAt)

interface MeetingQuery extends PageQuery {
  status?: string | undefined
  source?: string | undefined
  campaignId?: string | undefined
  leadId?: string | undefined
  from?: string | undefined
  to?: string | undefined
  tagId?: string | undefined
}

async function listPage({ app, tenant }: RequestContext, listQuery: MeetingQuery) {
  const filter = {
    status: listQuery.status ?? null,
    source: listQuery.source ?? null,
    campaignId: listQuery.campaignId ?? null,
    leadId: listQuery.leadId ?? null,
    from: listQuery.from ?? null,
    to: listQuery.to ?? null,
    tagId: listQuery.tagId ?? null,
  }
  return answerList(listQuery, {
    key: byStart,
    list: (range) => listMeetings(app.db, tenant, filter, range),
    count: () => countMeetings(app.db, tenant, filter),
    present: (rows) => rows.map(presentMeeting),
  })
}
