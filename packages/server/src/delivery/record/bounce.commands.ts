import { askBranches, findCampaign, pauseCampaign, pauseStrandedCampaigns, stopLead } from '../../campaigns/index.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { appendEvents } from '../../platform/events/events.sql.ts'
import type { Tenant } from '../../platform/tenant.ts'
import { pauseSender, warnOfBounces } from '../../sending-accounts/index.ts'
import { suppress, type AddressHashes } from '../../suppressions/index.ts'
import { countCampaignBounces, countMailboxBounces, countSoftBounces, updateMessageBounced } from './bounce.sql.ts'
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

/** Records a delivery report about a sent message. Returns false if the message doesn't exist or has already bounced. */
export async function recordBounce(tx: Transaction, tenant: Tenant, bounce: Bounce): Promise<boolean> {
  const row = await updateMessageBounced(tx, tenant, {
    id: bounce.messageId,
    failure: { type: bounce.type, code: bounce.code, reason: bounce.reason },
  })
  if (row === undefined) return false
  await applyBounce(tx, tenant, {
    ...bounce,
    campaignId: row.campaignId,
    leadId: row.leadId,
    leadEmail: row.email,
    stepId: row.stepId,
    variantId: row.variantId,
    sendingAccountId: row.sendingAccountId,
  })
  return true
}

interface BounceConsequences extends Bounce {
  campaignId: string | null
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
  if (leadEmail !== null) await suppressBounced(tx, tenant, { ...bounce, email: leadEmail })
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
