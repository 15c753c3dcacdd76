import { findBounceReason, statusFor, bounceType } from './bounce-reason.ts'
import type { BounceReason } from './bounce-reason.ts'
import { addressOfField } from './dsn-fields.ts'
import { findParties } from './dsn-judge.ts'
import type { Notice } from './dsn-notice.ts'
import { isFromDaemon } from './dsn-signs.ts'
import type { Report } from './report.ts'
import { readMessageIds, textHeader, textsOfType } from '../mime/mail.ts'
import type { Mail } from '../mime/mail.ts'

const fieldsCharsMax = 20_000

/**
 * Reads a rejection by the recipient's own mail server, sent as a disposition notification (RFC 5429): Sieve's `reject`, or a
 * delivery over quota. Null for a receipt, which mail programs send when a message is read or deleted.
 */
export function readRejection(mail: Mail, notice: Notice): Report | null {
  const fields = textsOfType(mail, 'message/disposition-notification').join('\n').slice(0, fieldsCharsMax)
  const field = (name: string) => new RegExp(`^${name}:\\s*([^\\n]{1,400})`, 'im').exec(fields)?.[1] ?? null
  const disposition = field('Disposition')
  if (disposition === null || !/automatic-action.*;\s*(?:deleted|denied|failed)/i.test(disposition)) return null
  const byServer = isFromDaemon(mail) || /dovecot|cyrus|sieve|pigeonhole/i.test(field('Reporting-UA') ?? '')
  if (!byServer || !saysRejected(mail, notice)) return null
  const recipient = addressOfField(field('Original-Recipient')) ?? addressOfField(field('Final-Recipient'))
  const reason = reasonOfRejection(mail, notice, recipient)
  const status = statusFor(reason, true)
  return {
    rule: 'rejected_by_recipient_server',
    bounces: [{ recipient, status, smtpCode: null, type: bounceType(reason, status, ''), reason, fault: null }],
    messageIds: [...new Set([...readMessageIds(field('Original-Message-ID') ?? undefined), ...notice.messageIds])],
  }
}

function saysRejected(mail: Mail, notice: Notice): boolean {
  return (
    /\(rejected\)/i.test(textHeader(mail, 'auto-submitted')) ||
    /\brejected\b/i.test(mail.subject) ||
    /\b(?:automatically rejected|was rejected|has been rejected)\b/i.test(notice.text.slice(0, 2_000))
  )
}

// The mailbox exists, and its owner chose the words. Only a full mailbox or a message that is too large is the server's own reason.
function reasonOfRejection(mail: Mail, notice: Notice, recipient: string | null): BounceReason {
  const found = findBounceReason({
    text: notice.text,
    status: null,
    smtpCode: null,
    phase: null,
    parties: findParties(mail, notice, [recipient]),
  })
  return ['mailboxfull', 'mesgtoobig', 'exceedlimit', 'systemfull'].includes(found) ? found : 'filtered'
}
