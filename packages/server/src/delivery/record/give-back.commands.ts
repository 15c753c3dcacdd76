import { normalizeEmail } from '@overture/contract/addresses.ts'
import { releaseAddressPolicyHolds, requeueLeads, wakePlanner } from '../../campaigns/index.ts'
import { deleteContacts } from '../../contact-policy/index.ts'
import type { Transaction } from '../../platform/db/database.ts'
import type { Tenant } from '../../platform/tenant.ts'
import { countClaims } from '../plan/claims.sql.ts'
import type { AddressHashes } from '../../suppressions/index.ts'
import type { ReleasedMessage } from './release.sql.ts'

/** Subtracts released claims from the counters and queues their leads again. */
export async function giveBack(
  tx: Transaction,
  tenant: Tenant,
  released: readonly ReleasedMessage[],
  how: { at: Date; forgetSender: boolean },
): Promise<void> {
  if (released.length === 0) return
  await countClaims(tx, tenant, released, -1)
  const contacts = released.flatMap(({ id, addressHash }) => (addressHash === null ? [] : [{ id, addressHash }]))
  if (contacts.length > 0) {
    const hashes = contacts.map(({ addressHash }) => addressHash)
    await deleteContacts(tx, tenant, { hashes, messageIds: contacts.map(({ id }) => id) })
  }
  const leads = released.flatMap(({ stepId, campaignId, leadId, sendingAccountId }) =>
    stepId === null || campaignId === null || leadId === null ? [] : [{ campaignId, leadId, sendingAccountId }],
  )
  await requeueLeads(tx, tenant, {
    leads,
    at: how.at,
    forgetSender: how.forgetSender,
  })
  wakePlanner(tx, tenant, how.at)
}

/** A message that came back does not count for the contact policy. Messages that it held back are due again. */
export async function uncountMessage(
  tx: Transaction,
  tenant: Tenant,
  message: { messageId: string; leadEmail: string; secrets: AddressHashes; now: Date },
): Promise<void> {
  const { email } = normalizeEmail(message.leadEmail)
  const hashes = [message.secrets.addressHash(email)]
  const count = await deleteContacts(tx, tenant, { hashes, messageIds: [message.messageId] })
  if (count > 0) await releaseAddressPolicyHolds(tx, tenant, { email: message.leadEmail, now: message.now })
}
