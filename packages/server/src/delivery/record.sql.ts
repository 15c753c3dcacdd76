import type { LeadStatus } from '@overture/contract/campaigns/leads.ts'
import type { Executor } from '../platform/db/database.ts'
import type { Tenant } from '../platform/tenant.ts'

export interface LeadAdvance {
  campaignId: string
  leadId: string
  position: number
  stepId: string
  /** When the step left; null: it had left before, only the place in the sequence moves. */
  at: Date | null
  threadId: string | null
  senderId: string | null
  /** When the next step is due; null: this was the last. */
  dueAt: Date | null
}

export interface LeftMessage {
  id: string
  token: string
  status: 'sent' | 'bounced'
  at: Date
  answer: string
  failure: object | null
  /** A conversation that goes on; null: nobody has answered it yet. */
  threadId: string | null
  snippet: string
  /** Null: the message belongs to no step. */
  move: LeadAdvance | null
}

export interface AdvancedLead {
  campaignId: string
  before: LeadStatus
  after: LeadStatus
  first: boolean
}

interface RecordedMessage {
  id: string
  /** Null: no lead moved. */
  lead: AdvancedLead | null
}

// One that was stopped meanwhile keeps its status and gets nothing more. `status_before` and `contacted_before`: what
// was found, for the log.
const advance = `status_before = p.status, contacted_before = p.last_contacted_at is not null,
  current_step = t.position, current_step_id = t.step_id, last_contacted_at = coalesce(t.at, p.last_contacted_at),
  thread_id = coalesce(t.thread_id, p.thread_id), sending_account_id = coalesce(t.sender_id, p.sending_account_id),
  status = case when p.status not in ('pending', 'active', 'paused') then p.status
    when t.due_at is null then 'completed' when p.status = 'paused' then 'paused' else 'active' end,
  due_at = case when p.status in ('pending', 'active', 'paused') and t.due_at is not null then greatest(t.due_at, p.ooo_until) end,
  attempt_at = case when p.status in ('pending', 'active') and t.due_at is not null then greatest(t.due_at, p.ooo_until) end,
  next_send_at = case when p.status in ('pending', 'active') and t.due_at is not null then greatest(t.due_at, p.ooo_until) end,
  blocked_reason = null`
const advanced = `p.campaign_id, p.status_before as before, p.status as after, not p.contacted_before as first`

/**
 * Records what left, in one statement: the claims end, the messages have their outcome, conversations their last line,
 * and the leads stand behind the step. Also where a claim was found expired meanwhile (`uncertain`): the token still
 * names this worker's attempt. Answers what was recorded.
 */
export async function recordLeftMessages(
  db: Executor,
  tenant: Tenant,
  messages: readonly LeftMessage[],
  now: Date,
): Promise<RecordedMessage[]> {
  const ofMove = <Value>(pick: (move: LeadAdvance) => Value) =>
    messages.map(({ move }) => (move === null ? null : pick(move)))
  const rows = await db.query<{ id: string } & { [Field in keyof AdvancedLead]: AdvancedLead[Field] | null }>(
    `with t as (
       select * from unnest($3::text[], $4::uuid[], $5::text[], $6::timestamptz[], $7::text[], $8::jsonb[], $9::text[], $10::text[],
         $11::text[], $12::text[], $13::int[], $14::text[], $15::text[], $16::text[], $17::timestamptz[])
         t (id, token, outcome, at, answer, failure, conversation_id, snippet, campaign_id, lead_id, position, step_id, thread_id,
           sender_id, due_at)),
     ended as (
       delete from claims c using t
       where c.account_id = $1 and c.environment = $2 and c.message_id = t.id and c.lease_token = t.token
         and (c.gated_at is not null or t.outcome = 'bounced')
       returning c.message_id),
     heads as (
       update message_heads m set status = t.outcome, sent_at = t.at, smtp_answer = t.answer, failure = t.failure,
         attempts = m.attempts + 1, attempt_at = null
       from t join ended e on e.message_id = t.id where m.account_id = $1 and m.environment = $2 and m.id = t.id),
     conversations as (
       update threads h set last_message_at = greatest(h.last_message_at, t.at), snippet = t.snippet
       from t join ended e on e.message_id = t.id
       where h.account_id = $1 and h.environment = $2 and h.id = t.conversation_id),
     moved as (
       update lead_progress p set ${advance}, updated_at = $18
       from t join ended e on e.message_id = t.id
       where p.account_id = $1 and p.environment = $2 and p.campaign_id = t.campaign_id and p.lead_id = t.lead_id
       returning t.id, ${advanced})
     select e.message_id as id, m.campaign_id, m.before, m.after, m.first from ended e left join moved m on m.id = e.message_id`,
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
    ],
    'record_left_messages',
  )
  return rows.map(({ id, ...lead }) => ({ id, lead: lead.campaignId === null ? null : (lead as AdvancedLead) }))
}

/** Moves leads behind a step that had left before. */
export async function advanceLeads(
  db: Executor,
  tenant: Tenant,
  moves: readonly LeadAdvance[],
  now: Date,
): Promise<void> {
  if (moves.length === 0) return
  await db.execute(
    `update lead_progress p set ${advance}, updated_at = $11
     from unnest($3::text[], $4::text[], $5::int[], $6::text[], $7::timestamptz[], $8::text[], $9::text[], $10::timestamptz[])
       t (campaign_id, lead_id, position, step_id, at, thread_id, sender_id, due_at)
     where p.account_id = $1 and p.environment = $2 and p.campaign_id = t.campaign_id and p.lead_id = t.lead_id`,
    [
      tenant.accountId,
      tenant.environment,
      moves.map((move) => move.campaignId),
      moves.map((move) => move.leadId),
      moves.map((move) => move.position),
      moves.map((move) => move.stepId),
      moves.map((move) => move.at),
      moves.map((move) => move.threadId),
      moves.map((move) => move.senderId),
      moves.map((move) => move.dueAt),
      now,
    ],
    'advance_leads',
  )
}

/** Leads that are past the last step of a sequence that became shorter. */
export async function completeLeads(
  db: Executor,
  tenant: Tenant,
  leads: readonly { campaignId: string; id: string }[],
  now: Date,
): Promise<void> {
  await db.execute(
    `update lead_progress p set status = 'completed', due_at = null, attempt_at = null, next_send_at = null, blocked_reason = null,
       updated_at = $5
     from unnest($3::text[], $4::text[]) t (campaign_id, id)
     where p.account_id = $1 and p.environment = $2 and p.campaign_id = t.campaign_id and p.lead_id = t.id
       and p.status in ('pending', 'active')`,
    [tenant.accountId, tenant.environment, leads.map((lead) => lead.campaignId), leads.map((lead) => lead.id), now],
    'complete_leads',
  )
}

/** Puts leads whose claim was given back into the planner's queue. With `forgetSender` one never written to may move. */
export async function requeueLeads(
  db: Executor,
  tenant: Tenant,
  requeue: {
    leads: readonly { campaignId: string; leadId: string; sendingAccountId: string }[]
    at: Date
    forgetSender: boolean
  },
): Promise<void> {
  await db.execute(
    `update lead_progress p set attempt_at = $5, next_send_at = $5, blocked_reason = null,
       sending_account_id = case when $6 and p.last_contacted_at is null then null else t.sender_id end
     from unnest($3::text[], $4::text[], $7::text[]) t (campaign_id, lead_id, sender_id)
     where p.account_id = $1 and p.environment = $2 and p.campaign_id = t.campaign_id and p.lead_id = t.lead_id
       and p.status in ('pending', 'active')`,
    [
      tenant.accountId,
      tenant.environment,
      requeue.leads.map((lead) => lead.campaignId),
      requeue.leads.map((lead) => lead.leadId),
      requeue.at,
      requeue.forgetSender,
      requeue.leads.map((lead) => lead.sendingAccountId),
    ],
    'requeue_leads',
  )
}

/** What an unread outcome or a missing value means for the lead: nothing more goes out until it is settled. */
export async function blockLead(
  db: Executor,
  tenant: Tenant,
  lead: { campaignId: string; leadId: string; reason: 'delivery_uncertain' | 'missing_variable' },
): Promise<void> {
  await db.execute(
    `update lead_progress set blocked_reason = $5, attempt_at = null, next_send_at = null
     where account_id = $1 and environment = $2 and campaign_id = $3 and lead_id = $4 and status in ('pending', 'active', 'paused')`,
    [tenant.accountId, tenant.environment, lead.campaignId, lead.leadId, lead.reason],
    'block_lead',
  )
}
