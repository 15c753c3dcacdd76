import { codeInText, statusInText } from './bounce-codes.ts'
import { judge, findParties } from './dsn-judge.ts'
import type { Notice } from './dsn-notice.ts'
import { findRecipients } from './dsn-recipients.ts'
import { splitByRecipient } from './dsn-segments.ts'
import { isFromServer, looksDelayed, looksFailed } from './dsn-signs.ts'
import type { Report } from './report.ts'
import { readAddresses } from '../mime/mime-headers.ts'
import { findHeader } from '../mime/mime.ts'
import type { Mail } from '../mime/mail.ts'

/** Reads a report in free text. It comes from a mail server, or its subject, its text and its content show that it is a report. */
export function fromFreeText(mail: Mail, notice: Notice, daemon: boolean): Report | null {
  const declared = readAddresses(findHeader(mail.root, 'x-failed-recipients')).map((one) => one.address)
  const delayed = looksDelayed(mail.subject, notice.text)
  const subject = looksFailed(mail.subject) || delayed
  const body = looksFailed(notice.text)
  const nullPath = /^\s*(?:<\s*>|<?mailer-daemon\S*)\s*$/i.test(findHeader(mail.root, 'return-path') ?? '-')
  const certain = declared.length > 0 || isFromServer(mail) || nullPath || showsReport(mail, notice)
  if (
    !certain ||
    !(
      (declared.length > 0 && (daemon || subject)) ||
      (daemon && (subject || body || namesSomebody(mail, notice))) ||
      ((nullPath || !isAnswer(mail)) && subject && body)
    )
  )
    return null
  const not = new Set([...mail.to, ...mail.cc, ...mail.from].map((one) => one.address.toLowerCase()))
  const recipients = findRecipients({ text: notice.text, not, declared })
  const named: (string | null)[] = recipients.length > 0 ? recipients : [notice.originalTo]
  const segments = splitByRecipient(notice.text, recipients)
  const rule = declared.length > 0 ? 'failed_recipients_header' : 'free_text_report'
  const bounces = named.map((address) => {
    const recipientText = named.length === 1 ? notice.text : (segments.get(address?.toLowerCase() ?? '') ?? '')
    return {
      recipient: address,
      ...judge({
        own: '',
        recipientText,
        statusField: null,
        comment: mail.subject,
        delayed,
        local: false,
        parties: findParties(mail, notice, [address]),
      }),
    }
  })
  return { rule, bounces, messageIds: notice.messageIds }
}

// In any language, a mail from MAILER-DAEMON or Exchange is about an address that fills a line and is not ours.
function namesSomebody(mail: Mail, notice: Notice): boolean {
  const from = mail.from[0]?.address ?? ''
  if (!/^(?:mailer-?daemon|mail-daemon|microsoftexchange\w{0,40})@/i.test(from)) return false
  if (
    /^auto-(?:generated|notified)/i.test(findHeader(mail.root, 'auto-submitted') ?? '') &&
    mail.root.type !== 'multipart/report'
  )
    return false
  const ours = new Set([...mail.to, ...mail.cc].map((one) => one.address.toLowerCase()))
  return notice.text.split('\n', 400).some((line) => {
    const address =
      /^[^\p{L}\p{N}]{0,6}(?:\p{L}{1,14}\s?[:：]\s?)?<?([^\s<>()@:;,]{1,100}@[^\s<>()@:;,]{1,200}?)>?[.:;,)]?\s*$/u.exec(
        line,
      )?.[1]
    return address !== undefined && !ours.has(address.toLowerCase())
  })
}

// People and shops also write about failed deliveries. A report contains a code or parts of the returned message.
function showsReport(mail: Mail, notice: Notice): boolean {
  return (
    notice.messageIds.length > 0 ||
    notice.originalTo !== null ||
    mail.root.type.endsWith('/report') ||
    codeInText(notice.text) !== null ||
    statusInText(notice.text) !== null
  )
}

function isAnswer(mail: Mail): boolean {
  return /^\s*(?:re|aw|sv|antw|odp|fwd?|wg|tr|rv)\s*:/i.test(mail.subject)
}
