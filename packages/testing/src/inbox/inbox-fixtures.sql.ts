import { idOfMessageId } from '@overture/server/delivery/index.ts'
import type { Executor } from '@overture/server/platform/db/database.ts'
import { newId } from '@overture/server/platform/ids.ts'
import type { Tenant } from '@overture/server/platform/tenant.ts'

/** Inserts a lead whose first message was sent or may have been sent, as `status` says. Returns the message's id. */
export async function insertContacted(
  db: Executor,
  tenant: Tenant,
  contact: {
    campaignId: string
    leadId: string
    stepId: string
    sendingAccountId: string
    rfcMessageId: string
    status: 'sent' | 'uncertain'
    at: Date
  },
): Promise<string> {
  const id = idOfMessageId(contact.rfcMessageId)
  await db.execute(
    `with message as (
       insert into message_heads (account_id, environment, id, campaign_id, lead_id, step_id, thread_id, sending_account_id,
         direction, kind, status, rfc_message_id, subject, queued_at, gated_at, sent_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, 'outbound', 'campaign', $9, $10, 'Hello', $11, $11,
         case when $9 = 'sent' then $11::timestamptz end)),
     claim as (
       insert into claims (account_id, environment, message_id, kind, campaign_id, lead_id, step_id, sending_account_id, claimed_at,
         lease_token, gated_at)
       select $1, $2, $3, 'campaign', $4, $5, $6, $8, $11, gen_random_uuid(), $11 where $9 = 'uncertain')
     update lead_progress set status = 'active', last_contacted_at = $11, sending_account_id = $8, thread_id = $7
     where account_id = $1 and environment = $2 and campaign_id = $4 and lead_id = $5`,
    [
      tenant.accountId,
      tenant.environment,
      id,
      contact.campaignId,
      contact.leadId,
      contact.stepId,
      newId('thr'),
      contact.sendingAccountId,
      contact.status,
      contact.rfcMessageId,
      contact.at,
    ],
  )
  return id
}

/** Lets every mailbox connect again at once. */
export async function endMailboxWaitsAcrossAccounts(db: Executor): Promise<void> {
  await db.execute('update mailboxes set retry_at = null where retry_at is not null', [])
}

/** Frees the mailbox leases of a killed worker at once. */
export async function endMailboxLeasesAcrossAccounts(db: Executor): Promise<void> {
  await db.execute('update mailboxes set lease_token = null', [])
}
