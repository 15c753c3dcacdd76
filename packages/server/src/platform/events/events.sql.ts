import type { EventDetails } from '@overture/contract/events/event-payloads.ts'
import type { EventType } from '@overture/contract/events/events.ts'
import type { AuditActor } from '@overture/contract/team/audit.ts'
import type { Executor } from '../db/database.ts'
import { newId } from '../ids.ts'
import type { Tenant } from '../tenant.ts'
import { transactionActor } from './actors.ts'

/** An event to append in the transaction of its cause. Each type has the fields that the contract defines for it. */
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
  /** The actor of the event, if another one than that of the transaction. */
  actor?: AuditActor
}

/**
 * The largest number of events that are written as values in the statement. This is a quarter less work than reading arrays, but
 * each number of events has its own statement.
 */
const valuesMax = 6
/** The columns after the account and the environment. */
const names: readonly string[] =
  `id type occurred_at campaign_id lead_id lead_email message_id step_id variant_id sending_account_id data actor_type actor_id
  actor_name`.split(/\s+/)
const types: readonly string[] = 'text text timestamptz text text text text text text text jsonb text text text'.split(
  ' ',
)
const columns = `account_id, environment, ${names.join(', ')}`

/** Appends events in order, with one statement for the batch (1,000 at most). Returns their ids. */
export async function appendEvents(tx: Executor, tenant: Tenant, events: readonly NewEvent[]): Promise<string[]> {
  if (events.length === 0) return []
  const rows = toRows(tx, events)
  const isFew = events.length <= valuesMax
  const text = isFew ? valuesText(rows.length) : listsText
  const values = isFew ? rows.flat() : columnLists(rows)
  const name = isFew ? `append_events_${rows.length}` : 'append_events'
  const appended = await tx.execute(text, [tenant.accountId, tenant.environment, ...values], name)
  requireAppended(rows.length, appended)
  return rows.map(([id]) => id)
}

/** Throws if events were not appended: the log of an ended account was deleted. */
export function requireAppended(wanted: number, appended: number): void {
  if (appended !== wanted) throw new Error(`${wanted - appended} events of no account.`)
}

/** The parameters for a statement that appends events itself by `appendingText`: one array per column. */
export function eventLists(tx: Executor, events: readonly NewEvent[]): unknown[][] {
  return columnLists(toRows(tx, events))
}

interface EventCondition {
  join: string
  only: string
  data: string
}

/**
 * The part of a statement that appends events in order, in the statement that causes them. `first` is the number of the parameter
 * with the first of `eventLists`; the others follow. `r` is an event. If an event depends on rows that the statement finds, one
 * more array has for each event the row that it depends on, as `r.cause`. Nothing is appended for an ended account.
 */
export function appendingText(first: number, appending: EventCondition | null): string {
  const { join, only, data } = appending ?? { join: '', only: 'true', data: 'r.data' }
  const lists = types.concat(appending === null ? [] : 'text').map((type, index) => `$${first + index}::${type}[]`)
  const listNames = names.concat(appending === null ? [] : 'cause')
  return `insert into events (${columns})
    select a.account_id, $2, ${names.map((name) => (name === 'data' ? data : `r.${name}`)).join(', ')}
    from accounts a, unnest(${lists.join(', ')}) with ordinality as r (${listNames.join(', ')}, ordinal) ${join}
    where a.account_id = $1 and ${only} order by r.ordinal returning id`
}

// Arrays per column, because reading a batch as JSON took twice as long.
const listsText = appendingText(3, null)

type EventRow = [id: string, ...rest: unknown[]]

function toRows(tx: Executor, events: readonly NewEvent[]): EventRow[] {
  return events.map((event) => toRow(event, event.actor ?? transactionActor(tx)))
}

function columnLists(rows: readonly EventRow[]): unknown[][] {
  return names.map((_, index) => rows.map((row) => row[index]))
}

function toRow(event: NewEvent, actor: AuditActor): EventRow {
  const { type, occurredAt, campaignId, leadId, leadEmail, messageId, stepId, variantId, sendingAccountId } = event
  const about = [campaignId, leadId, leadEmail, messageId, stepId, variantId, sendingAccountId].map((id) => id ?? null)
  const data = event.data === undefined ? '{}' : JSON.stringify(event.data)
  return [newId('evt'), type, occurredAt, ...about, data, actor.type, actor.id, actor.name]
}

function valuesText(count: number): string {
  const width = names.length
  const row = (at: number) => `($1, $2, ${names.map((_, index) => `$${3 + at * width + index}`).join(', ')})`
  return `insert into events (${columns}) values ${Array.from({ length: count }, (_, at) => row(at)).join(', ')}`
}
