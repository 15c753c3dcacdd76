import { normalizeEmail } from '@overture/contract/addresses.ts'
import { askBranches, findCampaign, pauseCampaign, pauseStrandedCampaigns, stopLead } from '../../campaigns/index.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { appendEvents } from '../../platform/events/events.sql.ts'
import type { Tenant } from '../../platform/tenant.ts'
import { pauseSender, warnOfBounces } from '../../sending-accounts/index.ts'
import { suppress, type AddressHashes } from '../../suppressions/index.ts'
import { bounceOf, emailsOf, type BounceOf } from '../plan/recipients.ts'
import {
  countCampaignBounces,
  countMailboxBounces,
  countSoftBounces,
  lockSentMessage,
  updateMessageBounced,
  updateRefusedRecipients,
} from './bounce.sql.ts'
import { uncountMessage } from './give-back.commands.ts'
import { campaignTrips, mailboxVerdict, mailboxWindow, softBounces } from './breaker.ts'
import type { BounceType } from './outcome.ts'

interface Bounce {
  messageId: string
  type: BounceType
  /** An enhanced status code such as `5.1.1`. */
  code: string | null
  reason: string
  secrets: AddressHashes
  now: Date
}

/**
 * Records a delivery report about a sent message. If the only recipient is not the lead, the message bounced without consequences
 * for the lead. Returns false if the message doesn't exist, has already bounced, or has another recipient that did not fail.
 */
export async function recordBounce(
  tx: Transaction,
  tenant: Tenant,
  { recipient, ...bounce }: Bounce & { recipient: string | null },
): Promise<boolean> {
  const { messageId: id, type, code, reason } = bounce
  const of = await recordFailedRecipient(tx, tenant, { messageId: id, recipient, code, reason })
  if (of === null || of === 'copy') return false
  const ofLead = of === 'lead'
  const failure = { type, code, reason, ...(!ofLead && { notOfLead: true }) }
  const row = await updateMessageBounced(tx, tenant, { id, failure })
  if (row === undefined) return false
  await applyBounce(tx, tenant, {
    ...bounce,
    campaignId: row.campaignId,
    leadId: ofLead ? row.leadId : null,
    leadEmail: ofLead ? row.email : null,
    stepId: row.stepId,
    variantId: row.variantId,
    sendingAccountId: row.sendingAccountId,
  })
  return true
}

/**
 * Decides whose failure a report about a sent message is. If it is one of several recipients and not the lead, the recipient is
 * listed as refused, and the message stays sent. `recipient` is the address that the report names, or null. Returns null if the
 * message doesn't exist.
 */
export async function recordFailedRecipient(
  tx: Transaction,
  tenant: Tenant,
  report: { messageId: string; recipient: string | null; code: string | null; reason: string },
): Promise<BounceOf | null> {
  const { messageId, recipient, code, reason } = report
  const message = await lockSentMessage(tx, tenant, messageId)
  if (message === undefined) return null
  const failed = recipient === null ? null : normalizeEmail(recipient).email
  const of = bounceOf(message, failed)
  if (of !== 'copy' || failed === null || !emailsOf(message).includes(failed)) return of
  const { refusedRecipients: before } = message
  if (before.some(({ email }) => normalizeEmail(email).email === failed)) return of
  const refused = [...before, { email: failed, code, reason }]
  await updateRefusedRecipients(tx, tenant, { id: messageId, refused })
  return of
}

interface BounceConsequences extends Bounce {
  campaignId: string | null
  /** Null if the bounce is not the lead's. */
  leadId: string | null
  leadEmail: string | null
  stepId: string | null
  variantId: string | null
  sendingAccountId: string
}

/**
 * Applies the consequences of a bounce. A hard bounce suppresses the address at once, three soft bounces in 14 days suppress it
 * for 30 days, and a block never does. Hard bounces and blocks end the lead. Both breakers are checked (docs/delivery.md,
 * docs/contract.md, "Campaigns").
 */
export async function applyBounce(tx: Transaction, tenant: Tenant, bounce: BounceConsequences): Promise<void> {
  const { type, now, campaignId, leadId, leadEmail, sendingAccountId } = bounce
  await appendEvents(tx, tenant, [
    {
      type: 'message.bounced',
      occurredAt: now,
      campaignId,
      leadId,
      leadEmail,
      messageId: bounce.messageId,
      stepId: bounce.stepId,
      variantId: bounce.variantId,
      sendingAccountId,
      data: { type, code: bounce.code, reason: bounce.reason, unique: true },
    },
  ])
  if (leadEmail !== null) {
    await uncountMessage(tx, tenant, { messageId: bounce.messageId, leadEmail, secrets: bounce.secrets, now })
    await suppressBounced(tx, tenant, { ...bounce, email: leadEmail })
  }
  if (campaignId !== null && leadId !== null && type === 'soft')
    await askBranches(tx, tenant, { leads: [{ campaignId, leadId }], now })
  if (campaignId !== null && leadId !== null && type !== 'soft') {
    await stopLead(tx, tenant, { campaignId, leadId, status: 'bounced', stoppedBy: { rule: `${type}_bounce` }, now })
  }
  if (campaignId !== null) await askBreakers(tx, tenant, { campaignId, sendingAccountId, now })
}

async function suppressBounced(tx: Transaction, tenant: Tenant, bounce: Bounce & { email: string }): Promise<void> {
  const { type, email, reason, secrets, now } = bounce
  if (type === 'block') return
  if (type === 'hard') {
    await suppress(tx, tenant, { email, source: 'bounce', reason, secrets, now })
    return
  }
  const count = await countSoftBounces(tx, tenant, { email, since: new Date(now.getTime() - softBounces.withinMs) })
  if (count < softBounces.count) return
  const expiresAt = new Date(now.getTime() + softBounces.suppressMs)
  await suppress(tx, tenant, { email, source: 'bounce', reason, expiresAt, secrets, now })
}

async function askBreakers(
  tx: Transaction,
  tenant: Tenant,
  at: { campaignId: string; sendingAccountId: string; now: Date },
): Promise<void> {
  const campaign = await findCampaign(tx, tenant, at.campaignId)
  if (campaign === undefined || !campaign.settings.bounceProtection.enabled) return
  const mailbox = await countMailboxBounces(tx, tenant, { id: at.sendingAccountId, window: mailboxWindow })
  const verdict = mailboxVerdict(mailbox)
  if (verdict === 'pause') await pauseSender(tx, tenant, at.sendingAccountId, { reason: 'bounce_rate', now: at.now })
  else await warnOfBounces(tx, tenant, at.sendingAccountId, { ...mailbox, clear: verdict === 'fine', now: at.now })
  const counts = await countCampaignBounces(tx, tenant, at.campaignId)
  if (campaign.status === 'active' && campaignTrips(counts, campaign.settings.bounceProtection)) {
    await pauseCampaign(tx, tenant, { campaignId: at.campaignId, reason: 'bounce_protection', now: at.now })
  }
  if (verdict === 'pause') await pauseStrandedCampaigns(tx, tenant, at)
}
