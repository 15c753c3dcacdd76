import { statusInText } from './bounce-codes.ts'
import { reasonOf, statusFor, typeOf } from './bounce-reason.ts'
import { nobody } from './refusal-side.ts'
import type { Report } from './report.ts'

interface SesRecipient {
  emailAddress?: unknown
  status?: unknown
  diagnosticCode?: unknown
}

/** Amazon's notification of a bounce, as JSON in a mail of its notification service; of anything else null. */
export function readSesNotification(text: string): Report | null {
  if (!text.includes('otificationType') && !text.includes('ventType')) return null
  const outer = parseObject(text)
  const inner = typeof outer?.['Message'] === 'string' ? parseObject(outer['Message']) : outer
  if (inner === null || (inner['notificationType'] ?? inner['eventType']) === undefined) return bySight(text)
  const bounce = inner['bounce']
  if (!isObject(bounce) || !Array.isArray(bounce['bouncedRecipients']))
    return { rule: 'ses_notification', bounces: [], messageIds: [] }
  const transient = bounce['bounceType'] === 'Transient'
  const bounces = (bounce['bouncedRecipients'] as SesRecipient[]).slice(0, 500).map((one) => {
    const said = textOf(one.diagnosticCode)
    const given = statusInText(textOf(one.status)) ?? statusInText(said)
    const code = /\b([45]\d\d)\b/.exec(said)?.[1]
    const smtpCode = code === undefined ? null : Number(code)
    const reason = reasonOf({
      text: `${said} ${textOf(bounce['bounceSubType'])}`,
      status: given,
      smtpCode,
      phase: null,
      parties: nobody,
    })
    const status = given ?? statusFor(reason, !transient)
    return { recipient: textOf(one.emailAddress) || null, status, smtpCode, type: typeOf(reason, status, said), reason }
  })
  return { rule: 'ses_notification', bounces, messageIds: [] }
}

// The JSON got line breaks on its way and does not parse any more: its few fields are still to be seen.
function bySight(text: string): Report | null {
  const flat = text.replaceAll('\n', '').replaceAll('\\"', '"')
  const type = /"(?:notification|event)Type"\s*:\s*"(\w{1,20})"/.exec(flat)?.[1]
  if (type === undefined) return null
  if (type !== 'Bounce') return { rule: 'ses_notification', bounces: [], messageIds: [] }
  const value = (name: string) => new RegExp(`"${name}"\\s*:\\s*"([^"]{0,500})"`).exec(flat)?.[1] ?? ''
  const said = value('diagnosticCode')
  const given = statusInText(value('status')) ?? statusInText(said)
  const code = /\b([45]\d\d)\b/.exec(said)?.[1]
  const smtpCode = code === undefined ? null : Number(code)
  const reason = reasonOf({ text: said, status: given, smtpCode, phase: null, parties: nobody })
  const status = given ?? statusFor(reason, value('bounceType') !== 'Transient')
  return {
    rule: 'ses_notification',
    bounces: [
      { recipient: value('emailAddress') || null, status, smtpCode, type: typeOf(reason, status, said), reason },
    ],
    messageIds: [],
  }
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

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
