import { foreignText } from '@overture/ground/text/foreign-text.ts'
import { toReturnedBecause, type SenderFault } from '@overture/ground/refusals/sender-fault.ts'
import { holdReturned, releaseSuppressedLeads, restoreBouncedLead, wakePlanner } from '../../campaigns/index.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { appendEvents } from '../../platform/events/events.sql.ts'
import type { Tenant } from '../../platform/tenant.ts'
import { liftBounce, type AddressHashes } from '../../suppressions/index.ts'
import { countSoftBounces } from './bounce.sql.ts'
import { softBounces } from './breaker.ts'
import { findBouncesOfAddress, hasEndingBounce, updateBounceReturned } from './past-bounces.sql.ts'

const wordsLengthMax = 500

/** The sender's fault in the stored reply to a message. */
export interface PastFault {
  fault: SenderFault
  /** The enhanced status code. */
  code: string | null
  /** The provider's text. */
  words: string
}

interface BounceToRepair extends PastFault {
  messageId: string
  secrets: AddressHashes
  now: Date
  /** Called in the transaction before the first event of a repair. */
  begun: () => Promise<void>
}

/**
 * Turns a bounce of an earlier release into a returned message, and undoes what the bounce caused: the end of the lead, the
 * suppression of the address, and the count in the statistics. A sending account or a campaign that the bounces paused stays
 * paused. Returns false if the message is no longer a bounce.
 */
export async function repairBounce(tx: Transaction, tenant: Tenant, repair: BounceToRepair): Promise<boolean> {
  const because = toReturnedBecause(repair.fault.reason)
  const { messageId, code, now } = repair
  const reason = foreignText(repair.words, wordsLengthMax)
  const row = await updateBounceReturned(tx, tenant, {
    id: messageId,
    failure: { type: 'returned', because, code, reason },
  })
  if (row === undefined) return false
  await repair.begun()
  const { kind, campaignId, leadId, stepId, variantId, sendingAccountId, email } = row
  await appendEvents(tx, tenant, [
    {
      type: 'message.returned',
      occurredAt: row.bouncedAt ?? now,
      campaignId,
      leadId,
      leadEmail: email,
      messageId,
      stepId,
      variantId,
      sendingAccountId,
      data: { because, code, reason, kind, bouncedBefore: true },
    },
  ])
  if (campaignId !== null && leadId !== null) {
    const lead = { campaignId, leadId, now }
    if (stepId !== null) await holdReturned(tx, tenant, { ...lead, stepId })
    if (!(await hasEndingBounce(tx, tenant, lead))) await restoreBouncedLead(tx, tenant, { ...lead, stepId })
  }
  if (email !== null) await liftSuppression(tx, tenant, { ...repair, email })
  return true
}

// A suppression stays if another bounce of the address, caused by the recipient, justifies it.
async function liftSuppression(
  tx: Transaction,
  tenant: Tenant,
  { email, secrets, now }: BounceToRepair & { email: string },
): Promise<void> {
  const { hasHard, repaired } = await findBouncesOfAddress(tx, tenant, email)
  if (hasHard) return
  const since = new Date(now.getTime() - softBounces.withinMs)
  if ((await countSoftBounces(tx, tenant, { email, since })) >= softBounces.count) return
  const reasons = repaired.flatMap(({ reason }) => reason ?? [])
  if (!(await liftBounce(tx, tenant, { email, reasons, secrets }))) return
  await releaseSuppressedLeads(tx, tenant, { email, domain: null, now })
  wakePlanner(tx, tenant, now)
}
