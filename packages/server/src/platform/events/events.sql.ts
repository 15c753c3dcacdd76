import type { EventDetails } from '@overture/contract/events/event-payloads.ts'
import type { EventType } from '@overture/contract/events/events.ts'
import type { AuditActor } from '@overture/contract/team/audit.ts'
import { listedRows, rowLists, type Executor, type ListColumn } from '../db/database.ts'
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

type EventRow = { id: string; event: NewEvent; actor: AuditActor }

/** The columns after the account and the environment. */
const columns: readonly ListColumn<EventRow>[] = [
  ['id', 'text', ({ id }) => id],
  ['type', 'text', ({ event }) => event.type],
  ['occurred_at', 'timestamptz', ({ event }) => event.occurredAt],
  ['campaign_id', 'text', ({ event }) => event.campaignId],
  ['lead_id', 'text', ({ event }) => event.leadId],
  ['lead_email', 'text', ({ event }) => event.leadEmail],
  ['message_id', 'text', ({ event }) => event.messageId],
  ['step_id', 'text', ({ event }) => event.stepId],
  ['variant_id', 'text', ({ event }) => event.variantId],
  ['sending_account_id', 'text', ({ event }) => event.sendingAccountId],
  ['data', 'jsonb', ({ event }) => JSON.stringify(event.data ?? {})],
  ['actor_type', 'text', ({ actor }) => actor.type],
  ['actor_id', 'text', ({ actor }) => actor.id],
  ['actor_name', 'text', ({ actor }) => actor.name],
]
const names = columns.map(([name]) => name)
const insertedColumns = `account_id, environment, ${names.join(', ')}`

/** An event with the row that it depends on. */
type CausedEvent = { event: NewEvent; cause: string }

const causedColumns: readonly ListColumn<EventRow & CausedEvent>[] = [
  ...columns,
  ['cause', 'text', ({ cause }) => cause],
]

/** Appends events in order, with one statement for the batch (1,000 at most). Returns their ids. */
export async function appendEvents(tx: Executor, tenant: Tenant, events: readonly NewEvent[]): Promise<string[]> {
  if (events.length === 0) return []
  const rows = events.map((event) => toRow(tx, event))
  const isFew = events.length <= valuesMax
  const text = isFew ? valuesText(rows.length) : listsText
  const values = isFew ? rows.flatMap((row) => columns.map(([, , value]) => value(row))) : rowLists(columns, rows)
  const name = isFew ? `append_events_${rows.length}` : 'append_events'
  const appended = await tx.execute(text, [tenant.accountId, tenant.environment, ...values], name)
  requireAppended(rows.length, appended)
  return rows.map(({ id }) => id)
}

/** Throws if events were not appended: the log of an ended account was deleted. */
export function requireAppended(wanted: number, appended: number): void {
  if (appended !== wanted) throw new Error(`${wanted - appended} events of no account.`)
}

/** The parameters for a statement that appends events itself by `appendingText`: one array per column. */
export function eventLists(tx: Executor, events: readonly CausedEvent[]): unknown[][] {
  const rows = events.map(({ event, cause }) => ({ ...toRow(tx, event), cause }))
  return rowLists(causedColumns, rows)
}

interface EventCondition {
  join: string
  only: string
  data: string
}

/**
 * The part of a statement that appends events in order, in the statement that causes them. `first` is the number of the parameter
 * with the first of `eventLists`; the others follow. `r` is an event. If an event depends on rows that the statement finds,
 * `r.cause` is the row that it depends on. Nothing is appended for an ended account.
 */
export function appendingText(first: number, appending: EventCondition | null): string {
  const { join, only, data } = appending ?? { join: '', only: 'true', data: 'r.data' }
  const events = listedRows(appending === null ? columns : causedColumns, first, { ordinal: true, as: 'r' })
  return `insert into events (${insertedColumns})
    select a.account_id, $2, ${names.map((name) => (name === 'data' ? data : `r.${name}`)).join(', ')}
    from accounts a, ${events} ${join}
    where a.account_id = $1 and ${only} order by r.ordinal returning id`
}

// Arrays per column, because reading a batch as JSON took twice as long.
const listsText = appendingText(3, null)

function toRow(tx: Executor, event: NewEvent): EventRow {
  return { id: newId('evt'), event, actor: event.actor ?? transactionActor(tx) }
}

function valuesText(count: number): string {
  const width = names.length
  const row = (at: number) => `($1, $2, ${names.map((_, index) => `$${3 + at * width + index}`).join(', ')})`
  return `insert into events (${insertedColumns}) values ${Array.from({ length: count }, (_, at) => row(at)).join(', ')}`
}
