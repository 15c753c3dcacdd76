import { readDmarcReport, type DmarcReading } from '../dmarc/dmarc-report.ts'
import { readBusyTimes, type BusySpan, type BusyTimes } from '../calendars/busy-times.ts'
import { foreignText } from '@overture/ground/text/foreign-text.ts'
import { readCalendar, type CalendarMessage } from '../calendars/calendar.ts'
import { readAndClassify, type Verdict } from '../classify/classify.ts'
import { readReceivedTest, type ReceivedAt, type ReceivedTestReading } from '../placement/received-test.ts'
import { readAuthenticationResults, type AuthenticationResults } from '../mime/authentication-results.ts'
import { listAttachments, readAttachment, type FoundAttachment } from '../mime/attachments.ts'
import { calendarParts, type Mail } from '../mime/mail.ts'
import { findHeader, parseMime } from '../mime/mime.ts'
import type { SetAsideReason } from '../mime/mime-limits.ts'
import { optOutTokens } from '../replies/opt-out-subject.ts'

/** The limits of the texts and headers that are stored. Longer ones are cut. */
const textCharsMax = 500_000
const htmlCharsMax = 1_000_000
const subjectCharsMax = 2_000
const idCharsMax = 990
const addressCharsMax = 320
const nameCharsMax = 200
const addressesMax = 100
const referencesMax = 100
const replyToMax = 10
/** The limit of any other value, such as a bounced address or the id of a returned message. */
const valueCharsMax = 1_000

export interface ReadAddress {
  email: string
  name: string | null
}

/** Everything that is read from one raw message. It is bounded and can be stored in the database, whatever the message contains. */
export interface ReadMessage {
  from: ReadAddress[]
  to: ReadAddress[]
  cc: ReadAddress[]
  replyTo: ReadAddress[]
  subject: string
  /** Words of the subject and of the recipients that may be the signed token of our `List-Unsubscribe` mailto. */
  optOutTokens: string[]
  messageId: string | null
  inReplyTo: string[]
  references: string[]
  /** Only the new text, if the message quotes another one. */
  text: string
  /** Everything that is not new: the signature and the quoted message. */
  quotedText: string | null
  /** The lines of `quotedText` that the writer signed with; null if there are none. */
  signature: string | null
  html: string | null
  verdict: Omit<Verdict, 'reply'>
  calendar: CalendarMessage | null
  authentication: AuthenticationResults | null
  attachments: FoundAttachment[]
  /** Whether it has the `X-Overture-Ref` of the messages that we send. Anyone can write this header. */
  hasOurRef: boolean
}

export type MessageReading =
  | { outcome: 'read'; message: ReadMessage }
  | { outcome: 'set_aside'; reason: SetAsideReason }

/** `missing`: the message has no file of this number. */
export type AttachmentReading =
  | { outcome: 'read'; content: Uint8Array }
  | { outcome: 'missing' }
  | { outcome: 'set_aside'; reason: SetAsideReason }

/** `no_calendar`: the file is something else, for example a page that asks to sign in. */
export type CalendarReading = { outcome: 'read'; times: BusyTimes } | { outcome: 'no_calendar' }

/** `missing`: the message has no file of this number. */
export type ReportFileReading = DmarcReading | { outcome: 'missing' } | { outcome: 'set_aside'; reason: SetAsideReason }

/**
 * A request to a reading thread: to read a message, to extract file number `n` from it, or to read a published calendar, a DMARC
 * report or the headers of a placement test. The report is the file itself, or file number `n` of a message.
 */
export type ReadingItem =
  | { kind: 'message'; raw: Uint8Array }
  | { kind: 'attachment'; raw: Uint8Array; n: number }
  | { kind: 'calendar'; raw: Uint8Array; span: BusySpan }
  | { kind: 'report'; raw: Uint8Array; n: number | null; nowMs: number }
  | { kind: 'received_test'; raw: Uint8Array; at: ReceivedAt }

export type ItemReading = MessageReading | AttachmentReading | CalendarReading | ReportFileReading | ReceivedTestReading

export function readItem(item: ReadingItem): ItemReading {
  switch (item.kind) {
    case 'message':
      return readMessage(item.raw)
    case 'attachment':
      return readFile(item.raw, item.n)
    case 'calendar':
      return readPublishedCalendar(item.raw, item.span)
    case 'report':
      return readReport(item.raw, item)
    case 'received_test':
      return readReceivedTest(item.raw, item.at)
  }
}

function readPublishedCalendar(raw: Uint8Array, span: BusySpan): CalendarReading {
  const times = readBusyTimes(Buffer.from(raw).toString('utf8'), span)
  return times === null ? { outcome: 'no_calendar' } : { outcome: 'read', times }
}

function readReport(raw: Uint8Array, { n, nowMs }: { n: number | null; nowMs: number }): ReportFileReading {
  if (n === null) return readDmarcReport(raw, nowMs)
  const file = readFile(raw, n)
  return file.outcome === 'read' ? readDmarcReport(file.content, nowMs) : file
}

function readFile(raw: Uint8Array, n: number): AttachmentReading {
  const parsed = parseMime(raw)
  if (parsed.outcome === 'set_aside') return parsed
  const content = readAttachment(parsed.root, n)
  return content === null ? { outcome: 'missing' } : { outcome: 'read', content }
}

/** Reads and classifies a message, and finds an invitation in it. Its time is linear in the message's length. */
export function readMessage(raw: Uint8Array): MessageReading {
  const result = readAndClassify(raw)
  return result.outcome === 'set_aside' ? result : { outcome: 'read', message: toMessage(result.mail, result.verdict) }
}

function toMessage(mail: Mail, { reply, ...verdict }: Verdict): ReadMessage {
  const addresses = (list: Mail['from']) => list.slice(0, addressesMax).map(toReadAddress)
  const signedAndQuoted = reply === null ? null : [reply.signature, reply.quoted].filter((part) => part !== '')
  return {
    from: addresses(mail.from),
    to: addresses(mail.to),
    cc: addresses(mail.cc),
    replyTo: addresses(mail.replyTo).slice(0, replyToMax),
    subject: foreignText(mail.subject, subjectCharsMax),
    optOutTokens: optOutTokens(mail.subject, listRecipients(mail)),
    messageId: mail.messageId === null ? null : foreignText(mail.messageId, idCharsMax),
    inReplyTo: mail.inReplyTo.slice(0, referencesMax).map((id) => foreignText(id, idCharsMax)),
    references: mail.references.slice(-referencesMax).map((id) => foreignText(id, idCharsMax)),
    text: foreignText(reply === null ? mail.text : reply.text, textCharsMax),
    quotedText: signedAndQuoted === null ? null : foreignText(signedAndQuoted.join('\n'), textCharsMax),
    signature: reply === null || reply.signature === '' ? null : foreignText(reply.signature, textCharsMax),
    html: mail.html === null ? null : foreignText(mail.html, htmlCharsMax),
    verdict: storableValues(verdict),
    calendar: readCalendar(calendarParts(mail)),
    authentication: readAuthenticationResults(mail.root),
    attachments: listAttachments(mail.root),
    hasOurRef: findHeader(mail.root, 'x-overture-ref') !== undefined,
  }
}

/** Addresses that the mail went to, by its own headers and by those that servers add on delivery. */
function listRecipients(mail: Mail): string[] {
  const delivered = ['delivered-to', 'x-original-to', 'envelope-to'].flatMap(
    (name) => findHeader(mail.root, name) ?? [],
  )
  return [
    ...[...mail.to, ...mail.cc].map(({ address }) => address),
    ...delivered.map((text) => text.replace(/[<>\s]/g, '')),
  ]
}

function toReadAddress({ address, name }: Mail['from'][number]): ReadAddress {
  return {
    email: foreignText(address, addressCharsMax),
    name: name === null ? null : foreignText(name, nameCharsMax),
  }
}

/** Returns the same value with every text in a form that the database accepts. */
function storableValues<Value>(value: Value): Value {
  if (typeof value === 'string') return foreignText(value, valueCharsMax) as Value
  if (Array.isArray(value)) return value.map(storableValues) as Value
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, storableValues(part)])) as Value
}
