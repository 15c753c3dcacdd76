import { statusInText } from './bounce-codes.ts'
import { addressOfField, readDeliveryStatus } from './dsn-fields.ts'
import type { ReportedRecipient } from './dsn-fields.ts'
import { fromFreeText } from './dsn-free-text.ts'
import { judge, findParties } from './dsn-judge.ts'
import { readNotice } from './dsn-notice.ts'
import type { Notice } from './dsn-notice.ts'
import { splitByRecipient } from './dsn-segments.ts'
import { readSesNotification } from './dsn-ses.ts'
import { isFromDaemon, looksDelayed, looksFailed } from './dsn-signs.ts'
import { readRejection } from './mdn-rejection.ts'
import type { Bounce, Report } from './report.ts'
import { findHeader } from '../mime/mime.ts'
import { textsOfType } from '../mime/mail.ts'
import type { Mail } from '../mime/mail.ts'

/** Reads a delivery report: RFC 3464, the same fields in plain text, or free text. Null for anything else. */
export function readReport(mail: Mail): Report | null {
  const notice = readNotice(mail)
  const ses = readSesNotification(notice.text)
  if (ses !== null) return ses.bounces.length === 0 ? null : ses
  const fields = [
    ...textsOfType(mail, 'message/delivery-status'),
    ...textsOfType(mail, 'message/global-delivery-status'),
  ].flatMap(readDeliveryStatus)
  const reported = fields.filter(isReported)
  if (reported.length > 0) return fromFields('delivery_status', reported, { mail, notice })
  // A report of success is a delivery report, but contains no bounce.
  if (fields.length > 0 && fields.every((one) => one.action !== null)) return null
  const rejection = readRejection(mail, notice)
  if (rejection !== null) return rejection
  const daemon = isFromDaemon(mail)
  const written = readDeliveryStatus(fieldLines(notice.text)).filter(
    (one) => isReported(one) && (one.status !== null || one.diagnostic !== null),
  )
  if (written.length > 0 && (daemon || looksFailed(mail.subject)))
    return fromFields('delivery_status_text', written, { mail, notice })
  return fromFreeText(mail, notice, daemon)
}

// RFC 3464 defines failed, delayed and three kinds of success. Whatever else a server calls the action, a success status means success.
function isReported(reported: ReportedRecipient): boolean {
  const action = reported.action?.toLowerCase() ?? ''
  if (/^(?:delivered|deliverable|relayed|expanded|success)/.test(action)) return false
  if (!/^(?:failed|delay|undeliver)/.test(action) && saysSuccess(reported)) return false
  return action !== '' || /^[45]/.test(reported.status ?? '') || reported.diagnostic !== null
}

function saysSuccess({ status, diagnostic }: ReportedRecipient): boolean {
  return /^\s*2\./.test(status ?? '') || (status === null && /^\s*(?:smtp\s*;\s*)?2\d\d[ -]/i.test(diagnostic ?? ''))
}

interface Context {
  mail: Mail
  notice: Notice
}

function fromFields(rule: string, reported: ReportedRecipient[], { mail, notice }: Context): Report {
  const segment = segmentsOfFields(reported, notice.text)
  const bounces = reported.map((one) => {
    const recipient = addressOfField(one.originalRecipient) ?? addressOfField(one.finalRecipient)
    const recipientText = segment([addressOfField(one.finalRecipient), recipient])
    const type = one.diagnostic ?? ''
    const local = /^\s*x-unix/i.test(type)
    const own = type.replace(/^\s*(?:smtp|x-postfix|dns|rfc822)\s*;/i, '')
    const delayed = /^delay/i.test(one.action ?? '') || (one.action === null && looksDelayed(mail.subject, notice.text))
    const bounce = judge({
      own: local ? type : own,
      recipientText,
      statusField: statusInText(one.status ?? ''),
      comment: one.status ?? '',
      delayed,
      local,
      parties: findParties(mail, notice, [recipient, addressOfField(one.finalRecipient)]),
    })
    return {
      recipient: recipient ?? findHeader(mail.root, 'x-failed-recipients')?.trim() ?? notice.originalTo,
      ...bounce,
    }
  })
  return { rule, bounces: distinct(bounces), messageIds: notice.messageIds }
}

// The text of the notice about one of several recipients, by the first of its addresses that the notice names.
function segmentsOfFields(reported: readonly ReportedRecipient[], text: string): (names: (string | null)[]) => string {
  if (reported.length === 1) return () => text
  const all = reported.flatMap((one) => [addressOfField(one.finalRecipient), addressOfField(one.originalRecipient)])
  const segments = splitByRecipient(
    text,
    all.filter((one) => one !== null),
  )
  return (names) => names.map((name) => segments.get(name?.toLowerCase() ?? '')).find((one) => one !== undefined) ?? ''
}

// Finds `Final-Recipient:` and similar fields that some servers print into the notice, indented or not.
function fieldLines(text: string): string {
  return text
    .split('\n', 4_000)
    .map((line) => line.trim())
    .join('\n')
}

function distinct(bounces: Bounce[]): Bounce[] {
  const seen = new Set<string>()
  return bounces.filter((bounce) => {
    const key = `${bounce.recipient} ${bounce.status} ${bounce.type}`
    if (seen.has(key) && bounce.recipient !== null) return false
    seen.add(key)
    return true
  })
}
