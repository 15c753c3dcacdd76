import { normalizeEmail } from '@overture/contract/addresses.ts'
import type { RefusedRecipient as RefusedBefore } from '@overture/contract/delivery/delivery.ts'
import { senderFaultIn } from '@overture/ground/refusals/sender-fault.ts'
import type { Transaction } from '../../platform/db/database.ts'
import type { Tenant } from '../../platform/tenant.ts'
import type { AddressHashes } from '../../suppressions/index.ts'
import type { ReadyMessage } from '../write/compose.shell.ts'
import { attributeBounce } from '../plan/recipients.ts'
import type { ClaimedRow } from '../write/compose.sql.ts'
import { classifyRefusal, type BounceType, type Outcome } from './outcome.ts'
import type { RefusedRecipient } from '../../platform/mail/smtp-result.ts'
import { recordBounce } from './bounce.commands.ts'
import { recordReturned } from './returned.commands.ts'

type LeftOutcome = Extract<Outcome, { kind: 'sent' | 'bounced' }>

/** Why a message did not reach all its recipients; null if it did. */
export function describeFailure(outcome: LeftOutcome, row: ClaimedRow): object | null {
  const refusedRecipients = listRefused(outcome, row.refusedBefore)
  const listed = refusedRecipients.length === 0 ? null : { refusedRecipients }
  if (outcome.kind === 'sent') return listed
  const { type, status: code, answer: reason } = outcome
  return { ...(bounceOfLead(row, outcome) ?? { type, code, reason, notOfLead: true }), ...listed }
}

/**
 * Returns the lead's bounce of a message that the server refused for all recipients. The reply for the lead's own address decides,
 * if there is one. Returns null if the lead is not a recipient.
 */
export function bounceOfLead(
  { lead, toAddresses: to, ccAddresses: cc, bccAddresses: bcc }: ClaimedRow,
  { type, status: code, answer: reason, refused }: Extract<Outcome, { kind: 'bounced' }>,
): { type: BounceType; code: string | null; reason: string } | null {
  const leadEmail = lead?.email ?? null
  if (attributeBounce({ to, cc, bcc, leadEmail }, leadEmail) !== 'lead') return null
  const own = refused.find(({ recipient }) => normalizeEmail(recipient).email === leadEmail)
  if (own === undefined || own.code < 500) return { type, code, reason }
  return { type: classifyRefusal({ ...own, stage: 'rcpt' }), code: own.status, reason: own.answer }
}

/** All refused recipients, as the thread and the event list them. */
export function listRefused(outcome: LeftOutcome, before: readonly RefusedBefore[]): RefusedBefore[] {
  const refused = outcome.kind === 'sent' ? outcome.refused : []
  return [
    ...before,
    ...refused.map(({ recipient, status, answer }) => ({ email: recipient, code: status, reason: answer })),
  ]
}

/** The server accepted the message for other recipients but not for the lead, so it counts as a bounce for the lead. */
export async function bounceForLead(
  tx: Transaction,
  tenant: Tenant,
  about: {
    message: ReadyMessage
    refused: readonly RefusedRecipient[]
    secrets: AddressHashes
    at: Date
  },
): Promise<void> {
  const { message, refused, secrets, at } = about
  const email = message.row.lead?.email
  const own = refused.find(({ recipient }) => email !== undefined && normalizeEmail(recipient).email === email)
  if (own === undefined || own.code < 500) return
  const fault = senderFaultIn({ ...own, text: own.answer })
  if (fault !== null) {
    await recordReturned(tx, tenant, {
      messageId: message.row.id,
      recipient: own.recipient,
      fault,
      code: own.status,
      words: own.answer,
      isFromProvider: true,
      secrets,
      now: at,
    })
    return
  }
  const type = classifyRefusal({ ...own, stage: 'rcpt' })
  await recordBounce(tx, tenant, {
    messageId: message.row.id,
    recipient: own.recipient,
    type,
    code: own.status,
    reason: own.answer,
    secrets,
    now: at,
  })
}
