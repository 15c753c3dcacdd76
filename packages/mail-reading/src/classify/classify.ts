import { readAutoReply } from '../replies/auto-reply.ts'
import { readComplaint } from '../reports/arf.ts'
import type { Complaint } from '../reports/arf.ts'
import { readReport } from '../reports/dsn.ts'
import type { Bounce } from '../reports/report.ts'
import { enclosedMessageIds } from '../reports/dsn-notice.ts'
import { isServerNotice } from '../reports/dsn-signs.ts'
import { readMail, textHeader } from '../mime/mail.ts'
import type { Mail } from '../mime/mail.ts'
import { SetAside, type SetAsideReason } from '../mime/mime-limits.ts'
import { findHeader, walkParts } from '../mime/mime.ts'
import { findOptOut } from '../replies/opt-out.ts'
import { beginsWithUnsubscribe, isOptOutSubject } from '../replies/opt-out-subject.ts'
import { isReceiptText } from '../replies/receipt-words.ts'
import { ownWords, splitReply } from '../replies/quote.ts'
import type { ReplyText } from '../replies/quote.ts'

export type InboundKind = 'reply' | 'auto_reply' | 'bounce' | 'complaint' | 'unsubscribe' | 'other'

/** The kind of a message, and the rule that decided it. */
export interface Verdict {
  kind: InboundKind
  rule: string
  bounces: Bounce[]
  complaint: Complaint | null
  /** For an automatic reply: the last day away, or the day of return, as `YYYY-MM-DD`. */
  awayUntil: string | null
  reply: ReplyText | null
  /** The Message-IDs of our messages that a report is about. */
  reportedMessageIds: string[]
}

type ClassifyResult =
  | { outcome: 'read'; mail: Mail; verdict: Verdict }
  | { outcome: 'set_aside'; reason: SetAsideReason }

/** No content of a message makes this throw. A message beyond the limits is set aside, also if only the headers in a report are. */
export function readAndClassify(raw: Uint8Array): ClassifyResult {
  try {
    const result = readMail(raw)
    return result.outcome === 'set_aside' ? result : { ...result, verdict: classify(result.mail) }
  } catch (error) {
    if (error instanceof SetAside) return { outcome: 'set_aside', reason: error.reason }
    throw error
  }
}

/**
 * Tries the rules in this order: delivery report (real ones look like automatic replies too), complaint, other notices of a
 * mail server, automatic reply, opt-out in the writer's own words, reply, other. Source: docs/contract.md, "Inbox",
 * docs/delivery.md.
 */
export function classify(mail: Mail): Verdict {
  const none = { bounces: [], complaint: null, awayUntil: null, reply: null, reportedMessageIds: [] }
  if (!isFeedback(mail)) {
    const report = readReport(mail)
    if (report !== null)
      return {
        ...none,
        kind: 'bounce',
        rule: report.rule,
        bounces: report.bounces,
        reportedMessageIds: withEnclosed(report.messageIds, mail),
      }
  }
  const complaint = readComplaint(mail)
  if (complaint !== null)
    return {
      ...none,
      kind: 'complaint',
      rule: complaint.rule,
      complaint,
      reportedMessageIds: withEnclosed(complaint.messageIds, mail),
    }
  if (isReceipt(mail)) return { ...none, kind: 'other', rule: 'read_receipt' }
  const reply = splitReply(mail.text)
  const own = ownWords(reply)
  if (isMailClientOptOut(mail, own)) return { ...none, kind: 'unsubscribe', rule: 'opt_out_by_mail_program', reply }
  if (isServerNotice(mail)) return { ...none, kind: 'other', rule: 'server_notice', reply }
  const automatic = readAutoReply(mail, own)
  if (automatic !== null)
    return { ...none, kind: 'auto_reply', rule: automatic.rule, awayUntil: automatic.until, reply }
  if (isReceiptText(mail.text)) return { ...none, kind: 'other', rule: 'read_receipt', reply }
  if (mail.encrypted && !isBulk(mail)) return { ...none, kind: 'reply', rule: 'encrypted', reply }
  const optOut = findOptOut(own)
  if (optOut !== null && !isBulk(mail)) return { ...none, kind: 'unsubscribe', rule: optOut.rule, reply }
  if (isBulk(mail)) return { ...none, kind: 'other', rule: 'bulk_mail', reply }
  return {
    ...none,
    kind: 'reply',
    rule: mail.inReplyTo.length > 0 || mail.references.length > 0 ? 'answers_a_message' : 'written_by_a_person',
    reply,
  }
}

function withEnclosed(ids: string[], mail: Mail): string[] {
  return [...new Set([...ids, ...enclosedMessageIds(mail)])]
}

function isFeedback(mail: Mail): boolean {
  return (
    mail.root.parameters.get('report-type')?.toLowerCase() === 'feedback-report' ||
    [...walkParts(mail.root)].some((part) => part.type === 'message/feedback-report')
  )
}

function isReceipt(mail: Mail): boolean {
  return (
    mail.root.parameters.get('report-type')?.toLowerCase() === 'disposition-notification' ||
    [...walkParts(mail.root)].some((part) => part.type === 'message/disposition-notification')
  )
}

/**
 * Whether a mail program sent this to the mailto of `List-Unsubscribe` when its button was pressed. The subject is ours. The
 * body is the program's own, in its user's language, and may be only a signature.
 */
function isMailClientOptOut(mail: Mail, own: string): boolean {
  if (/^\s*(?:true|yes|1)\b/i.test(findHeader(mail.root, 'x-apple-unsubscribe') ?? '')) return true
  if (isOptOutSubject(mail.subject)) return true
  if (!beginsWithUnsubscribe(mail.subject)) return false
  return own.length < 400 && (own === '' || /unsubscribe|remove|stop|opt.?out/i.test(own))
}

function isBulk(mail: Mail): boolean {
  const answers = mail.inReplyTo.length > 0
  if (findHeader(mail.root, 'list-unsubscribe') !== undefined || findHeader(mail.root, 'list-id') !== undefined)
    return !answers
  if (/^(?:bulk|list|junk)/i.test(textHeader(mail, 'precedence')) && !answers) return true
  return (
    !answers &&
    /^(?:no-?_?reply|do-?not-?reply|noreply|notifications?|newsletter|mailer)\b/i.test(mail.from[0]?.address ?? '')
  )
}
