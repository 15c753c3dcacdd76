import { normalizeEmail } from '@overture/contract/addresses.ts'
import type { ReadMessage } from '@overture/mail-reading/reading/read-message.ts'
import { stopLead } from '../../campaigns/index.ts'
import { getPolicy, recordExchange } from '../../contact-policy/index.ts'
import type { Executor, Transaction } from '../../platform/db/database.ts'
import { appendEvents } from '../../platform/events/events.sql.ts'
import type { Tenant } from '../../platform/tenant.ts'
import type { AddressHashes } from '../../suppressions/index.ts'
import { listMessagesByRfcIds } from './matching.sql.ts'
import { listWaitingLeads } from './manual-mail.sql.ts'

/** Mail to more recipients is a mailing, so it does not stop leads. */
const recipientsMax = 50

/** Whether the contact policy needs the folder of sent mail. */
export async function readsSentMail(db: Executor, tenant: Tenant): Promise<boolean> {
  const { stopOnManualMail, conversation } = await getPolicy(db, tenant)
  return stopOnManualMail || conversation !== null
}

const outside = { ofCampaign: false } as const

interface MailByHand {
  mail: ReadMessage
  input: { sendingAccountId: string; receivedAt: Date; junk: boolean; now: Date }
  /** The normalised addresses of the account's senders. */
  senders: ReadonlySet<string>
  secrets: AddressHashes
}

/**
 * Handles a mail in the folder of sent mail. If we did not send it, a person wrote it. It stops the leads among its recipients, if
 * the contact policy says so. Source: docs/contract.md, "Contact policy".
 */
export async function takeManualMail(tx: Transaction, tenant: Tenant, sent: MailByHand): Promise<void> {
  const { mail, senders, secrets } = sent
  const { sendingAccountId, receivedAt: at, now } = sent.input
  if (await isOurs(tx, tenant, mail)) return
  // A program writes automatic replies and reports, not the owner of the mailbox.
  if (mail.verdict.kind === 'auto_reply' || mail.verdict.kind === 'bounce') return
  const emails = [...new Set([...mail.to, ...mail.cc].map(({ email }) => normalizeEmail(email).email))].filter(
    (email) => !senders.has(email),
  )
  if (emails.length === 0 || emails.length > recipientsMax) return
  const policy = await getPolicy(tx, tenant)
  if (policy.conversation !== null)
    await recordExchange(tx, tenant, { ...outside, direction: 'outbound', emails, sendingAccountId, secrets, at })
  if (!policy.stopOnManualMail) return
  const sentAt = at > now ? now : at
  for (const { campaignId, leadId, email } of await listWaitingLeads(tx, tenant, { emails, before: sentAt })) {
    const stoppedBy = { rule: 'manual_mail' }
    if (!(await stopLead(tx, tenant, { campaignId, leadId, status: 'stopped', stoppedBy, now }))) continue
    await appendEvents(tx, tenant, [
      {
        type: 'message.manual_sent',
        occurredAt: now,
        campaignId,
        leadId,
        leadEmail: email,
        sendingAccountId,
        data: { rfcMessageId: mail.messageId, sentAt: sentAt.toISOString() },
      },
    ])
  }
}

/** Whether we sent a mail: by our header, or by its Message-ID. */
async function isOurs(tx: Transaction, tenant: Tenant, { hasOurRef, messageId }: ReadMessage): Promise<boolean> {
  if (hasOurRef) return true
  const known = await listMessagesByRfcIds(tx, tenant, messageId === null ? [] : [messageId])
  return known.some(({ direction }) => direction === 'outbound')
}

/** Records who wrote to a mailbox outside of campaigns, if the contact policy asks. Junk and automatic mail do not count. */
export async function recordForeignMail(
  tx: Transaction,
  tenant: Tenant,
  { input, mail, secrets }: MailByHand,
): Promise<void> {
  const { kind } = mail.verdict
  const from = mail.from.map(({ email }) => email)
  const { sendingAccountId, receivedAt: at } = input
  if (input.junk || from.length !== 1 || (kind !== 'reply' && kind !== 'other')) return
  if ((await getPolicy(tx, tenant)).conversation === null) return
  await recordExchange(tx, tenant, { ...outside, direction: 'inbound', emails: from, sendingAccountId, secrets, at })
}
