import { isObject } from '@overture/ground/json/object.ts'
import { statusInText } from './bounce-codes.ts'
import { faultIn } from './dsn-judge.ts'
import { findBounceReason, statusFor, bounceType } from './bounce-reason.ts'
import { nobody } from './refusal-side.ts'
import type { Bounce, Report } from './report.ts'
import { readMessageIds } from '../mime/mail.ts'

const rule = 'ses_notification'
const recipientsMax = 500
const headersMax = 200

interface SesComplaint {
  feedbackType: string
  recipients: string[]
  messageIds: string[]
}

interface SesRecipient {
  emailAddress?: unknown
  status?: unknown
  diagnosticCode?: unknown
}

/** Reads Amazon's notification of a bounce, which is JSON in a mail of its notification service. Null for anything else. */
export function readSesNotification(text: string): Report | null {
  const notification = parseNotification(text)
  if (notification === null) return mentionsType(text) ? bySight(text) : null
  const bounce = notification['bounce']
  const messageIds = sentIds(notification)
  if (!isObject(bounce) || !Array.isArray(bounce['bouncedRecipients'])) return { rule, bounces: [], messageIds }
  const permanent = bounce['bounceType'] !== 'Transient'
  const bounces = (bounce['bouncedRecipients'] as SesRecipient[])
    .slice(0, recipientsMax)
    .map((one) => toBounce(one, permanent, toText(bounce['bounceSubType'])))
  return { rule, bounces, messageIds }
}

/** Reads Amazon's notification of a complaint. Null for anything else. */
export function readSesComplaint(text: string): SesComplaint | null {
  const notification = parseNotification(text)
  if (notification === null) {
    const flat = flattened(text)
    if (!mentionsType(text) || typeBySight(flat) !== 'Complaint') return null
    return { feedbackType: 'abuse', recipients: [valueBySight(flat, 'emailAddress')].filter(Boolean), messageIds: [] }
  }
  const complaint = notification['complaint']
  if (!isObject(complaint) || !Array.isArray(complaint['complainedRecipients'])) return null
  const recipients = (complaint['complainedRecipients'] as SesRecipient[])
    .slice(0, recipientsMax)
    .map((one) => toText(one.emailAddress))
  return {
    feedbackType: toText(complaint['complaintFeedbackType']).toLowerCase() || 'abuse',
    recipients: recipients.filter(Boolean),
    messageIds: sentIds(notification),
  }
}

function toBounce(recipient: SesRecipient, permanent: boolean, subType: string): Bounce {
  const diagnostic = toText(recipient.diagnosticCode)
  const given = statusInText(toText(recipient.status)) ?? statusInText(diagnostic)
  const code = /\b([45]\d\d)\b/.exec(diagnostic)?.[1]
  const smtpCode = code === undefined ? null : Number(code)
  const reason = findBounceReason({
    text: `${diagnostic} ${subType}`,
    status: given,
    smtpCode,
    phase: null,
    parties: nobody,
  })
  const status = given ?? statusFor(reason, permanent)
  return {
    recipient: toText(recipient.emailAddress) || null,
    status,
    smtpCode,
    type: bounceType(reason, status, diagnostic),
    reason,
    fault: faultIn({ own: diagnostic, recipientText: '', status: given, smtpCode }),
  }
}

// The Message-IDs with which the message was sent. We don't know Amazon's own id.
function sentIds(notification: Record<string, unknown>): string[] {
  const mail = notification['mail']
  if (!isObject(mail)) return []
  const common = isObject(mail['commonHeaders']) ? toText(mail['commonHeaders']['messageId']) : ''
  const headers = (Array.isArray(mail['headers']) ? mail['headers'] : []).slice(0, headersMax).filter(isObject)
  const written = headers
    .filter((one) => toText(one['name']).toLowerCase() === 'message-id')
    .map((one) => toText(one['value']))
  return [...new Set([common, ...written].flatMap(readMessageIds))].slice(0, 5)
}

function mentionsType(text: string): boolean {
  return text.includes('otificationType') || text.includes('ventType')
}

function parseNotification(text: string): Record<string, unknown> | null {
  if (!mentionsType(text)) return null
  const outer = parseObject(text)
  const inner = typeof outer?.['Message'] === 'string' ? parseObject(outer['Message']) : outer
  return inner === null || (inner['notificationType'] ?? inner['eventType']) === undefined ? null : inner
}

// The JSON got line breaks in transit and can't be parsed any more, but its few fields can still be found.
function bySight(text: string): Report | null {
  const flat = flattened(text)
  const type = typeBySight(flat)
  if (type === undefined) return null
  if (type !== 'Bounce') return { rule, bounces: [], messageIds: [] }
  const notice = {
    emailAddress: valueBySight(flat, 'emailAddress'),
    status: valueBySight(flat, 'status'),
    diagnosticCode: valueBySight(flat, 'diagnosticCode'),
  }
  return { rule, bounces: [toBounce(notice, valueBySight(flat, 'bounceType') !== 'Transient', '')], messageIds: [] }
}

function flattened(text: string): string {
  return text.replaceAll('\n', '').replaceAll('\\"', '"')
}

function typeBySight(flat: string): string | undefined {
  return /"(?:notification|event)Type"\s*:\s*"(\w{1,20})"/.exec(flat)?.[1]
}

function valueBySight(flat: string, name: string): string {
  return new RegExp(`"${name}"\\s*:\\s*"([^"]{0,500})"`).exec(flat)?.[1] ?? ''
}

function parseObject(text: string): Record<string, unknown> | null {
  const start = text.indexOf('{')
  const end = text.lastIndexOf('}')
  if (start === -1 || end < start) return null
  try {
    const value: unknown = JSON.parse(text.slice(start, end + 1))
    return isObject(value) ? value : null
  } catch {
    return null
  }
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
