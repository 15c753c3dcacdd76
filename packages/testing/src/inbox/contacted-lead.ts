import { idOfMessageId } from '@overture/server/delivery/index.ts'
import { newId } from '@overture/server/platform/ids.ts'
import type { TestServer } from '../server.ts'

/** A lead of the test environment and the message that was sent to it. */
export interface ContactedLead {
  campaignId: string
  leadId: string
  stepId: string
  email: string
  rfcMessageId: string
}

export interface ContactOptions {
  settings?: object
  email?: string
  colleagues?: string[]
}

let counter = 0

/** Creates a lead whose first message was sent a day ago. */
export async function contactedLead(
  server: TestServer,
  { senderId, now, ...options }: ContactOptions & { senderId: string; now: Date },
): Promise<ContactedLead> {
  const call = (method: string, path: string, body?: unknown) =>
    server.call(method, path, { key: server.keys.test, body })
  counter++
  const email = options.email ?? `lead${counter}@company${counter}.test`
  const campaign = (
    await call('POST', '/v2/campaigns', {
      name: 'One',
      sendingAccountIds: [senderId],
      settings: options.settings ?? {},
      steps: [
        { variants: [{ subject: 'Hello', body: 'Hi' }] },
        { waitBefore: { value: 3, unit: 'days' }, variants: [{ body: 'Again' }] },
      ],
    })
  ).body
  const added = await call('POST', `/v2/campaigns/${campaign.id}/leads`, {
    leads: [email, ...(options.colleagues ?? [])].map((one) => ({ email: one })),
  })
  const lead: ContactedLead = {
    campaignId: campaign.id,
    leadId: added.body.results[0].leadId,
    stepId: campaign.steps[0].id,
    email,
    rfcMessageId: `<out${counter}@example.com>`,
  }
  const { accountId, environment } = server.testTenant
  const sentAt = new Date(now.getTime() - 86_400_000)
  await server.app.db.execute(
    `with thread as (
       insert into threads (account_id, environment, id, campaign_id, lead_id, sending_account_id, subject, last_message_at, created_at)
       values ($1, $2, $3, $4, $5, $6, 'Hello', $7, $7)),
     message as (
       insert into message_heads (account_id, environment, id, campaign_id, lead_id, step_id, thread_id, sending_account_id,
         direction, kind, status, rfc_message_id, subject, queued_at, gated_at, sent_at, to_addresses)
       values ($1, $2, $8, $4, $5, $9, $3, $6, 'outbound', 'campaign', 'sent', $10, 'Hello', $7, $7, $7, $11))
     update lead_progress set status = 'active', current_step = 1, last_contacted_at = $7, thread_id = $3, sending_account_id = $6,
       due_at = $12, attempt_at = $12
     where account_id = $1 and environment = $2 and campaign_id = $4 and lead_id = $5`,
    [
      accountId,
      environment,
      newId('thr'),
      lead.campaignId,
      lead.leadId,
      senderId,
      sentAt,
      idOfMessageId(lead.rfcMessageId),
      lead.stepId,
      lead.rfcMessageId,
      JSON.stringify([{ email, name: null }]),
      new Date(now.getTime() + 2 * 86_400_000),
    ],
  )
  return lead
}
