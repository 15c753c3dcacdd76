import { monotonicMs, sleep } from '../clock.ts'
import type { AuditActor } from '@overture/contract/team/audit.ts'
import type { Executor } from '../db/database.ts'
import type { Tenant } from '../tenant.ts'

/** A row of the log as readers get it. */
export interface StoredEvent {
  id: string
  type: string
  occurredAt: Date
  environment: 'live' | 'test'
  /** Transaction and position: in this order, a reader can't miss an event. */
  txId: string
  position: number
  campaignId: string | null
  leadId: string | null
  leadEmail: string | null
  messageId: string | null
  stepId: string | null
  variantId: string | null
  sendingAccountId: string | null
  data: Record<string, unknown>
  /** Null if the event was written before actors were stored. */
  actorType: AuditActor['type'] | null
  actorId: string | null
  actorName: string | null
}

/** The position of a reader in the log. */
export interface FeedPosition {
  txId: string
  position: number
}

export interface FeedFilter {
  campaignId?: string
  leadId?: string
  type?: string
  /** A range of occurredAt; `from` is inclusive, `to` exclusive. */
  from?: Date
  to?: Date
  order: 'asc' | 'desc'
  after?: FeedPosition
  offset?: number
  limit: number
}

const waitStepMs = 20

export const eventColumns = `e.id, e.type, e.occurred_at, e.environment, e.tx_id::text as tx_id, e.position, e.campaign_id,
  e.lead_id, e.lead_email, e.message_id, e.step_id, e.variant_id, e.sending_account_id, e.data,
  e.actor_type, e.actor_id, e.actor_name`

/**
 * Reads the log in the order of (transaction, position). Forwards, it reads only transactions older than every one that is still
 * running in this database, so that a late commit always comes after the cursors of earlier readers. Source: docs/contract.md,
 * "Events and webhooks".
 */
export async function listEvents(db: Executor, tenant: Tenant, filter: FeedFilter): Promise<StoredEvent[]> {
  const { where, values } = conditions(tenant, filter)
  const direction = filter.order
  return db.query<StoredEvent>(
    `select ${eventColumns} from events e where ${where}
     order by e.tx_id ${direction}, e.position ${direction}
     limit $${values.length + 1} offset $${values.length + 2}`,
    [...values, filter.limit, filter.offset ?? 0],
  )
}

/** Counts up to `limit`. */
export async function countEvents(db: Executor, tenant: Tenant, filter: FeedFilter): Promise<number> {
  const { where, values } = conditions(tenant, { ...filter, after: undefined })
  const rows = await db.query<{ count: number }>(
    `select count(*)::int as count from (select 1 from events e where ${where} limit $${values.length + 1}) found`,
    [...values, filter.limit],
  )
  return rows[0]?.count ?? 0
}

/**
 * Waits, for `waitMsMax` at most, until the events committed now can be read forwards, so that a client finds what it has just
 * written. A long transaction of another client may delay them further; they appear later, in their place.
 */
export async function waitForCommittedEvents(db: Executor, tenant: Tenant, waitMsMax: number): Promise<void> {
  const [row] = await db.query<{ txId: string | null }>(
    `select tx_id::text as tx_id from events where account_id = $1 and environment = $2
       and tx_id >= (select events_horizon()) order by tx_id desc limit 1`,
    [tenant.accountId, tenant.environment],
  )
  if (!row) return
  const endsAtMs = monotonicMs() + waitMsMax
  while (monotonicMs() < endsAtMs) {
    const [horizon] = await db.query<{ passed: boolean }>('select events_horizon() > $1::xid8 as passed', [row.txId])
    if (horizon?.passed) return
    await sleep(waitStepMs)
  }
}

/** The number of events after a position, up to `max`. */
export async function countEventsAfter(
  db: Executor,
  tenant: Tenant,
  after: FeedPosition,
  max: number,
): Promise<number> {
  const rows = await db.query<{ count: number }>(
    `select count(*)::int as count from (select 1 from events e where e.account_id = $1 and e.environment = $2
       and (e.tx_id, e.position) > ($3::xid8, $4::bigint) limit $5) behind`,
    [tenant.accountId, tenant.environment, after.txId, after.position, max],
    'count_events_after',
  )
  return rows[0]?.count ?? 0
}

export async function findEvent(db: Executor, tenant: Tenant, id: string): Promise<StoredEvent | null> {
  const rows = await db.query<StoredEvent>(
    `select ${eventColumns} from events e where e.account_id = $1 and e.environment = $2 and e.id = $3`,
    [tenant.accountId, tenant.environment, id],
  )
  return rows[0] ?? null
}

export async function findEventPosition(db: Executor, tenant: Tenant, id: string): Promise<FeedPosition | null> {
  const rows = await db.query<FeedPosition>(
    `select tx_id::text as tx_id, position from events where account_id = $1 and environment = $2 and id = $3`,
    [tenant.accountId, tenant.environment, id],
  )
  return rows[0] ?? null
}

/** The current position of an event that was at a given position before; a restore may have moved it. Null if it was deleted. */
export async function findMovedPosition(
  db: Executor,
  tenant: Tenant,
  was: FeedPosition & { id: string },
): Promise<FeedPosition | null> {
  const rows = await db.query<FeedPosition>(
    `select tx_id::text as tx_id, position from events
     where account_id = $1 and environment = $2 and tx_id = $3::xid8 and position = $4 and id = $5`,
    [tenant.accountId, tenant.environment, was.txId, was.position, was.id],
  )
  return rows[0] ?? findEventPosition(db, tenant, was.id)
}

/** The event's public `data`: the ids that every event has, then its own fields. Source: docs/contract.md, "Events and webhooks". */
export function publicEventData(event: StoredEvent) {
  return {
    ...event.data,
    campaignId: event.campaignId,
    leadId: event.leadId,
    leadEmail: event.leadEmail,
    messageId: event.messageId,
    stepId: event.stepId,
    variantId: event.variantId,
    sendingAccountId: event.sendingAccountId,
  }
}

/** The actor of the request that caused an event, if known. */
export function toEventActor({
  actorType: type,
  actorId: id,
  actorName: name,
}: Pick<StoredEvent, 'actorType' | 'actorId' | 'actorName'>): AuditActor | null {
  return type === null ? null : { type, id, name }
}

/** The event as the API lists it and as a webhook contains it. Source: docs/contract.md, "Events and webhooks". */
export function publicEvent<Type extends string>(event: StoredEvent & { type: Type }) {
  return {
    id: event.id,
    type: event.type,
    occurredAt: event.occurredAt.toISOString(),
    environment: event.environment,
    actor: toEventActor(event),
    data: publicEventData(event),
  }
}

function conditions(tenant: Tenant, filter: FeedFilter): { where: string; values: unknown[] } {
  const values: unknown[] = [tenant.accountId, tenant.environment]
  const parts = ['e.account_id = $1', 'e.environment = $2']
  // Backwards nothing has to be skipped, and the newest events are needed at once.
  if (filter.order === 'asc') parts.push('e.tx_id < (select events_horizon())')
  const add = (value: unknown, condition: (parameter: string) => string): void => {
    values.push(value)
    parts.push(condition(`$${values.length}`))
  }
  if (filter.campaignId !== undefined) add(filter.campaignId, (p) => `e.campaign_id = ${p}`)
  if (filter.leadId !== undefined) add(filter.leadId, (p) => `e.lead_id = ${p}`)
  if (filter.type !== undefined) add(filter.type, (p) => `e.type = ${p}`)
  if (filter.from) add(filter.from, (p) => `e.occurred_at >= ${p}`)
  if (filter.to) add(filter.to, (p) => `e.occurred_at < ${p}`)
  if (filter.after) {
    values.push(filter.after.txId, filter.after.position)
    const sign = filter.order === 'asc' ? '>' : '<'
    parts.push(`(e.tx_id, e.position) ${sign} ($${values.length - 1}::xid8, $${values.length}::bigint)`)
  }
  return { where: parts.join(' and '), values }
}
