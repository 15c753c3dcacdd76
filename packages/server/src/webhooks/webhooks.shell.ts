import { randomBytes } from 'node:crypto'
import { AppError, invalid, notFound } from '@overture/contract/errors.ts'
import { eventSamples } from '@overture/contract/events/event-samples.ts'
import type { EventType } from '@overture/contract/events/events.ts'
import { changedReadOnly } from '@overture/contract/read-only.ts'
import type { Webhook, WebhookDelivery } from '@overture/contract/webhooks/webhooks.ts'
import type { Transaction } from '../platform/db/database.ts'
import { system } from '../platform/events/actors.ts'
import type { RequestContext } from '../platform/http/route.ts'
import { newId } from '../platform/ids.ts'
import { accountReach } from '../platform/mail/network-guard.client.ts'
import { isOwnMachine } from '../platform/public-url.ts'
import { insertTestDelivery, updateDeliveryAgain, type DeliveryRow } from './deliveries.sql.ts'
import { refusalOfTarget } from './post.client.ts'
import {
  countWebhooks,
  deleteWebhook,
  findWebhook,
  insertWebhook,
  lockWebhook,
  updateSecret,
  updateWebhook,
  updateWebhookDue,
  type WebhookRow,
} from './webhooks.sql.ts'

const webhooksMax = 50
const secretBytes = 24
const readOnlyFields = ['id', 'status', 'statusReason', 'failingSince', 'warning', 'createdAt', 'updatedAt']

/** The context with which an endpoint's secrets are sealed, so that they can't be opened for another endpoint. */
export const secretContext = (webhookId: string): string => `webhook ${webhookId}`

/** Resolves the name over the network. Refuses private targets unless the operator allows them. */
export async function checkUrl({ app, tenant }: RequestContext, url: string): Promise<void> {
  const refusal = await refusalOfTarget(url, accountReach(app, tenant.accountId))
  if (refusal !== null) throw invalid({ path: 'url', rule: 'private_target', message: refusal })
}

interface NewWebhookInput {
  url: string
  events: readonly string[]
  campaignIds: readonly string[]
  enabled: boolean
}

export async function createWebhook(context: RequestContext, tx: Transaction, input: NewWebhookInput) {
  const { app, tenant } = context
  if ((await countWebhooks(tx, tenant)) >= webhooksMax) {
    throw new AppError(
      'CONFLICT',
      `The environment has reached its limit of ${webhooksMax} webhooks. Delete one first.`,
      {
        currentStatus: 'max_webhooks_reached',
        allowedActions: ['delete'],
      },
    )
  }
  const id = newId('whk')
  const secret = newSecret()
  const row = await insertWebhook(tx, tenant, {
    ...input,
    id,
    secret: app.secrets.encrypt(secret, secretContext(id)),
    createdBy: context.caller.userId,
    now: app.clock.now(),
  })
  return { ...presentWebhook(row), secret }
}

type ChangedWebhook = Partial<NewWebhookInput> & Record<string, unknown>

export async function changeWebhook(
  context: RequestContext,
  tx: Transaction,
  change: { id: string; input: ChangedWebhook },
) {
  const { app, tenant } = context
  const row = await lockWebhook(tx, tenant, change.id)
  if (!row) throw notFound()
  const issues = changedReadOnly(presentWebhook(row), change.input, readOnlyFields)
  if (issues.length > 0) throw invalid(...issues)
  const { url = row.url, events = row.events, campaignIds = row.campaignIds, enabled = row.enabled } = change.input
  const changed = { id: row.id, url, events, campaignIds, enabled, now: app.clock.now() }
  return presentWebhook(await updateWebhook(tx, tenant, changed))
}

export async function removeWebhook({ tenant }: RequestContext, tx: Transaction, id: string) {
  if ((await deleteWebhook(tx, tenant, id)) === 0) throw notFound()
  return { id, deleted: true as const }
}

export async function rotateSecret({ app, tenant }: RequestContext, tx: Transaction, id: string) {
  const row = await lockWebhook(tx, tenant, id)
  if (!row) throw notFound()
  const secret = newSecret()
  const sealed = app.secrets.encrypt(secret, secretContext(id))
  const now = app.clock.now()
  const rotated = await updateSecret(tx, tenant, { id, secret: sealed, previousSecret: row.secret, now })
  return { ...presentWebhook(rotated), secret }
}

export async function queueTest(context: RequestContext, tx: Transaction, test: { id: string; type: EventType }) {
  const { tenant, now } = context
  await requireEnabled(context, tx, test.id)
  const eventId = newId('evt')
  const nothing = {
    campaignId: null,
    leadId: null,
    leadEmail: null,
    messageId: null,
    stepId: null,
    variantId: null,
    sendingAccountId: null,
  }
  const body = {
    id: eventId,
    type: test.type,
    occurredAt: now.toISOString(),
    environment: tenant.environment,
    actor: system,
    data: { ...eventSamples[test.type], ...nothing, test: true },
  }
  const row = await insertTestDelivery(tx, tenant, {
    webhookId: test.id,
    id: `dlv_${eventId.slice(4)}_${test.id.slice(4)}`,
    eventId,
    eventType: test.type,
    body,
  })
  await updateWebhookDue(tx, tenant, test.id)
  return presentDelivery(row)
}

export async function redeliver(context: RequestContext, tx: Transaction, delivery: { webhookId: string; id: string }) {
  await requireEnabled(context, tx, delivery.webhookId)
  const row = await updateDeliveryAgain(tx, context.tenant, delivery)
  if (!row) throw notFound()
  await updateWebhookDue(tx, context.tenant, delivery.webhookId)
  return presentDelivery(row)
}

export function presentWebhook(row: WebhookRow): Webhook {
  return {
    id: row.id,
    url: row.url,
    events: row.events,
    campaignIds: row.campaignIds,
    enabled: row.enabled,
    status: row.status,
    statusReason: row.statusReason,
    failingSince: iso(row.failingSince),
    warning: unsafeUrl(row.url),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }
}

function unsafeUrl(url: string): string | null {
  if (new URL(url).protocol === 'https:' || isOwnMachine(url)) return null
  return 'Events are sent to this URL without encryption. Use https.'
}

export function presentDelivery(row: DeliveryRow): WebhookDelivery {
  return {
    id: row.id,
    webhookId: row.webhookId,
    eventId: row.eventId,
    eventType: row.eventType,
    status: row.status,
    attempts: row.attempts,
    nextAttemptAt: iso(row.nextAttemptAt),
    lastAttemptAt: iso(row.lastAttemptAt),
    deliveredAt: iso(row.deliveredAt),
    responseStatus: row.responseStatus,
    responseExcerpt: row.responseExcerpt,
    error: row.error,
    durationMs: row.durationMs,
    attemptLog: row.attemptLog,
    createdAt: row.createdAt.toISOString(),
  }
}

async function requireEnabled({ tenant }: RequestContext, tx: Transaction, id: string): Promise<void> {
  const row = await findWebhook(tx, tenant, id)
  if (!row) throw notFound()
  if (row.enabled) return
  throw new AppError('CONFLICT', 'The webhook is disabled.', {
    currentStatus: row.status,
    allowedActions: ['update', 'delete'],
  })
}

function newSecret(): string {
  return `whsec_${randomBytes(secretBytes).toString('base64')}`
}

function iso(time: Date | null): string | null {
  return time === null ? null : time.toISOString()
}
