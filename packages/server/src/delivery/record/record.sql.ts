import type { LeadStatus } from '@overture/contract/campaigns/leads.ts'
import { leadAdvance, type LeadAdvance } from '../../campaigns/index.ts'
import { columnList, listedRows, rowLists, type Executor, type ListColumn } from '../../platform/db/database.ts'
import { appendingText, eventLists, requireAppended, type NewEvent } from '../../platform/events/events.sql.ts'
import type { Tenant } from '../../platform/tenant.ts'

export interface LeftMessage {
  id: string
  token: string
  status: 'sent' | 'bounced'
  /** The tenant's time of the server's answer, or of the gate if the answer was lost. */
  at: Date
  /** The tenant's time when the outcome became known. */
  recordedAt: Date
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
const advanced = `p.campaign_id, p.status_before as before, p.status as after, not p.contacted_before as first`

const columns: readonly ListColumn<LeftMessage>[] = [
  ['id', 'text', (message) => message.id],
  ['token', 'uuid', (message) => message.token],
  ['outcome', 'text', (message) => message.status],
  ['at', 'timestamptz', (message) => message.at],
  ['recorded_at', 'timestamptz', (message) => message.recordedAt],
  ['answer', 'text', (message) => message.answer],
  ['failure', 'jsonb', ({ failure }) => failure && JSON.stringify(failure)],
  ['conversation_id', 'text', (message) => message.threadId],
  ['snippet', 'text', (message) => message.snippet],
  ['delivered', 'text', (message) => message.deliveredMessageId],
  ['campaign_id', 'text', ({ move }) => move?.campaignId],
  ['lead_id', 'text', ({ move }) => move?.leadId],
  ['position', 'int', ({ move }) => move?.position],
  ['step_id', 'text', ({ move }) => move?.stepId],
  ['thread_id', 'text', ({ move }) => move?.threadId],
  ['sender_id', 'text', ({ move }) => move?.senderId],
  ['due_at', 'timestamptz', ({ move }) => move?.dueAt],
  ['next_step', 'int', ({ move }) => move?.nextStep],
  ['deciding', 'boolean', ({ move }) => move?.deciding],
]
const list = (name: string) => columnList(columns, 3, name)

// The message is the cause of its events. `m` is its lead, if the lead moved.
const appendingTold = appendingText(3 + columns.length, {
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
  { messages, toldMessages }: { messages: readonly LeftMessage[]; toldMessages: readonly ToldMessage[] },
): Promise<RecordedMessage[]> {
  const rows = await db.query<RecordedRow>(
    `with t as (select * from ${listedRows(columns, 3)}),
     ended as (
       delete from claims c using t
       where c.account_id = $1 and c.environment = $2 and c.message_id = any(${list('id')}) and c.message_id = t.id
         and c.lease_token = t.token and (c.gated_at is not null or t.outcome = 'bounced')
       returning c.message_id),
     heads as (
       update message_heads m set status = t.outcome, sent_at = t.at, smtp_answer = t.answer, failure = t.failure,
         delivered_message_id = t.delivered, attempts = m.attempts + 1, attempt_at = null
       from t join ended e on e.message_id = t.id
       where m.account_id = $1 and m.environment = $2 and m.id = any(${list('id')}) and m.id = t.id),
     conversations as (
       update threads h set last_message_at = greatest(h.last_message_at, t.at), snippet = t.snippet
       from t join ended e on e.message_id = t.id
       where h.account_id = $1 and h.environment = $2 and h.id = any(${list('conversation_id')}) and h.id = t.conversation_id),
     moved as (
       update lead_progress p set ${leadAdvance}, updated_at = t.recorded_at
       from t
       where t.id = any(array(select message_id from ended)) and p.account_id = $1 and p.environment = $2
         and p.campaign_id = any(${list('campaign_id')}) and p.lead_id = any(${list('lead_id')})
         and p.campaign_id = t.campaign_id and p.lead_id = t.lead_id
       returning t.id, ${advanced}),
     told as (${appendingTold})
     select e.message_id as id, m.campaign_id, m.before, m.after, m.first, (select count(*)::int from told) as appended
     from ended e left join moved m on m.id = e.message_id`,
    [
      tenant.accountId,
      tenant.environment,
      ...rowLists(columns, messages),
      ...eventLists(
        db,
        toldMessages.flatMap(({ messageId: cause, events }) => events.map((event) => ({ event, cause }))),
      ),
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
