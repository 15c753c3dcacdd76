import { codeInText, isVague, phaseInText, statusInText } from './bounce-codes.ts'
import { reasonOf, statusFor, typeOf } from './bounce-reason.ts'
import type { BounceReason } from './bounce-reason.ts'
import { addressOfField, readDeliveryStatus } from './dsn-fields.ts'
import type { ReportedRecipient } from './dsn-fields.ts'
import { readNotice } from './dsn-notice.ts'
import type { Notice } from './dsn-notice.ts'
import { findRecipients } from './dsn-recipients.ts'
import { readSesNotification } from './dsn-ses.ts'
import type { Parties } from './refusal-side.ts'
import { isFromDaemon, isFromServer, looksDelayed, looksFailed } from './dsn-signs.ts'
import type { Bounce, Report } from './report.ts'
import { readAddresses } from '../mime/mime-headers.ts'
import { headerOf } from '../mime/mime.ts'
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
  // A report of success is one too, and nothing more.
  if (fields.length > 0 && fields.every((one) => one.action !== null)) return null
  const daemon = isFromDaemon(mail)
  const written = readDeliveryStatus(fieldLines(notice.text)).filter(
    (one) => isReported(one) && (one.status !== null || one.diagnostic !== null),
  )
  if (written.length > 0 && (daemon || looksFailed(mail.subject)))
    return fromFields('delivery_status_text', written, { mail, notice })
  return fromFreeText(mail, notice, daemon)
}

function isReported(one: ReportedRecipient): boolean {
  const action = one.action?.toLowerCase() ?? ''
  if (/^(?:delivered|relayed|expanded)/.test(action)) return false
  return action !== '' || /^[45]/.test(one.status ?? '') || one.diagnostic !== null
}

interface Context {
  mail: Mail
  notice: Notice
}

function fromFields(rule: string, reported: ReportedRecipient[], { mail, notice }: Context): Report {
  const addresses = reported.map((one) => addressOfField(one.finalRecipient)?.toLowerCase() ?? '')
  const bounces = reported.map((one) => {
    const recipient = addressOfField(one.originalRecipient) ?? addressOfField(one.finalRecipient)
    const said = segmentFor(addresses, [addressOfField(one.finalRecipient), recipient], notice.text)
    const type = one.diagnostic ?? ''
    const local = /^\s*x-unix/i.test(type)
    const own = type.replace(/^\s*(?:smtp|x-postfix|dns|rfc822)\s*;/i, '')
    const delayed = /^delay/i.test(one.action ?? '') || (one.action === null && looksDelayed(mail.subject, notice.text))
    const bounce = judge({
      own: local ? type : own,
      said,
      statusField: statusInText(one.status ?? ''),
      comment: one.status ?? '',
      delayed,
      local,
      parties: partiesOf(mail, notice, [recipient, addressOfField(one.finalRecipient)]),
    })
    return {
      recipient: recipient ?? headerOf(mail.root, 'x-failed-recipients')?.trim() ?? notice.originalTo,
      ...bounce,
    }
  })
  return { rule, bounces: distinct(bounces), messageIds: notice.messageIds }
}

function fromFreeText(mail: Mail, notice: Notice, daemon: boolean): Report | null {
  const declared = readAddresses(headerOf(mail.root, 'x-failed-recipients')).map((one) => one.address)
  const delayed = looksDelayed(mail.subject, notice.text)
  const subject = looksFailed(mail.subject) || delayed
  const body = looksFailed(notice.text)
  const nullPath = /^\s*(?:<\s*>|<?mailer-daemon\S*)\s*$/i.test(headerOf(mail.root, 'return-path') ?? '-')
  const certain = declared.length > 0 || isFromServer(mail) || nullPath || showsReport(mail, notice)
  if (
    !certain ||
    !(
      (declared.length > 0 && (daemon || subject)) ||
      (daemon && (subject || body || namesSomebody(mail, notice))) ||
      ((nullPath || isUnthreaded(mail)) && subject && body)
    )
  )
    return null
  const not = new Set([...mail.to, ...mail.cc, ...mail.from].map((one) => one.address.toLowerCase()))
  const recipients = findRecipients({ text: notice.text, not, declared })
  const named = recipients.length > 0 ? recipients : [{ address: notice.originalTo, segment: notice.text }]
  const rule = declared.length > 0 ? 'failed_recipients_header' : 'free_text_report'
  const bounces = named.map(({ address, segment }) => {
    const said = named.length === 1 ? notice.text : segment
    return {
      recipient: address,
      ...judge({
        own: '',
        said,
        statusField: null,
        comment: mail.subject,
        delayed,
        local: false,
        parties: partiesOf(mail, notice, [address]),
      }),
    }
  })
  return { rule, bounces, messageIds: notice.messageIds }
}

// Whatever the language: what comes from MAILER-DAEMON or from Exchange itself and has an address in a line of its own, not
// ours, is about that address.
function namesSomebody(mail: Mail, notice: Notice): boolean {
  const from = mail.from[0]?.address ?? ''
  if (!/^(?:mailer-?daemon|mail-daemon|microsoftexchange\w{0,40})@/i.test(from)) return false
  if (
    /^auto-(?:generated|notified)/i.test(headerOf(mail.root, 'auto-submitted') ?? '') &&
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

// People and shops write of deliveries that failed as well: a report shows a code, or what it sends back.
function showsReport(mail: Mail, notice: Notice): boolean {
  return (
    notice.messageIds.length > 0 ||
    notice.originalTo !== null ||
    mail.root.type.endsWith('/report') ||
    codeInText(notice.text) !== null ||
    statusInText(notice.text) !== null
  )
}

interface Evidence {
  /** The refusing server's own words. */
  own: string
  /** What the report says about this recipient. */
  said: string
  statusField: string | null
  comment: string
  delayed: boolean
  local: boolean
  parties: Parties
}

function judge({ own, said, statusField, comment, delayed, local, parties }: Evidence): Omit<Bounce, 'recipient'> {
  const ownStatus = statusInText(own)
  const saidStatus = own.trim() === '' || ownStatus === null ? statusInText(said) : null
  const given = prefer(statusField, ownStatus ?? saidStatus)
  const smtpCode = local
    ? null
    : (codeInText(own) ??
      (own.trim() === '' || statusField === null || (given !== null && isVague(given)) ? codeInText(said) : null))
  const phase = phaseInText(said) ?? phaseInText(own)
  const input = { status: given, smtpCode, phase, parties }
  const inOwn = own.trim() === '' ? null : reasonOf({ ...input, text: `${own} ${comment.slice(0, 200)}` })
  const inAll = inOwn !== null && !vague.has(inOwn) ? inOwn : reasonOf({ ...input, text: `${own}\n${said}` })
  const reason = vague.has(inAll) ? reasonOf({ ...input, text: comment }) : inAll
  const permanent =
    given === null
      ? smtpCode === null
        ? !delayed && reason !== 'networkerror'
        : smtpCode >= 500
      : given.startsWith('5')
  const status = given ?? statusFor(reason, permanent)
  return { status, smtpCode, type: delayed ? 'delayed' : typeOf(reason, status, `${own} ${said}`), reason }
}

// The report went back to the one who sends; what is also the recipient's tells nothing.
function partiesOf(mail: Mail, notice: Notice, failed: readonly (string | null)[]): Parties {
  const theirs = namesOf(failed)
  const senders = [...mail.to.map((one) => one.address), notice.originalFrom]
  return { ours: namesOf(senders).filter((name) => !theirs.includes(name)), theirs }
}

function namesOf(addresses: readonly (string | null)[]): string[] {
  return addresses.slice(0, 10).flatMap((address) => {
    const lower = address?.toLowerCase() ?? ''
    const domain = lower.slice(lower.lastIndexOf('@') + 1)
    return domain.includes('.') ? [lower, domain] : []
  })
}

const vague: ReadonlySet<BounceReason> = new Set(['undefined', 'onhold'])

// The status field is what the reporting server thinks; the text is what the refusing one said, and often says more.
function prefer(field: string | null, text: string | null): string | null {
  if (field === null || text === null) return field ?? text
  if (isVague(field)) return text
  if (isVague(text) || text === field) return field
  return field.startsWith('4.4') || text[0] !== field[0] ? field : text
}

// From the address to an empty line, or to the line of the next one.
function segmentFor(all: readonly string[], addresses: (string | null)[], text: string): string {
  if (all.length === 1) return text
  const lower = text.toLowerCase()
  const address = addresses.find((one) => one !== null && lower.includes(one.toLowerCase()))
  if (address === undefined || address === null) return ''
  const from = lower.indexOf(address.toLowerCase())
  const lines = text.slice(from, from + 1_500).split('\n')
  const others = all.filter((other) => other !== '' && other !== address.toLowerCase())
  const end = lines.findIndex(
    (line, at) =>
      at > 0 &&
      (line.trim() === '' ||
        others.some((other) =>
          line
            .toLowerCase()
            .replace(/^[\s<]+/, '')
            .startsWith(other),
        )),
  )
  return (end === -1 ? lines : lines.slice(0, end)).join('\n')
}

// `Final-Recipient:` and its neighbours, as some servers print them into the notice, indented or not.
function fieldLines(text: string): string {
  return text
    .split('\n', 4_000)
    .map((line) => line.trim())
    .join('\n')
}

function isUnthreaded(mail: Mail): boolean {
  return mail.inReplyTo.length === 0 && !/^\s*(?:re|aw|sv|fwd?|wg)\s*:/i.test(mail.subject)
}

function distinct(bounces: Bounce[]): Bounce[] {
  const seen = new Set<string>()
  return bounces.filter((one) => {
    const key = `${one.recipient} ${one.status} ${one.type}`
    if (seen.has(key) && one.recipient !== null) return false
    seen.add(key)
    return true
  })
}
