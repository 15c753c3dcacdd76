import type { App } from '../../platform/app.ts'
import type { Tenant } from '../../platform/tenant.ts'
import { manualMime } from './compose.ts'
import type { ClaimedRow } from './compose.sql.ts'
import type { MimeInput } from './message-bytes.ts'
import type { SenderRow } from '../planning.sql.ts'
import { signTrackingToken, type SignToken } from './tracking-token.ts'

interface ManualTools {
  accountId: string
  sign: SignToken
  /** Makes the opt-out link for a recipient, in the form of a campaign message. */
  optOutLink: (row: Pick<ClaimedRow, 'campaignId' | 'leadId'>, email: string) => string
}

export function manualTools({ config, secrets }: App, tenant: Tenant): ManualTools {
  const sign: SignToken = (purpose, fields) => secrets.signToken(purpose, fields)
  return {
    accountId: tenant.accountId,
    sign,
    optOutLink(row, email) {
      const lead = { campaignId: row.campaignId ?? '', leadId: row.leadId ?? '', stepId: '' }
      const token = { ...tenant, ...lead, target: secrets.sealAddress(email) }
      return `${config.publicUrl}/u/${signTrackingToken(sign, 'unsubscribe', token)}`
    },
  }
}

/** Builds a person's message or a notice for sending. The first recipient can opt out if it never wrote to us. */
export function manualOf(
  { row, now }: { row: ClaimedRow; now: Date },
  sender: SenderRow,
  { optOutLink, sign, accountId }: ManualTools,
): MimeInput {
  const [first] = row.toAddresses
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
    unsubscribeUrl: row.toStranger && first !== undefined ? optOutLink(row, first.email) : null,
  })
  const attachments = (row.attachments ?? []).map((file) => ({ ...file, content: Buffer.from(file.content, 'base64') }))
  return attachments.length === 0 ? mime : { ...mime, attachments }
}
