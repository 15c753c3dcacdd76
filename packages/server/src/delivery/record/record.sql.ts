import type { LeadStatus } from '@overture/contract/campaigns/leads.ts'
import { leadAdvance, type LeadAdvance } from '../../campaigns/index.ts'
import type { Executor } from '../../platform/db/database.ts'
import { appendingText, eventLists, requireAppended, type NewEvent } from '../../platform/events/events.sql.ts'
import type { Tenant } from '../../platform/tenant.ts'

export interface LeftMessage {
  id: string
  token: string
  status: 'sent' | 'bounced'
  at: Date
  answer: string
  /** The Message-ID with which the server replaced ours. Null if none is known. */
  deliveredMessageId: string | null
  failure: object | null
  /** The conversation that the message continues; null if no one replied yet. */
  threadId: string | null
  snippet: string
  /** Null if the message belongs to no step. */
  move: LeadAdvance | null
}

/** The events of a message, in order. They are stored if the message is recorded. */
interface ToldMessage {
  messageId: string
  /**
   * The statement adds `first` and the lead's old and new status to the events. Without a change of status there is no event
   * about it.
   */
  events: readonly NewEvent[]
}

export interface AdvancedLead {
  campaignId: string
  before: LeadStatus
  after: LeadStatus
  first: boolean
}

interface RecordedMessage {
  id: string
  /** Null if no lead moved. */
  lead: AdvancedLead | null
}

type RecordedRow = { id: string; appended: number } & { [Field in keyof AdvancedLead]: AdvancedLead[Field] | null }

/** The columns that a statement returns for each lead that it moves. */
export const advanced = `p.campaign_id, p.status_before as before, p.status as after, not p.contacted_before as first`

// The message is the cause of its events. `m` is its lead, if the lead moved.
const appendingTold = appendingText(22, {
  join: 'left join moved m on m.id = r.cause',
  only: `r.cause = any(array(select message_id from ended)) and (r.type <> 'lead.status_changed' or m.before <> m.after)`,
  data: `r.data || case when r.type = 'lead.status_changed' then jsonb_build_object('from', m.before, 'to', m.after)
      else jsonb_build_object('first', coalesce(m.first, false)) end`,
})

/**
 * Records sent messages in one statement: it ends the claims, stores the outcomes, updates the conversations, moves the leads and
 * appends the events. The ended claims are passed as a list where leads move: for a join, PostgreSQL 15 expects one row and reads
 * the account's progress once per message until its statistics contain the account. Claims that expired in the meantime
 * (`uncertain`) are recorded too, since their token still names this worker's attempt. Returns the recorded messages.
 */
export async function recordLeftMessages(
  db: Executor,
  tenant: Tenant,
  {
    messages,
    toldMessages,
    now,
  }: { messages: readonly LeftMessage[]; toldMessages: readonly ToldMessage[]; now: Date },
): Promise<RecordedMessage[]> {
  const ofMove = <Value>(pick: (move: LeadAdvance) => Value) =>
    messages.map(({ move }) => (move === null ? null : pick(move)))
  const rows = await db.query<RecordedRow>(
    `with t as (
       select * from unnest($3::text[], $4::uuid[], $5::text[], $6::timestamptz[], $7::text[], $8::jsonb[], $9::text[], $10::text[],
         $11::text[], $12::text[], $13::int[], $14::text[], $15::text[], $16::text[], $17::timestamptz[], $19::int[], $20::boolean[],
         $21::text[])
         t (id, token, outcome, at, answer, failure, conversation_id, snippet, campaign_id, lead_id, position, step_id, thread_id,
           sender_id, due_at, next_step, deciding, delivered)),
     ended as (
       delete from claims c using t
       where c.account_id = $1 and c.environment = $2 and c.message_id = any($3) and c.message_id = t.id and c.lease_token = t.token
         and (c.gated_at is not null or t.outcome = 'bounced')
       returning c.message_id),
     heads as (
       update message_heads m set status = t.outcome, sent_at = t.at, smtp_answer = t.answer, failure = t.failure,
         delivered_message_id = t.delivered, attempts = m.attempts + 1, attempt_at = null
       from t join ended e on e.message_id = t.id where m.account_id = $1 and m.environment = $2 and m.id = any($3) and m.id = t.id),
     conversations as (
       update threads h set last_message_at = greatest(h.last_message_at, t.at), snippet = t.snippet
       from t join ended e on e.message_id = t.id
       where h.account_id = $1 and h.environment = $2 and h.id = any($9) and h.id = t.conversation_id),
     moved as (
       update lead_progress p set ${leadAdvance}, updated_at = $18
       from t
       where t.id = any(array(select message_id from ended)) and p.account_id = $1 and p.environment = $2
         and p.campaign_id = any($11) and p.lead_id = any($12) and p.campaign_id = t.campaign_id and p.lead_id = t.lead_id
       returning t.id, ${advanced}),
     told as (${appendingTold})
     select e.message_id as id, m.campaign_id, m.before, m.after, m.first, (select count(*)::int from told) as appended
     from ended e left join moved m on m.id = e.message_id`,
    [
      tenant.accountId,
      tenant.environment,
      messages.map((message) => message.id),
      messages.map((message) => message.token),
      messages.map((message) => message.status),
      messages.map((message) => message.at),
      messages.map((message) => message.answer),
      messages.map((message) => (message.failure === null ? null : JSON.stringify(message.failure))),
      messages.map((message) => message.threadId),
      messages.map((message) => message.snippet),
      ofMove((move) => move.campaignId),
      ofMove((move) => move.leadId),
      ofMove((move) => move.position),
      ofMove((move) => move.stepId),
      ofMove((move) => move.threadId),
      ofMove((move) => move.senderId),
      ofMove((move) => move.dueAt),
      now,
      ofMove((move) => move.nextStep),
      ofMove((move) => move.deciding),
      messages.map((message) => message.deliveredMessageId),
      ...eventLists(
        db,
        toldMessages.flatMap(({ events }) => events),
      ),
      toldMessages.flatMap(({ messageId, events }) => events.map(() => messageId)),
    ],
    'record_left_messages',
  )
  const recorded = rows.map(({ id, campaignId, before, after, first }) => ({
    id,
    lead: campaignId === null ? null : ({ campaignId, before, after, first } as AdvancedLead),
  }))
  requireAppended(countTold(toldMessages, recorded), rows[0]?.appended ?? 0)
  return recorded
}

function countTold(toldMessages: readonly ToldMessage[], recorded: readonly RecordedMessage[]): number {
  const leads = new Map(recorded.map(({ id, lead }) => [id, lead]))
  return toldMessages.reduce((count, { messageId, events }) => {
    const lead = leads.get(messageId)
    if (lead === undefined) return count
    const hasChanged = lead !== null && lead.before !== lead.after
    return count + events.filter(({ type }) => hasChanged || type !== 'lead.status_changed').length
  }, 0)
}
