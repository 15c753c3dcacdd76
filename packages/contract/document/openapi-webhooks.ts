import { eventName, eventSchema } from '../src/events/event-payloads.ts'
import { eventSamples } from '../src/events/event-samples.ts'
import { eventTypes, type EventType } from '../src/events/events.ts'
import type { Json, Models } from './schemas.ts'

const ids = {
  campaignId: 'cmp_1m3q8z0c0n7t5w2k9x',
  leadId: 'led_1m3q8z0c0n7t5w2k9x',
  leadEmail: 'ada@example.com',
  messageId: null,
  stepId: null,
  variantId: null,
  sendingAccountId: null,
}

/** The requests to the webhooks of an account, by event type. */
export function buildWebhooks(models: Models): Json {
  return Object.fromEntries(eventTypes.map((type) => [type, { post: describeDelivery(type, models) }]))
}

function describeDelivery(type: EventType, models: Models): Json {
  const name = eventName(type)
  return {
    operationId: `on${name}`,
    summary: `The event \`${type}\``,
    description:
      'Sent at least once, in the order of the log, with the headers and the signature of Standard Webhooks. ' +
      'Any 2xx accepts the event. Otherwise it is retried for about three days.',
    tags: ['Webhooks'],
    security: [],
    parameters: headers.map(([header, description]) => ({
      name: header,
      in: 'header',
      required: true,
      description,
      schema: { type: 'string' },
    })),
    requestBody: {
      required: true,
      content: {
        'application/json': { schema: models.reference(eventSchema(type), 'output'), example: deliveryExample(type) },
      },
    },
    responses: { '2XX': { description: 'Accepted.' }, '4XX': { description: 'Not accepted. The event is retried.' } },
  }
}

const headers = [
  ['webhook-id', "The event's id: the same at every try."],
  ['webhook-timestamp', 'When the event was sent, in seconds since 1970.'],
  ['webhook-signature', '`v1,` and the signature in base64. Two signatures for a day after the secret was rotated.'],
] as const

function deliveryExample(type: EventType): Json {
  return {
    id: 'evt_1m3q8z0c0n7t5w2k9x',
    type,
    occurredAt: '2026-11-03T09:30:00.000Z',
    environment: 'live',
    actor: { type: 'system', id: null, name: null },
    data: { ...eventSamples[type], ...ids },
  }
}
