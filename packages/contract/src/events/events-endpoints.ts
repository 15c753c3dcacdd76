import { z } from 'zod'
import { calendarDate, id, listOf, namedObject, pageQuery, timestamp, timestampInput } from '../common.ts'
import { endpoint } from '../endpoint.ts'
import { actor } from '../team/audit.ts'
import { eventSchema } from './event-payloads.ts'
import { eventType, eventTypes } from './events.ts'

/** The event as `GET /v2/events` returns it and as a webhook contains it. Source: docs/contract.md, "Events and webhooks". */
export const event = z
  .discriminatedUnion('type', [
    eventSchema('campaign.created'),
    eventSchema('campaign.started'),
    eventSchema('campaign.paused'),
    eventSchema('campaign.resumed'),
    eventSchema('campaign.completed'),
    eventSchema('campaign.deleted'),
    eventSchema('lead.added'),
    eventSchema('lead.status_changed'),
    eventSchema('lead.interest_changed'),
    eventSchema('lead.unsubscribed'),
    eventSchema('lead.handed_over'),
    eventSchema('branch.decided'),
    eventSchema('message.sent'),
    eventSchema('message.opened'),
    eventSchema('message.clicked'),
    eventSchema('message.deferred'),
    eventSchema('message.bounced'),
    eventSchema('message.returned'),
    eventSchema('message.failed'),
    eventSchema('message.uncertain'),
    eventSchema('message.manual_sent'),
    eventSchema('message.set_aside'),
    eventSchema('conversation.noted'),
    eventSchema('reply.received'),
    eventSchema('reply.auto_received'),
    eventSchema('reply.classified'),
    eventSchema('reply.drafted'),
    eventSchema('meeting.booked'),
    eventSchema('meeting.rescheduled'),
    eventSchema('meeting.canceled'),
    eventSchema('meeting.completed'),
    eventSchema('task.created'),
    eventSchema('task.completed'),
    eventSchema('task.skipped'),
    eventSchema('task.canceled'),
    eventSchema('task.overdue'),
    eventSchema('sending_account.error'),
    eventSchema('sending_account.recovered'),
    eventSchema('sending_account.deliverability_changed'),
    eventSchema('credits.low'),
    eventSchema('credits.exhausted'),
    eventSchema('import.completed'),
    eventSchema('verification.completed'),
    eventSchema('domain.report_received'),
    eventSchema('placement_test.completed'),
    eventSchema('report.ready'),
    eventSchema('signal.received'),
    eventSchema('webhook.disabled'),
    eventSchema('user.joined'),
    eventSchema('user.role_changed'),
    eventSchema('user.removed'),
    eventSchema('api_key.created'),
    eventSchema('api_key.revoked'),
  ])
  .meta({ id: 'Event' })
export type Event = z.infer<typeof event>

/** The event as an entry of an activity feed. Source: docs/contract.md, "Statistics". */
export const activity = namedObject('Activity', {
  id: z.string(),
  type: eventType,
  occurredAt: timestamp,
  campaignId: z.string().nullable(),
  leadId: z.string().nullable(),
  leadEmail: z.string().nullable(),
  messageId: z.string().nullable(),
  stepId: z.string().nullable(),
  sendingAccountId: z.string().nullable(),
  actor: actor.nullable(),
  data: z.looseObject({}),
})
export type Activity = z.infer<typeof activity>

const dateOrTime = z.union([calendarDate, timestampInput])
const order = z.enum(['asc', 'desc'])
const activityQuery = {
  ...pageQuery,
  type: eventType.optional(),
  leadId: id.optional(),
  from: dateOrTime.optional(),
  to: dateOrTime.optional(),
  order: order.default('desc'),
}
const activityText =
  'Newest first; `order=asc` reverses it. `from` and `to` take a date (the whole day, UTC) or a time (`to` exclusive).'

export const eventEndpoints = {
  listEvents: endpoint({
    operationId: 'listEvents',
    call: 'events.list',
    method: 'GET',
    path: '/v2/events',
    environment: 'both',
    scope: 'read',
    tag: 'Events',
    summary: 'List events',
    description:
      'The log of everything that happened, oldest first. Page through it with `cursor`. A cursor never skips events ' +
      'that were written at the same moment. At the end `nextCursor` is null. Continue later with `after`, the id of ' +
      'the last event read.',
    query: z.strictObject({
      ...pageQuery,
      order: order.default('asc'),
      type: eventType.optional(),
      after: id.optional(),
    }),
    success: [200],
    output: listOf(event),
    errors: ['NOT_FOUND'],
  }),
  streamEvents: endpoint({
    operationId: 'streamEvents',
    call: 'events.stream',
    method: 'GET',
    path: '/v2/events/stream',
    environment: 'both',
    scope: 'read',
    tag: 'Events',
    summary: 'Stream events',
    description:
      'The log as server-sent events: `id` is the id of the event, `event` its type and `data` the event as `GET ' +
      '/v2/events` returns it. The stream starts after the header `Last-Event-ID` or `after`, or else from now. If ' +
      'that event is gone or more than 10,000 events are behind it, the stream sends `event: reset` and ends. Read the ' +
      'log instead. A comment is sent every 15 seconds. In the test environment `event: clock` contains the time of ' +
      'the clock. A key can have two streams at once; one more is 409. A stream ends after an hour. Connect again.',
    query: z.strictObject({
      types: z
        .string()
        .max(2_000)
        .refine(areEventTypes, 'Event types, separated by commas.')
        .optional()
        .meta({ description: 'Event types, separated by commas. The default is all.' }),
      campaignId: id.optional(),
      leadId: id.optional(),
      after: id.optional(),
    }),
    success: [200],
    output: z.unknown().meta({ type: 'string' }),
    outputType: 'text/event-stream',
    examples: {
      output:
        'retry: 2000\n\nid: evt_1m3q8z0c0n7t5w2k9x\nevent: campaign.started\n' +
        'data: {"id":"evt_1m3q8z0c0n7t5w2k9x","type":"campaign.started", …}\n\n',
    },
    errors: ['CONFLICT'],
  }),
  getEvent: endpoint({
    operationId: 'getEvent',
    call: 'events.get',
    method: 'GET',
    path: '/v2/events/:id',
    environment: 'both',
    scope: 'read',
    tag: 'Events',
    summary: 'Get an event',
    description: 'Returns one event of the log. A webhook delivers the event with this id as `webhook-id`.',
    success: [200],
    output: event,
    errors: ['NOT_FOUND'],
  }),
  getCampaignActivity: endpoint({
    operationId: 'getCampaignActivity',
    call: 'campaigns.activity',
    method: 'GET',
    path: '/v2/campaigns/:id/activity',
    environment: 'both',
    scope: 'read',
    tag: 'Campaigns',
    summary: 'Get campaign activity',
    description: activityText,
    query: z.strictObject(activityQuery),
    success: [200],
    output: listOf(activity),
    errors: ['NOT_FOUND'],
  }),
  getAccountActivity: endpoint({
    operationId: 'getAccountActivity',
    call: 'account.activity',
    method: 'GET',
    path: '/v2/campaigns/activity',
    environment: 'both',
    scope: 'read',
    tag: 'Campaigns',
    summary: 'Get account activity',
    description: activityText,
    query: z.strictObject({ ...activityQuery, campaignId: id.optional() }),
    success: [200],
    output: listOf(activity),
  }),
}

function areEventTypes(text: string): boolean {
  return text.split(',').every((type) => (eventTypes as readonly string[]).includes(type))
}
