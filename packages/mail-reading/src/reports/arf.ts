import { readSesComplaint } from './dsn-ses.ts'
import { readAddresses } from '../mime/mime-headers.ts'
import { findHeader, walkParts } from '../mime/mime.ts'
import { readMessageIds, textsOfType } from '../mime/mail.ts'
import type { Mail } from '../mime/mail.ts'

export interface Complaint {
  rule: string
  /** `abuse`, `fraud`, `virus`, `not-spam`, `auth-failure`, `opt-out` … (RFC 5965, section 7.3, RFC 6591). */
  feedbackType: string
  recipients: string[]
  /** The recipients that the report itself names. `To` of the enclosed message names other recipients too. */
  named: string[]
  messageIds: string[]
}

/** Whether the recipient reported spam. Reports about authentication and corrections don't count. */
export function isAbuse(complaint: Complaint): boolean {
  return !['auth-failure', 'not-spam', 'dmarc'].includes(complaint.feedbackType)
}

/** Reads a feedback report (RFC 5965), or an older one that only encloses the message. Null for anything else. */
export function readComplaint(mail: Mail): Complaint | null {
  const fields = textsOfType(mail, 'message/feedback-report').join('\n')
  const parameters = mail.root.parameters.get('report-type')?.toLowerCase()
  if (fields.trim() !== '' || parameters === 'feedback-report') return fromReport(mail, fields)
  const ses = readSesComplaint(mail.text)
  if (ses !== null) return { rule: 'ses_notification', ...ses, named: ses.recipients }
  const encloses = [...walkParts(mail.root)].some((part) => part.type === 'message/rfc822')
  if (
    encloses &&
    /^\s*(?:complaint about message from|email feedback report|abuse report|spam report)/i.test(mail.subject) &&
    isFeedbackSender(mail)
  ) {
    return { rule: 'complaint_enclosed', feedbackType: 'abuse', ...enclosed(mail) }
  }
  return null
}

function isFeedbackSender(mail: Mail): boolean {
  return /^(?:staff@(?:hotmail|outlook|msn|live)\.|(?:scomp|abuse|fbl|feedback|complaints?|spam)[\w.+-]{0,40}@)/i.test(
    mail.from[0]?.address ?? '',
  )
}

function fromReport(mail: Mail, fields: string): Complaint {
  const type = /^Feedback-Type:\s*([\w-]{1,40})/im.exec(fields)?.[1]?.toLowerCase() ?? 'abuse'
  const inFields = [...fields.slice(0, 100_000).matchAll(/^Original-Rcpt-To:\s*(?:rfc822;\s*)?<?([^\s<>;]{1,320})/gim)]
    .slice(0, 500)
    .map((match) => match[1]!)
  const inside = enclosed(mail)
  return {
    rule: 'feedback_report',
    feedbackType: type,
    recipients: inFields.length > 0 ? [...new Set(inFields)] : inside.recipients,
    named: [...new Set([...inFields, ...inside.named])],
    messageIds: inside.messageIds,
  }
}

function enclosed(mail: Mail): Pick<Complaint, 'recipients' | 'named' | 'messageIds'> {
  const message = [...walkParts(mail.root, true)].find((part) => part.type === 'message/rfc822')?.parts[0]
  const headersOnly = textsOfType(mail, 'text/rfc822-headers')[0]
  if (message === undefined) {
    const id = /^Message-ID:\s*(<[^<>\s]{1,990}>)/im.exec((headersOnly ?? '').slice(0, 65_536))?.[1]
    const to = /^To:\s*([^\n]{1,400})/im.exec((headersOnly ?? '').slice(0, 65_536))?.[1]
    return { recipients: addressesIn(to), named: [], messageIds: id === undefined ? [] : [id] }
  }
  const named = addressesIn(findHeader(message, 'x-hmxmroriginalrecipient'))
  return {
    recipients: named.length > 0 ? named : addressesIn(findHeader(message, 'to')),
    named,
    messageIds: readMessageIds(findHeader(message, 'message-id')),
  }
}

function addressesIn(header: string | undefined): string[] {
  return readAddresses(header).map((one) => one.address)
}
