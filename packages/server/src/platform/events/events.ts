import type { EventType } from '@overture/contract/events.ts'
import type { Executor } from '../db/database.ts'
import { newId } from '../ids.ts'
import type { Tenant } from '../tenant.ts'

/** What happened, to be written in the transaction of its cause (contract 12). */
export interface NewEvent {
  type: EventType
  /** The tenant's time. */
  occurredAt: Date
  campaignId?: string | null
  leadId?: string | null
  leadEmail?: string | null
  messageId?: string | null
  stepId?: string | null
  variantId?: string | null
  sendingAccountId?: string | null
  /** Anything else; never bodies or secrets. */
  data?: Record<string, unknown>
}

/** Appends events in order, one statement for the batch (1,000 at most). Answers their ids. */
export async function appendEvents(tx: Executor, tenant: Tenant, events: readonly NewEvent[]): Promise<string[]> {
  if (events.length === 0) return []
  const rows = events.map((event) => ({ id: newId('evt'), ...toRow(event) }))
  await tx.execute(
    `insert into events (account_id, environment, id, type, occurred_at, campaign_id, lead_id, lead_email, message_id,
       step_id, variant_id, sending_account_id, data)
     select $1, $2, r.id, r.type, r.occurred_at, r.campaign_id, r.lead_id, r.lead_email, r.message_id, r.step_id,
       r.variant_id, r.sending_account_id, coalesce(r.data, '{}'::jsonb)
     from rows from (jsonb_to_recordset($3::jsonb) as (id text, type text, occurred_at timestamptz,
       campaign_id text, lead_id text, lead_email text, message_id text, step_id text, variant_id text,
       sending_account_id text, data jsonb)) with ordinality as r(id, type, occurred_at, campaign_id, lead_id,
       lead_email, message_id, step_id, variant_id, sending_account_id, data, ordinal)
     order by r.ordinal`,
    [tenant.accountId, tenant.environment, JSON.stringify(rows)],
    'append_events',
  )
  return rows.map((row) => row.id)
}

function toRow(event: NewEvent) {
  return {
    type: event.type,
    occurred_at: event.occurredAt.toISOString(),
    campaign_id: event.campaignId ?? null,
    lead_id: event.leadId ?? null,
    lead_email: event.leadEmail ?? null,
    message_id: event.messageId ?? null,
    step_id: event.stepId ?? null,
    variant_id: event.variantId ?? null,
    sending_account_id: event.sendingAccountId ?? null,
    data: event.data ?? {},
  }
}
