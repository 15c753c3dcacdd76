import { normalizeEmail } from '@overture/contract/addresses.ts'
import { findSuccessor } from '../../campaigns/index.ts'
import type { Executor } from '../../platform/db/database.ts'
import type { Tenant } from '../../platform/tenant.ts'
import type { Verdict } from '@overture/mail-reading/classify/classify.ts'
import type { ReadMessage } from '@overture/mail-reading/reading/read-message.ts'
import { isSameConversation, nearest, referredIds } from './match.ts'
import { findLastMessageTo, listMessagesByRfcIds, type KnownMessage } from './matching.sql.ts'

/** More addresses of one mail are ignored. */
const addressesMax = 20

export interface MessageToMatch {
  input: { sendingAccountId: string }
  mail: ReadMessage
}

/**
 * Finds the message that a mail is about by the thread's headers, then by an address that we wrote to. Source:
 * docs/contract.md, "Inbox".
 */
export async function matchMail(
  db: Executor,
  tenant: Tenant,
  { input, mail }: MessageToMatch,
): Promise<KnownMessage | null> {
  const ids = referredIds(mail)
  const threaded = nearest(ids, await listMessagesByRfcIds(db, tenant, ids))
  if (threaded !== null) return threaded
  for (const address of senderAddresses(mail).slice(0, addressesMax)) {
    const last = await findLastMessageTo(db, tenant, {
      email: normalizeEmail(address).email,
      sendingAccountId: input.sendingAccountId,
    })
    if (last !== null) return last
  }
  return null
}

/** The message that an opt-out with a token is about: the one the mail refers to, or the last one to the token's address. */
export async function matchOptOut(
  db: Executor,
  tenant: Tenant,
  { input, mail, email }: MessageToMatch & { email: string },
): Promise<KnownMessage | null> {
  const match = await matchMail(db, tenant, { input, mail })
  if (match?.leadEmail === email) return match
  return findLastMessageTo(db, tenant, { email, sendingAccountId: input.sendingAccountId })
}

/** Assigns a mail from a lead that was handed over to its newest lead. A report stays with the message that it is about. */
export async function ofNewestLead(
  db: Executor,
  tenant: Tenant,
  match: KnownMessage | null,
  kind: Verdict['kind'],
): Promise<KnownMessage | null> {
  if (match === null || !match.handedOver || kind === 'bounce' || kind === 'complaint') return match
  const { campaignId, leadId } = match
  if (campaignId === null || leadId === null) return match
  const successor = await findSuccessor(db, tenant, { campaignId, leadId })
  return successor === null ? match : { ...match, ...successor, stepId: null, variantId: null }
}

/**
 * Whether a mail refers to a message that we sent, by an id that only its recipients know. The message must be of the conversation
 * that gets the mail, or of its lead, because a recipient of another one knows no id in this conversation.
 */
export async function namesOurs(
  db: Executor,
  tenant: Tenant,
  { mail, match }: { mail: ReadMessage; match: KnownMessage },
): Promise<boolean> {
  const known = await listMessagesByRfcIds(db, tenant, referredIds(mail))
  return known.some((message) => message.direction === 'outbound' && isSameConversation(message, match))
}

function senderAddresses({ from, verdict }: ReadMessage): string[] {
  if (verdict.kind === 'bounce')
    return verdict.bounces.flatMap((bounce) => (bounce.recipient === null ? [] : [bounce.recipient]))
  if (verdict.kind === 'complaint') return verdict.complaint?.recipients ?? []
  return from.map((one) => one.email)
}
