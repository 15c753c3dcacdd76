import type { LeadStatus } from '@overture/contract/campaigns/leads.ts'
import type { Executor } from '../platform/db/database.ts'
import type { Tenant } from '../platform/tenant.ts'
import type { Counted } from './planner/plan.types.ts'

export interface SentMessage {
  id: string
  token: string
  status: 'sent' | 'bounced'
  at: Date
  answer: string
  failure: object | null
}

/**
 * Records what left. Also where the claim was found expired meanwhile (`uncertain`): the token still names this
 * worker's attempt. Answers the ids that were changed.
 */
export async function updateMessagesSent(
  db: Executor,
  tenant: Tenant,
  messages: readonly SentMessage[],
): Promise<Set<string>> {
  const rows = await db.query<{ id: string }>(
    `update messages m set status = t.status, sent_at = t.at, smtp_answer = t.answer, failure = t.failure, attempts = m.attempts + 1,
       lease_token = null, lease_until = null, attempt_at = null
     from unnest($3::text[], $4::uuid[], $5::text[], $6::timestamptz[], $7::text[], $8::jsonb[]) t (id, token, status, at, answer, failure)
     where m.account_id = $1 and m.environment = $2 and m.id = t.id and m.lease_token = t.token
       and (m.status in ('sending', 'uncertain') or m.status = 'queued' and t.status = 'bounced')
     returning m.id`,
    [
      tenant.accountId,
      tenant.environment,
      messages.map((message) => message.id),
      messages.map((message) => message.token),
      messages.map((message) => message.status),
      messages.map((message) => message.at),
      messages.map((message) => message.answer),
      messages.map((message) => (message.failure === null ? null : JSON.stringify(message.failure))),
    ],
    'update_messages_sent',
  )
  return new Set(rows.map((row) => row.id))
}

export interface ThreadTouch {
  id: string
  campaignId: string | null
  leadId: string | null
  senderId: string
  subject: string
  snippet: string
  at: Date
}

export async function upsertThreads(db: Executor, tenant: Tenant, threads: readonly ThreadTouch[]): Promise<void> {
  if (threads.length === 0) return
  await db.execute(
    `insert into threads as h (account_id, environment, id, campaign_id, lead_id, sending_account_id, subject, snippet,
       last_message_at, created_at)
     select distinct on (t.id) $1, $2, t.id, t.campaign_id, t.lead_id, t.sender_id, t.subject, t.snippet, t.at, t.at
     from unnest($3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::timestamptz[])
       t (id, campaign_id, lead_id, sender_id, subject, snippet, at) order by t.id, t.at desc
     on conflict (account_id, environment, id) do update
       set last_message_at = greatest(h.last_message_at, excluded.last_message_at), snippet = excluded.snippet`,
    [
      tenant.accountId,
      tenant.environment,
      threads.map((thread) => thread.id),
      threads.map((thread) => thread.campaignId),
      threads.map((thread) => thread.leadId),
      threads.map((thread) => thread.senderId),
      threads.map((thread) => thread.subject),
      threads.map((thread) => thread.snippet),
      threads.map((thread) => thread.at),
    ],
    'upsert_threads',
  )
}

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

export interface AdvancedLead {
  id: string
  campaignId: string
  before: LeadStatus
  after: LeadStatus
  first: boolean
}

/** Moves leads behind the step that left. One that was stopped meanwhile keeps its status and gets nothing more. */
export async function advanceLeads(
  db: Executor,
  tenant: Tenant,
  moves: readonly LeadAdvance[],
  now: Date,
): Promise<AdvancedLead[]> {
  if (moves.length === 0) return []
  return db.query<AdvancedLead>(
    `with moves as (
       select * from unnest($3::text[], $4::text[], $5::int[], $6::text[], $7::timestamptz[], $8::text[], $9::text[], $10::timestamptz[])
         t (campaign_id, lead_id, position, step_id, at, thread_id, sender_id, due_at)),
     before as (
       select p.campaign_id, p.lead_id, p.status, p.last_contacted_at from lead_progress p
       join moves t on p.campaign_id = t.campaign_id and p.lead_id = t.lead_id
       where p.account_id = $1 and p.environment = $2 order by p.campaign_id, p.lead_id for update of p)
     update lead_progress p set
       current_step = t.position, current_step_id = t.step_id, last_contacted_at = coalesce(t.at, p.last_contacted_at),
       thread_id = coalesce(t.thread_id, p.thread_id), sending_account_id = coalesce(t.sender_id, p.sending_account_id),
       status = case when b.status not in ('pending', 'active', 'paused') then b.status
         when t.due_at is null then 'completed' when b.status = 'paused' then 'paused' else 'active' end,
       due_at = case when b.status in ('pending', 'active', 'paused') and t.due_at is not null then greatest(t.due_at, p.ooo_until) end,
       attempt_at = case when b.status in ('pending', 'active') and t.due_at is not null then greatest(t.due_at, p.ooo_until) end,
       next_send_at = case when b.status in ('pending', 'active') and t.due_at is not null then greatest(t.due_at, p.ooo_until) end,
       blocked_reason = null, updated_at = $11
     from moves t join before b on b.campaign_id = t.campaign_id and b.lead_id = t.lead_id
     where p.account_id = $1 and p.environment = $2 and p.campaign_id = t.campaign_id and p.lead_id = t.lead_id
     returning p.lead_id as id, p.campaign_id, b.status as before, p.status as after, b.last_contacted_at is null as first`,
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

export interface ReleasedMessage {
  id: string
  campaignId: string | null
  leadId: string | null
  stepId: string | null
  sendingAccountId: string
  counted: Counted | null
}

/**
 * Gives claims back that surely did not leave. `discard`: the row goes, to be written anew; otherwise its bytes wait
 * for the next try. `attempted` counts the try. A manual message comes back at `retryAt`.
 */
export async function releaseMessages(
  db: Executor,
  tenant: Tenant,
  release: {
    ids: readonly string[]
    token: string
    attempted: boolean
    retryAt: Date
    answer: string | null
    now: Date
    discard: boolean
  },
): Promise<ReleasedMessage[]> {
  const old = await db.query<ReleasedMessage & { attempts: number }>(
    `select id, campaign_id, lead_id, step_id, sending_account_id, counted, attempts from messages
     where account_id = $1 and environment = $2 and id = any($3) and lease_token = $4 and status in ('queued', 'sending', 'uncertain')
     for update`,
    [tenant.accountId, tenant.environment, release.ids, release.token],
    'lock_released_messages',
  )
  const gone = release.discard
    ? old.filter((row) => row.stepId !== null && row.attempts === 0).map((row) => row.id)
    : []
  if (gone.length > 0) {
    await db.execute(
      `delete from messages where account_id = $1 and environment = $2 and id = any($3)`,
      [tenant.accountId, tenant.environment, gone],
      'delete_released_messages',
    )
  }
  await db.execute(
    `update messages set status = 'queued', lease_token = null, lease_until = null, counted = null, gated_at = null,
       attempts = attempts + case when $4 then 1 else 0 end,
       first_attempt_at = case when $4 then coalesce(first_attempt_at, $5) else first_attempt_at end,
       smtp_answer = coalesce($6, smtp_answer), attempt_at = case when step_id is null then $7::timestamptz end
     where account_id = $1 and environment = $2 and id = any($3)`,
    [
      tenant.accountId,
      tenant.environment,
      old.map((row) => row.id).filter((id) => !gone.includes(id)),
      release.attempted,
      release.now,
      release.answer,
      release.retryAt,
    ],
    'release_messages',
  )
  return old
}

/** Puts leads whose claim was given back into the planner's queue. With `forgetSender` one never written to may move. */
export async function requeueLeads(
  db: Executor,
  tenant: Tenant,
  requeue: { campaignIds: readonly string[]; leadIds: readonly string[]; at: Date; forgetSender: boolean },
): Promise<void> {
  await db.execute(
    `update lead_progress p set attempt_at = $5, next_send_at = $5, blocked_reason = null,
       sending_account_id = case when $6 and p.last_contacted_at is null then null else p.sending_account_id end
     from unnest($3::text[], $4::text[]) t (campaign_id, lead_id)
     where p.account_id = $1 and p.environment = $2 and p.campaign_id = t.campaign_id and p.lead_id = t.lead_id
       and p.status in ('pending', 'active')`,
    [tenant.accountId, tenant.environment, requeue.campaignIds, requeue.leadIds, requeue.at, requeue.forgetSender],
    'requeue_leads',
  )
}

/** The end of the message may have been received. The token stays, so that a late answer can still be recorded. */
export async function updateMessageUncertain(
  db: Executor,
  tenant: Tenant,
  message: { id: string; token: string; answer: string },
): Promise<boolean> {
  const changed = await db.execute(
    `update messages set status = 'uncertain', lease_until = null, smtp_answer = $5
     where account_id = $1 and environment = $2 and id = $3 and lease_token = $4 and status = 'sending'`,
    [tenant.accountId, tenant.environment, message.id, message.token, message.answer],
    'update_message_uncertain',
  )
  return changed === 1
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

export async function updateMessageFailed(
  db: Executor,
  tenant: Tenant,
  message: { id: string; failure: object },
): Promise<void> {
  await db.execute(
    `update messages set status = 'failed', failure = $4, lease_token = null, lease_until = null, attempt_at = null, counted = null
     where account_id = $1 and environment = $2 and id = $3 and status = 'queued'`,
    [tenant.accountId, tenant.environment, message.id, JSON.stringify(message.failure)],
    'update_message_failed',
  )
}
