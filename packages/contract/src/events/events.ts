import { z } from 'zod'

/** Every event type. Source: docs/contract.md, "Events and webhooks". */
export const eventTypes = [
  'campaign.created',
  'campaign.started',
  'campaign.paused',
  'campaign.resumed',
  'campaign.completed',
  'campaign.deleted',
  'lead.added',
  'lead.status_changed',
  'lead.interest_changed',
  'lead.unsubscribed',
  'message.sent',
  'message.opened',
  'message.clicked',
  'message.deferred',
  'message.bounced',
  'message.failed',
  'message.uncertain',
  'message.set_aside',
  'reply.received',
  'reply.auto_received',
  'reply.classified',
  'meeting.booked',
  'meeting.rescheduled',
  'meeting.canceled',
  'meeting.completed',
  'sending_account.error',
  'sending_account.recovered',
  'credits.low',
  'credits.exhausted',
  'import.completed',
  'webhook.disabled',
  'user.joined',
  'user.role_changed',
  'user.removed',
  'api_key.created',
  'api_key.revoked',
] as const

export const eventType = z.enum(eventTypes).meta({ id: 'EventType' })
export type EventType = z.infer<typeof eventType>
