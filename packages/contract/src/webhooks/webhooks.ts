import { z } from 'zod'
import { deleted, id, listOf, namedObject, pageQuery, timestamp } from '../common.ts'
import { endpoint } from '../endpoint.ts'
import { eventType } from '../events/events.ts'

export const webhookStatus = z.enum(['active', 'failing', 'disabled']).meta({ id: 'WebhookStatus' })
export type WebhookStatus = z.infer<typeof webhookStatus>

const url = z.url({ protocol: /^https?$/, error: 'Use an http or https URL.' }).max(2000)
/** Event types. `*`, an empty list or no list means all types. */
const events = z.array(z.union([eventType, z.literal('*')])).max(100)

const campaignIds = z
  .array(id)
  .max(100)
  .meta({ description: 'The campaigns whose events are sent. Empty means all events of the environment.' })

const fields = {
  id: z.string(),
  url: z.string(),
  events: z.array(z.string()),
  campaignIds: z.array(z.string()),
  enabled: z.boolean(),
  status: webhookStatus,
  /** `user`, `gone` (the receiver answered 410) or `failing_for_five_days`. */
  statusReason: z.string().nullable(),
  failingSince: timestamp.nullable(),
  warning: z.string().nullable().meta({
    description: 'Why the URL is unsafe, in one sentence. Null if it is safe.',
  }),
  createdAt: timestamp,
  updatedAt: timestamp,
}
export const webhook = namedObject('Webhook', fields)
export type Webhook = z.infer<typeof webhook>

/** `secret` is only shown at creation and rotation. The replay of an idempotent answer leaves it out (docs/contract.md, "Conventions"). */
export const webhookWithSecret = namedObject('WebhookWithSecret', { ...fields, secret: z.string().optional() })

export const createWebhookInput = namedObject('CreateWebhookInput', {
  url,
  events: events.default(['*']),
  campaignIds: campaignIds.default([]),
  enabled: z.boolean().default(true),
})
export const updateWebhookInput = namedObject('UpdateWebhookInput', {
  url: url.optional(),
  events: events.optional(),
  campaignIds: campaignIds.optional(),
  enabled: z.boolean().optional(),
  id: z.string().optional(),
  status: z.string().optional(),
  statusReason: z.string().nullable().optional(),
  failingSince: z.string().nullable().optional(),
  warning: z.string().nullable().optional(),
  createdAt: z.string().optional(),
  updatedAt: z.string().optional(),
})

const attempt = namedObject('WebhookAttempt', {
  at: timestamp,
  responseStatus: z.number().int().nullable(),
  durationMs: z.number().int(),
  error: z.string().nullable(),
})

export const webhookDelivery = namedObject('WebhookDelivery', {
  id: z.string(),
  webhookId: z.string(),
  eventId: z.string(),
  eventType: z.string(),
  status: z.enum(['pending', 'succeeded', 'failed']),
  attempts: z.number().int(),
  nextAttemptAt: timestamp.nullable(),
  lastAttemptAt: timestamp.nullable(),
  deliveredAt: timestamp.nullable(),
  responseStatus: z.number().int().nullable(),
  /** The beginning of the receiver's answer. */
  responseExcerpt: z.string().nullable(),
  error: z.string().nullable(),
  durationMs: z.number().int().nullable(),
  attemptLog: z.array(attempt),
  createdAt: timestamp,
})
export type WebhookDelivery = z.infer<typeof webhookDelivery>

const tag = 'Webhooks'

export const webhookEndpoints = {
  listWebhooks: endpoint({
    operationId: 'listWebhooks',
    call: 'webhooks.list',
    method: 'GET',
    path: '/v2/webhooks',
    environment: 'both',
    scope: 'read',
    tag,
    summary: 'List webhooks',
    description: 'Oldest first, without secrets.',
    query: z.strictObject(pageQuery),
    success: [200],
    output: listOf(webhook),
  }),
  createWebhook: endpoint({
    operationId: 'createWebhook',
    call: 'webhooks.create',
    method: 'POST',
    path: '/v2/webhooks',
    environment: 'both',
    scope: 'admin',
    tag,
    summary: 'Create a webhook',
    description:
      'Deliveries are signed with Standard Webhooks. `secret` is shown only in this response. Private and loopback ' +
      'targets are rejected unless the operator allows them.',
    body: createWebhookInput,
    success: [201],
    output: webhookWithSecret,
    errors: ['CONFLICT'],
    secretFields: ['secret'],
  }),
  getWebhook: endpoint({
    operationId: 'getWebhook',
    call: 'webhooks.get',
    method: 'GET',
    path: '/v2/webhooks/:id',
    environment: 'both',
    scope: 'read',
    tag,
    summary: 'Get a webhook',
    description: 'Returns the webhook without its secret, which was shown only at creation.',
    success: [200],
    output: webhook,
    errors: ['NOT_FOUND'],
  }),
  updateWebhook: endpoint({
    operationId: 'updateWebhook',
    call: 'webhooks.update',
    method: 'PUT',
    path: '/v2/webhooks/:id',
    environment: 'both',
    scope: 'admin',
    tag,
    summary: 'Update a webhook',
    description: '`enabled: true` enables a disabled webhook.',
    body: updateWebhookInput,
    success: [200],
    output: webhook,
    errors: ['NOT_FOUND'],
  }),
  deleteWebhook: endpoint({
    operationId: 'deleteWebhook',
    call: 'webhooks.delete',
    method: 'DELETE',
    path: '/v2/webhooks/:id',
    environment: 'both',
    scope: 'admin',
    tag,
    summary: 'Delete a webhook',
    description: 'No more events are sent to the webhook.',
    success: [200],
    output: deleted,
    errors: ['NOT_FOUND'],
  }),
  testWebhook: endpoint({
    operationId: 'testWebhook',
    call: 'webhooks.test',
    method: 'POST',
    path: '/v2/webhooks/:id/test',
    environment: 'both',
    scope: 'admin',
    tag,
    summary: 'Send a test event',
    description: 'Queues a signed sample event whose `data` contains `test: true`. The deliveries show its outcome.',
    body: z.strictObject({ type: eventType.optional() }).default({}).meta({ id: 'TestWebhookInput' }),
    success: [202],
    output: webhookDelivery,
    errors: ['NOT_FOUND', 'CONFLICT'],
  }),
  listWebhookDeliveries: endpoint({
    operationId: 'listWebhookDeliveries',
    call: 'webhooks.deliveries.list',
    method: 'GET',
    path: '/v2/webhooks/:id/deliveries',
    environment: 'both',
    scope: 'read',
    tag,
    summary: 'List deliveries',
    description: 'Newest first.',
    query: z.strictObject({
      ...pageQuery,
      status: z.enum(['pending', 'succeeded', 'failed']).optional(),
      eventId: id.optional(),
    }),
    success: [200],
    output: listOf(webhookDelivery),
    errors: ['NOT_FOUND'],
  }),
  redeliverWebhook: endpoint({
    operationId: 'redeliverWebhook',
    call: 'webhooks.deliveries.redeliver',
    method: 'POST',
    path: '/v2/webhooks/:id/deliveries/:deliveryId/redeliver',
    environment: 'both',
    scope: 'admin',
    tag,
    summary: 'Redeliver an event',
    description: 'Sends the same event with the same `webhook-id` immediately, with the full retry schedule.',
    success: [202],
    output: webhookDelivery,
    errors: ['NOT_FOUND', 'CONFLICT'],
  }),
  rotateWebhookSecret: endpoint({
    operationId: 'rotateWebhookSecret',
    call: 'webhooks.rotateSecret',
    method: 'POST',
    path: '/v2/webhooks/:id/rotate-secret',
    environment: 'both',
    scope: 'admin',
    tag,
    summary: 'Rotate the secret',
    description: 'For 24 hours deliveries are also signed with the old secret.',
    success: [200],
    output: webhookWithSecret,
    errors: ['NOT_FOUND'],
    secretFields: ['secret'],
  }),
}
