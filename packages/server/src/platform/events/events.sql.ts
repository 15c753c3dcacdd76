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

/** Up to so many stand as values in the statement: a quarter less work than reading lists, and a text of its own for each. */
const valuesMax = 6
const columns = `account_id, environment, id, type, occurred_at, campaign_id, lead_id, lead_email, message_id, step_id, variant_id,
  sending_account_id, data, actor_type, actor_id, actor_name`
/** Behind the account and the environment. */
const columnTypes: readonly string[] =
  'text text timestamptz text text text text text text text jsonb text text text'.split(' ')

/** Appends events in order, one statement for the batch (1,000 at most). Answers their ids. */
export async function appendEvents(tx: Executor, tenant: Tenant, events: readonly NewEvent[]): Promise<string[]> {
  if (events.length === 0) return []
  const rows = events.map((event) => rowOf(event, event.actor ?? actorOf(tx)))
  const isFew = events.length <= valuesMax
  const text = isFew ? valuesText(rows.length) : listsText
  const values = isFew ? rows.flat() : columnTypes.map((_, index) => rows.map((row) => row[index]))
  const name = isFew ? `append_events_${rows.length}` : 'append_events'
  const appended = await tx.execute(text, [tenant.accountId, tenant.environment, ...values], name)
  // Of an account that has ended there is no log any more.
  if (appended !== rows.length) throw new Error(`${rows.length - appended} events of no account.`)
  return rows.map(([id]) => id)
}

type EventRow = [id: string, ...rest: unknown[]]

function rowOf(event: NewEvent, actor: AuditActor): EventRow {
  const { type, occurredAt, campaignId, leadId, leadEmail, messageId, stepId, variantId, sendingAccountId } = event
  const about = [campaignId, leadId, leadEmail, messageId, stepId, variantId, sendingAccountId].map((id) => id ?? null)
  const data = event.data === undefined ? '{}' : JSON.stringify(event.data)
  return [newId('evt'), type, occurredAt, ...about, data, actor.type, actor.id, actor.name]
}

function valuesText(count: number): string {
  const width = columnTypes.length
  const row = (at: number) => `($1, $2, ${columnTypes.map((_, index) => `$${3 + at * width + index}`).join(', ')})`
  return `insert into events (${columns}) values ${Array.from({ length: count }, (_, at) => row(at)).join(', ')}`
}

// Lists of columns, for reading a batch as JSON took twice as long.
const listsText = `insert into events (${columns})
  select a.account_id, $2, ${columnTypes.map((_, index) => `r.c${index}`).join(', ')}
  from accounts a, unnest(${columnTypes.map((type, index) => `$${index + 3}::${type}[]`).join(', ')}) with ordinality
    as r (${columnTypes.map((_, index) => `c${index}`).join(', ')}, ordinal)
  where a.account_id = $1 order by r.ordinal`
