import { listedRows, rowLists, type Executor, type ListColumn } from '../../platform/db/database.ts'
import type { Tenant } from '../../platform/tenant.ts'
import type { Address } from '../write/message-bytes.ts'

export interface PlacementMessage {
  id: string
  placementTestId: string
  sendingAccountId: string
  seedMailboxId: string
  from: Address
  to: Address
  subject: string
  rfcMessageId: string
  /** The token by which the message is found in the seed mailbox. */
  ref: string
  raw: Buffer
  sha256: Buffer
  attemptAt: Date
}

const columns: readonly ListColumn<PlacementMessage>[] = [
  ['id', 'text', (message) => message.id],
  ['sender_id', 'text', (message) => message.sendingAccountId],
  ['attempt_at', 'timestamptz', (message) => message.attemptAt],
  ['rfc', 'text', (message) => message.rfcMessageId],
  ['sender', 'jsonb', ({ from }) => JSON.stringify(from)],
  ['recipients', 'jsonb', ({ to }) => JSON.stringify([to])],
  ['subject', 'text', (message) => message.subject],
  ['sha256', 'bytea', (message) => message.sha256],
  ['raw', 'bytea', (message) => message.raw],
  ['placement_test_id', 'text', (message) => message.placementTestId],
]

/**
 * Queues the final bytes as test messages. With a lead, each has a row in `test_messages`, so that it is deleted with the lead or the
 * campaign.
 */
export async function insertPlacementMessages(
  tx: Executor,
  tenant: Tenant,
  {
    messages,
    lead,
    now,
  }: {
    messages: readonly PlacementMessage[]
    lead: { campaignId: string; leadId: string; stepId: string } | null
    now: Date
  },
): Promise<void> {
  await tx.execute(
    `with t as (select * from ${listedRows(columns, 7)}),
     head as (
       insert into message_heads (account_id, environment, id, sending_account_id, direction, kind, status, attempt_at, rfc_message_id,
         refs, from_address, to_addresses, cc_addresses, bcc_addresses, subject, raw_sha256, to_stranger, queued_at)
       select $1, $2, t.id, t.sender_id, 'outbound', 'test', 'queued', t.attempt_at, t.rfc, '{}', t.sender, t.recipients, '[]', '[]',
         t.subject, t.sha256, false, $3 from t returning 1),
     content as (
       insert into message_contents (account_id, environment, message_id, raw) select $1, $2, t.id, t.raw from t returning 1)
     insert into test_messages (account_id, environment, id, campaign_id, lead_id, step_id, variant_id, created_at, asked_at,
       placement_test_id)
     select $1, $2, t.id, $4, $5, $6, '', $3, $3, t.placement_test_id from t where $4::text is not null returning 1`,
    [
      tenant.accountId,
      tenant.environment,
      now,
      lead?.campaignId ?? null,
      lead?.leadId ?? null,
      lead?.stepId ?? null,
      ...rowLists(columns, messages),
    ],
    'insert_placement_messages',
  )
}

/** Gives up test messages that still wait and have no claim in flight. */
export async function updateWaitingTestsFailed(tx: Executor, tenant: Tenant, ids: readonly string[]): Promise<void> {
  await tx.execute(
    `update message_heads m set status = 'failed', failure = '{"type": "too_late"}', attempt_at = null
     where m.account_id = $1 and m.environment = $2 and m.id = any($3) and m.status = 'queued' and m.kind = 'test'
       and not exists (select 1 from claims c where c.account_id = $1 and c.environment = $2 and c.message_id = m.id)`,
    [tenant.accountId, tenant.environment, ids],
    'update_waiting_tests_failed',
  )
}
