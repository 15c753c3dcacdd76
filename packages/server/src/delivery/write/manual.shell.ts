import { normalizeEmail } from '@overture/contract/addresses.ts'
import type { Envelope } from '../plan/recipients.ts'
import type { App } from '../../platform/app.ts'
import type { Tenant } from '../../platform/tenant.ts'
import { manualMime } from './compose.ts'
import type { ClaimedRow } from './compose.sql.ts'
import type { MimeInput } from './message-bytes.ts'
import { optOutUrl } from './opt-out-link.ts'
import type { SenderRow } from '../plan/senders.sql.ts'
import type { SignToken } from './tracking-token.ts'

interface ManualTools {
  accountId: string
  sign: SignToken
  /** Makes the opt-out link for a recipient. It names the lead only if the recipient is the lead. */
  optOutLink: (row: Pick<ClaimedRow, 'leadId' | 'lead'>, email: string) => string
}

export function manualTools({ config, secrets }: App, tenant: Tenant): ManualTools {
  const sign: SignToken = (purpose, fields) => secrets.signToken(purpose, fields)
  return {
    accountId: tenant.accountId,
    sign,
    optOutLink(row, email) {
      const isLead = row.lead?.email === normalizeEmail(email).email
      const leadId = isLead ? row.leadId : null
      return optOutUrl(secrets, config.publicUrl, { ...tenant, leadId, email })
    },
  }
}

interface KnownPeople {
  /** The recipients of each follow-up who never wrote to us, by message. */
  strangers: ReadonlyMap<string, readonly string[]>
}

/**
 * Builds a person's message or a notice for sending. The opt-out link of a person's message is for the first recipient who never
 * wrote to us, that of a notice for its first recipient.
 */
export function buildManualMessage(
  { row, now, context }: { row: ClaimedRow; now: Date; context: KnownPeople },
  sender: SenderRow,
  { optOutLink, sign, accountId }: ManualTools,
): MimeInput {
  const optingOut = row.toStranger ? firstStranger(row, context) : undefined
  const mime = manualMime({
    messageId: row.id,
    now,
    sender,
    to: row.toAddresses,
    cc: row.ccAddresses,
    subject: row.subject,
    text: row.text ?? '',
    html: row.html,
    inReplyTo: row.inReplyTo,
    references: row.refs,
    kind: row.kind === 'notification' ? 'notification' : 'manual',
    accountId,
    campaignId: row.campaignId,
    sign,
    unsubscribeUrl: optingOut === undefined ? null : optOutLink(row, optingOut),
  })
  const attachments = (row.attachments ?? []).map((file) => ({ ...file, content: Buffer.from(file.content, 'base64') }))
  return attachments.length === 0 ? mime : { ...mime, attachments }
}

function firstStranger(row: ClaimedRow, { strangers }: KnownPeople): string | undefined {
  return strangers.get(row.id)?.[0] ?? row.toAddresses[0]?.email
}

export function toEnvelope(row: Pick<ClaimedRow, 'toAddresses' | 'ccAddresses' | 'bccAddresses'>): Envelope {
  return { to: row.toAddresses, cc: row.ccAddresses, bcc: row.bccAddresses }
}
