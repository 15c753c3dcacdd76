import { z } from 'zod'
import { calendarDate, id, listOf, namedObject, pageQuery, timestamp, timestampInput } from '../common.ts'
import { endpoint } from '../endpoint.ts'
import { eventOf } from './event-payloads.ts'
import { eventType } from './events.ts'

/** The event as `GET /v2/events` answers it and as a webhook carries it. Source: docs/contract.md, "Events and webhooks". */
export const event = z
  .discriminatedUnion('type', [
    eventOf('campaign.created'),
    eventOf('campaign.started'),
    eventOf('campaign.paused'),
    eventOf('campaign.resumed'),
    eventOf('campaign.completed'),
    eventOf('campaign.deleted'),
    eventOf('lead.added'),
    eventOf('lead.status_changed'),
    eventOf('lead.interest_changed'),
    eventOf('lead.unsubscribed'),
    eventOf('message.sent'),
    eventOf('message.opened'),
    eventOf('message.clicked'),
    eventOf('message.deferred'),
    eventOf('message.bounced'),
    eventOf('message.failed'),
    eventOf('message.uncertain'),
    eventOf('reply.received'),
    eventOf('reply.auto_received'),
    eventOf('reply.classified'),
    eventOf('meeting.booked'),
    eventOf('meeting.rescheduled'),
    eventOf('meeting.canceled'),
    eventOf('meeting.completed'),
    eventOf('sending_account.error'),
    eventOf('sending_account.recovered'),
    eventOf('credits.low'),
    eventOf('credits.exhausted'),
    eventOf('import.completed'),
    eventOf('webhook.disabled'),
  ])
  .meta({ id: 'Event' })
export type Event = z.infer<typeof event>

/** The event as a line of an activity feed. Source: docs/contract.md, "Statistics". */
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
  'Newest first; `order=asc` turns it round. `from` and `to` take a date (the whole day, UTC) or a time (`to` exclusive).'

export const eventEndpoints = {
  listEvents: endpoint({
    operationId: 'listEvents',
    call: 'events.list',
    method: 'GET',
    path: '/v2/events',
    scope: 'read',
    tag: 'Events',
    summary: 'List events',
    description:
      'The log of everything that happened, oldest first. Walk it with `cursor`: events written at the same moment never ' +
      'leave a gap behind a cursor. At the end `nextCursor` is null; go on later with `after`, the id of the last event read.',
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
  getCampaignActivity: endpoint({
    operationId: 'getCampaignActivity',
    call: 'campaigns.activity',
    method: 'GET',
    path: '/v2/campaigns/:id/activity',
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
    scope: 'read',
    tag: 'Campaigns',
    summary: 'Get account activity',
    description: activityText,
    query: z.strictObject({ ...activityQuery, campaignId: id.optional() }),
    success: [200],
    output: listOf(activity),
  }),
}
