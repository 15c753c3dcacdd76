import type { ResolveReturnedInput, ResolveReturnedOutput } from '@overture/contract/delivery/returned.ts'
import { resolveReturnedMax } from '@overture/contract/delivery/returned.ts'
import { toReturnedBecause, type SenderFault } from '@overture/ground/refusals/sender-fault.ts'
import { foreignText } from '@overture/ground/text/foreign-text.ts'
import { dayMs } from '@overture/ground/time/spans.ts'
import { holdReturned, pauseStrandedCampaigns, resolveReturnedLeads } from '../../campaigns/index.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { appendEvents } from '../../platform/events/events.sql.ts'
import type { Tenant } from '../../platform/tenant.ts'
import { recordProviderRefusal } from '../../sending-accounts/index.ts'
import type { AddressHashes } from '../../suppressions/index.ts'
import { recordFailedRecipient } from './bounce.commands.ts'
import { uncountMessage } from './give-back.commands.ts'
import { countReturnedDomains, requeueReturned, updateMessageReturned } from './returned.sql.ts'

const wordsLengthMax = 500
/** The number of recipient domains whose reports are believed together, since a recipient may forge a single one. */
const witnessesMin = 3
const witnessesWithinMs = 2 * dayMs

interface ReturnedMessage {
  messageId: string
  /** The address that the server names, or null. */
  recipient: string | null
  fault: SenderFault
  /** The enhanced status code. */
  code: string | null
  /** The provider's text. */
  words: string
  /**
   * Whether the provider itself reported it: as an SMTP reply, or in a report that the mailbox's provider authenticated. A report
   * that only contains our Message-ID can be written by the recipient.
   */
  isFromProvider: boolean
  secrets: AddressHashes
  now: Date
}

/**
 * Records that a sent message came back because of its sender. The lead keeps its step and waits for a person. The sending
 * account is held or blocked if its provider reported the fault, or if messages to three recipient domains came back: a single
 * recipient can't stop a mailbox. A message that is not in status `sent` is not changed. If one of several recipients failed, and
 * not the lead, the recipient is only listed as refused.
 */
export async function recordReturned(
  tx: Transaction,
  tenant: Tenant,
  { messageId, recipient, fault, code, words, isFromProvider, secrets, now }: ReturnedMessage,
): Promise<void> {
  const because = toReturnedBecause(fault.reason)
  const reason = foreignText(words, wordsLengthMax)
  if ((await recordFailedRecipient(tx, tenant, { messageId, recipient, code, reason })) === 'copy') return
  const row = await updateMessageReturned(tx, tenant, {
    id: messageId,
    failure: { type: 'returned', because, code, reason },
  })
  if (row === undefined) return
  const { kind, campaignId, leadId, stepId, variantId, sendingAccountId, email: leadEmail } = row
  await appendEvents(tx, tenant, [
    {
      type: 'message.returned',
      occurredAt: now,
      campaignId,
      leadId,
      leadEmail,
      messageId,
      stepId,
      variantId,
      sendingAccountId,
      data: { because, code, reason, kind },
    },
  ])
  if (leadEmail !== null) await uncountMessage(tx, tenant, { messageId, leadEmail, secrets, now })
  if (campaignId !== null && leadId !== null && stepId !== null)
    await holdReturned(tx, tenant, { campaignId, leadId, stepId, now })
  const since = new Date(now.getTime() - witnessesWithinMs)
  if (!isFromProvider && (await countReturnedDomains(tx, tenant, { sendingAccountId, since })) < witnessesMin) return
  const lost = await recordProviderRefusal(tx, tenant, sendingAccountId, { fault, words: reason, now })
  for (const id of lost) await pauseStrandedCampaigns(tx, tenant, { sendingAccountId: id, now })
}

/** Applies a person's decision about returned messages of a campaign. Throws 404 if the campaign doesn't exist. */
export async function resolveReturned(
  tx: Transaction,
  tenant: Tenant,
  input: ResolveReturnedInput & { campaignId: string; now: Date },
): Promise<ResolveReturnedOutput> {
  const { campaignId, action, now } = input
  const leadIds = input.leadIds === undefined ? null : [...new Set(input.leadIds)]
  const { resolved, again } = await resolveReturnedLeads(tx, tenant, {
    campaignId,
    action,
    leadIds: leadIds,
    limit: resolveReturnedMax,
    now,
  })
  if (again.length > 0)
    await requeueReturned(tx, tenant, {
      campaignId,
      leadIds: again.map(({ id }) => id),
      stepIds: again.map(({ currentStepId }) => currentStepId),
    })
  const unknown = leadIds === null ? 0 : leadIds.length - resolved
  return {
    resolved,
    skipped: unknown === 0 ? {} : { not_returned: unknown },
    more: leadIds === null && resolved === resolveReturnedMax,
  }
}
