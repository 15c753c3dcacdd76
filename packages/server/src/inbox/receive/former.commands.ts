import { normalizeEmail } from '@overture/contract/addresses.ts'
import type { Transaction } from '../../platform/db/database.ts'
import type { Tenant } from '../../platform/tenant.ts'
import { findFormerRecipient, suppressHash, suppressUnproven, type AddressHashes } from '../../suppressions/index.ts'
import { optOutAddress, recordOptOut } from '../../tracking/index.ts'
import type { ReadMessage } from '@overture/mail-reading/reading/read-message.ts'
import { isAbuse } from '@overture/mail-reading/reports/arf.ts'
import { referredIds } from './match.ts'
import { findLastMessageTo } from './matching.sql.ts'

/** How many hexadecimal digits of a recipient's hash the reason of a suppression contains. */
const formerHashLength = 16

interface LateMessage {
  mail: ReadMessage
  /** The lead of the address in `From`, if known. Null if that lead was deleted as well. */
  leadId: string | null
  /** The mailbox it came to. */
  sendingAccountId: string
  secrets: AddressHashes
  now: Date
}

/**
 * Applies the consequences for the recipient of a deleted message, which was deleted with its campaign or with the person. Only
 * the recipient of such a message is still known. Returns false if the mail is about no such message.
 */
export async function applyToFormer(tx: Transaction, tenant: Tenant, late: LateMessage): Promise<boolean> {
  const { verdict } = late.mail
  switch (verdict.kind) {
    case 'unsubscribe':
      return optOutFormer(tx, tenant, late)
    case 'complaint':
      return complaintOfFormer(tx, tenant, late)
    case 'bounce':
      return bounceOfFormer(tx, tenant, late)
    case 'reply':
    case 'auto_reply':
    case 'other':
      return false
    default:
      return verdict.kind satisfies never
  }
}

// A mail can opt out without a reference to the message, because the "unsubscribe" of mail programs writes a new mail.
async function optOutFormer(tx: Transaction, tenant: Tenant, late: LateMessage): Promise<boolean> {
  const { mail, leadId, sendingAccountId, secrets, now } = late
  const given = mail.from[0]?.email
  const from = given === undefined ? null : normalizeEmail(given).email
  const rfcMessageIds = referredIds(mail)
  const hashes = from === null ? [] : [secrets.addressHash(from)]
  const hash = await findFormerRecipient(tx, tenant, { rfcMessageIds, hashes })
  const last =
    from === null ? null : await findLastMessageTo(tx, tenant, { email: from, sendingAccountId, deletedToo: true })
  if (hash === null && last === null) return false
  const optOut = { leadId: leadId ?? last?.leadId ?? null, via: 'reply', source: 'recipient', secrets, now } as const
  if (hash !== null && (await suppressHash(tx, tenant, { hash, source: 'recipient', reason: 'reply', now })))
    await recordOptOut(tx, tenant, optOut)
  if (from === null) return true
  if (hash === null || last !== null || hash.equals(secrets.addressHash(from))) {
    await optOutAddress(tx, tenant, { ...optOut, email: from })
    return true
  }
  await suppressUnproven(tx, tenant, { email: from, via: 'reply', about: aboutFormer(hash), secrets, now })
  return true
}

// The limit counts per former recipient. A writer can name any other Message-ID beside the one that we know.
function aboutFormer(hash: Buffer): string {
  return `a deleted message to ${hash.toString('hex').slice(0, formerHashLength)}`
}

/** A complaint in another name is that of a copy, or of an address that gets the recipient's mail. Which one it is isn't known. */
async function complaintOfFormer(
  tx: Transaction,
  tenant: Tenant,
  { mail, secrets, now }: LateMessage,
): Promise<boolean> {
  const { verdict } = mail
  if (verdict.complaint === null || !isAbuse(verdict.complaint)) return false
  const hash = await findFormerRecipient(tx, tenant, { rfcMessageIds: referredIds(mail), hashes: [] })
  if (hash === null) return false
  const named = verdict.complaint.named.map((email) => normalizeEmail(email).email)
  if (named.length > 0 && !named.some((email) => secrets.addressHash(email).equals(hash))) {
    for (const email of new Set(named))
      await suppressUnproven(tx, tenant, { email, via: 'complaint', about: aboutFormer(hash), secrets, now })
    return true
  }
  if (await suppressHash(tx, tenant, { hash, source: 'complaint', reason: 'complaint', now }))
    await recordOptOut(tx, tenant, { leadId: null, via: 'complaint' })
  return true
}

/**
 * Only hard bounces count, because three soft ones can't be counted any more. The report must name the recipient, because another
 * recipient of the deleted message may have failed. The server's words are not stored, because they contain the address.
 */
async function bounceOfFormer(tx: Transaction, tenant: Tenant, late: LateMessage): Promise<boolean> {
  const { mail, secrets, now } = late
  const hash = await findFormerRecipient(tx, tenant, { rfcMessageIds: referredIds(mail), hashes: [] })
  if (hash === null) return false
  const { verdict } = mail
  const bounce = verdict.bounces.find(({ recipient }) => {
    return recipient !== null && secrets.addressHash(normalizeEmail(recipient).email).equals(hash)
  })
  if (bounce?.type === 'hard' && bounce.fault === null)
    await suppressHash(tx, tenant, { hash, source: 'bounce', reason: bounce.status, now })
  return true
}
