import type { EventDetails } from '@overture/contract/events/event-payloads.ts'
import type { EventType } from '@overture/contract/events/events.ts'
import type { AuditActor } from '@overture/contract/team/audit.ts'
import type { Executor } from '../db/database.ts'
import { newId } from '../ids.ts'
import type { Tenant } from '../tenant.ts'
import { actorOf } from './actors.ts'

/** What happened, to be written in the transaction of its cause: each type with what the contract says of it. */
export type NewEvent = { [Type in EventType]: EventOf<Type> }[EventType]

type EventOf<Type extends EventType> = EventKeys & { type: Type } & ({} extends EventDetails<Type>
    ? { data?: EventDetails<Type> }
    : { data: EventDetails<Type> })

interface EventKeys {
  /** The tenant's time. */
  occurredAt: Date
  campaignId?: string | null
  leadId?: string | null
  leadEmail?: string | null
  messageId?: string | null
  stepId?: string | null
  variantId?: string | null
  sendingAccountId?: string | null
  /** Where it is not who the transaction acts for. */
  actor?: AuditActor
}

/** Appends events in order, one statement for the batch (1,000 at most). Answers their ids. */
export async function appendEvents(tx: Executor, tenant: Tenant, events: readonly NewEvent[]): Promise<string[]> {
  if (events.length === 0) return []
  const ids = events.map(() => newId('evt'))
  const actors = events.map((event) => event.actor ?? actorOf(tx))
  const column = (field: TextField) => events.map((event) => event[field] ?? null)
  // Arrays, for reading a batch as JSON took twice as long.
  await tx.execute(
    `insert into events (account_id, environment, id, type, occurred_at, campaign_id, lead_id, lead_email, message_id,
       step_id, variant_id, sending_account_id, data, actor_type, actor_id, actor_name)
     select $1, $2, r.id, r.type, r.occurred_at, r.campaign_id, r.lead_id, r.lead_email, r.message_id, r.step_id,
       r.variant_id, r.sending_account_id, coalesce(r.data, '{}'::jsonb),
       r.actor_type, r.actor_id, r.actor_name
     from unnest($3::text[], $4::text[], $5::timestamptz[], $6::text[], $7::text[], $8::text[], $9::text[], $10::text[],
       $11::text[], $12::text[], $13::jsonb[], $14::text[], $15::text[], $16::text[]) with ordinality as r(id, type,
       occurred_at, campaign_id, lead_id, lead_email, message_id, step_id, variant_id, sending_account_id, data, actor_type,
       actor_id, actor_name, ordinal)
     order by r.ordinal`,
    [
      tenant.accountId,
      tenant.environment,
      ids,
      events.map((event) => event.type),
      events.map((event) => event.occurredAt),
      column('campaignId'),
      column('leadId'),
      column('leadEmail'),
      column('messageId'),
      column('stepId'),
      column('variantId'),
      column('sendingAccountId'),
      events.map((event) => (event.data ? JSON.stringify(event.data) : null)),
      actors.map(({ type }) => type),
      actors.map(({ id }) => id),
      actors.map(({ name }) => name),
    ],
    'append_events',
  )
  return ids
}

type TextField = 'campaignId' | 'leadId' | 'leadEmail' | 'messageId' | 'stepId' | 'variantId' | 'sendingAccountId'
