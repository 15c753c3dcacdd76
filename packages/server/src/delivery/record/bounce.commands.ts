import { dayMs } from '@overture/ground/time/spans.ts'
import { judgeSignals, noSignals } from '@overture/planner/deliverability/signals.ts'
import { normalizeEmail } from '@overture/contract/addresses.ts'
import { askBranches, findCampaign, pauseCampaign, pauseStrandedCampaigns, stopLead } from '../../campaigns/index.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { appendEvents } from '../../platform/events/events.sql.ts'
import type { Tenant } from '../../platform/tenant.ts'
import { applySignals, findAuthentication, pauseSender, warnOfBounces } from '../../sending-accounts/index.ts'
import { suppress, type AddressHashes } from '../../suppressions/index.ts'
import { isCalledDeliverable } from '../../verification/index.ts'
import { attributeBounce, recipientEmails, type BounceOf } from '../plan/recipients.ts'
import {
  countCampaignBounces,
  countComplaintOn,
  countDomainComplaints,
  countMailboxBounces,
  countMailboxSignals,
  countSeedPlacements,
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
  if (row.kind === 'test') return true
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
  const of = attributeBounce(message, failed)
  if (of !== 'copy' || failed === null || !recipientEmails(message).includes(failed)) return of
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
  const verified = leadEmail !== null && (await isCalledDeliverable(tx, tenant, normalizeEmail(leadEmail).email))
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
      data: { type, code: bounce.code, reason: bounce.reason, unique: true, ...(verified && { verified }) },
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
  const holds = campaign?.settings.bounceProtection.enabled === true
  const paused = await judgeSender(tx, tenant, { ...at, holds })
  if (paused) await pauseStrandedCampaigns(tx, tenant, at)
  if (campaign === undefined || !holds) return
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

const complaintDays = 30
/** The results of placement tests that judge a sender. */
const seedDays = 14

interface SignalsAt {
  sendingAccountId: string
  /** Whether a campaign wants its senders paused. */
  holds: boolean
  now: Date
}

/** Judges the deliverability of a sending account again, after bad news. Returns whether it was paused. */
export async function judgeSender(tx: Transaction, tenant: Tenant, at: SignalsAt): Promise<boolean> {
  const { sendingAccountId: id, holds, now } = at
  const mailbox = await countMailboxSignals(tx, tenant, { id, window: mailboxWindow })
  const since = new Date(now.getTime() - (complaintDays - 1) * dayMs)
  const complaints = await countDomainComplaints(tx, tenant, { sendingAccountId: id, since })
  const seedsSince = new Date(now.getTime() - seedDays * dayMs)
  const spamPlacement = await countSeedPlacements(tx, tenant, { sendingAccountId: id, since: seedsSince })
  const authentication = await findAuthentication(tx, tenant, id)
  const signals = { ...noSignals, ...mailbox, complaints, spamPlacement, ...authentication }
  return applySignals(tx, tenant, id, { verdict: judgeSignals(signals, now), holds, now })
}

/** Judges the sending account of a message that was refused by policy for now. */
export async function judgeRefusal(
  tx: Transaction,
  tenant: Tenant,
  at: { sendingAccountId: string; campaignId: string | null; now: Date },
): Promise<void> {
  const paused = await judgeSender(tx, tenant, { ...at, holds: await wantsHolds(tx, tenant, at.campaignId) })
  if (paused) await pauseStrandedCampaigns(tx, tenant, at)
}

async function wantsHolds(tx: Transaction, tenant: Tenant, campaignId: string | null): Promise<boolean> {
  const campaign = campaignId === null ? undefined : await findCampaign(tx, tenant, campaignId)
  return campaign?.settings.bounceProtection.enabled === true
}

/** Counts a complaint about a message of the sending account, and judges the account again. Returns whether it was paused. */
export async function recordComplaint(
  tx: Transaction,
  tenant: Tenant,
  at: { sendingAccountId: string; campaignId: string | null; now: Date },
): Promise<boolean> {
  await countComplaintOn(tx, tenant, at)
  return judgeSender(tx, tenant, { ...at, holds: await wantsHolds(tx, tenant, at.campaignId) })
}
