import { escapeHtml } from '@overture/ground/text/text-html.ts'
import { pick } from '@overture/ground/chance/seeded.ts'
import { returnDate } from './prospect.ts'

/** The message that is answered, as its recipient sees it. */
export interface ReceivedMail {
  /** The recipient: a lead. */
  address: string
  /** Our sending account. */
  senderEmail: string
  senderName: string | null
  subject: string
  /** With angle brackets. */
  rfcMessageId: string
  references: readonly string[]
  text: string
  sentAt: Date
}

export type AnswerKind =
  | 'reply'
  | 'interested'
  | 'auto_reply'
  | 'unsubscribe'
  | 'bounce'
  | 'soft_bounce'
  | 'quota'
  | 'sender_blocked'

interface Answer {
  kind: AnswerKind
  /** The text of the answer. Null: drawn from the seed. */
  text: string | null
  at: Date
  /** Unique among answers, letters and digits: part of the Message-ID and of the boundaries. */
  uniqueText: string
}

/** Writes a real message with CRLF line ends, as a mail server would pass it on. Pure: the same input gives the same bytes. */
export function composeAnswer(mail: ReceivedMail, answer: Answer): Buffer {
  switch (answer.kind) {
    case 'reply':
    case 'interested':
    case 'unsubscribe':
      return composeReply(mail, answer, answer.text ?? pick(words[answer.kind], mail.address))
    case 'auto_reply':
      return composeAutoReply(mail, answer)
    case 'bounce':
      return composeReport(mail, answer, hardBounce(mail.address))
    case 'soft_bounce':
      return composeReport(mail, answer, softBounce(mail.address))
    case 'quota':
      return composeReport(mail, answer, quotaRefusal)
    case 'sender_blocked':
      return composeReport(mail, answer, blockedRefusal)
  }
}

type Words = readonly [string, ...string[]]
const words: Record<'reply' | 'interested' | 'unsubscribe', Words> = {
  reply: [
    'Thanks for your note. We already have something for this in place, but I have passed it on to my colleague.',
    'Hi, got your message. I have to check this with the team first and will come back to you.',
    'Thank you for writing. Which of our offices did you have in mind?',
    'Hello, thanks. I read it on the train and need a moment to think about it.',
  ],
  interested: [
    "Yes, I'm interested. Can we talk this week? Tuesday afternoon would work for me.",
    'This sounds interesting! Please send me more information and some times for a call.',
    "I'd love to learn more. Could you show me a demo next week?",
    'Interested, yes. Let us set up a call, you can reach me tomorrow morning.',
  ],
  unsubscribe: ['Please unsubscribe me from your list.', 'Please remove me from your mailing list.', 'Unsubscribe'],
}

function composeReply(mail: ReceivedMail, answer: Answer, text: string): Buffer {
  const name = prospectName(mail.address)
  const own = `${text}\n\nBest regards,\n${name}\n\n-- \n${name}\n${pick(titles, mail.address)} | Prospects Ltd\n+49 30 555 0100`
  const intro = `On ${dateText(mail.sentAt)}, ${mail.senderName ?? mail.senderEmail} <${mail.senderEmail}> wrote:`
  const quoted = mail.text.trimEnd().split(/\r?\n/)
  const plain = `${own}\n\n${intro}\n\n${quoted.map((line) => `> ${line}`).join('\n')}\n`
  const html =
    `<div dir="ltr">${paragraphs(own)}</div><br><div class="gmail_quote"><div dir="ltr" class="gmail_attr">${escapeHtml(intro)}<br></div>` +
    '<blockquote class="gmail_quote" style="margin:0 0 0 .8ex;border-left:1px solid #ccc;padding-left:1ex">' +
    `${paragraphs(quoted.join('\n'))}</blockquote></div>`
  const boundary = `=_alt_${answer.uniqueText}`
  return lines([
    ...threadHeaders(mail, answer, reSubject(mail.subject)),
    `Content-Type: multipart/alternative; boundary="${boundary}"`,
    '',
    `--${boundary}`,
    ...textPart('text/plain', plain),
    `--${boundary}`,
    ...textPart('text/html', html),
    `--${boundary}--`,
    '',
  ])
}

const titles: Words = ['Head of Operations', 'Managing Director', 'VP Sales', 'IT Lead']

function composeAutoReply(mail: ReceivedMail, answer: Answer): Buffer {
  const back = returnDate(mail.address, answer.at).toISOString().slice(0, 10)
  const text =
    answer.text ??
    `Thank you for your message. I am out of the office until ${back} with limited access to e-mail and will ` +
      `answer when I am back.\n\n${prospectName(mail.address)}`
  return lines([
    ...threadHeaders(mail, answer, `Automatic reply: ${mail.subject}`),
    'Auto-Submitted: auto-replied',
    'X-Auto-Response-Suppress: All',
    'Precedence: bulk',
    ...textPart('text/plain', text),
    '',
  ])
}

interface Failure {
  status: string
  diagnostic: string
  explanation: string
}

function hardBounce(address: string): Failure {
  return {
    status: '5.1.1',
    diagnostic: `550 5.1.1 <${address}>: Recipient address rejected: User unknown in virtual mailbox table`,
    explanation:
      `<${address}>: host mx.prospects.test[192.0.2.25] said: 550 5.1.1 <${address}>: Recipient address rejected: ` +
      'User unknown in virtual mailbox table (in reply to RCPT TO command)',
  }
}

function softBounce(address: string): Failure {
  return {
    status: '4.2.2',
    diagnostic: `452 4.2.2 <${address}>: The recipient's mailbox is over its storage limit`,
    explanation:
      `<${address}>: host mx.prospects.test[192.0.2.25] said: 452 4.2.2 <${address}>: The recipient's mailbox is ` +
      'over its storage limit (in reply to RCPT TO command)',
  }
}

/** Google's refusal for a sender that reached its daily limit. */
const quotaRefusal: Failure = {
  status: '5.4.5',
  diagnostic: '550 5.4.5 Daily user sending limit exceeded. For more information on Gmail sending limits go to',
  explanation: 'Your message was not delivered: 550 5.4.5 Daily user sending limit exceeded.',
}

/** Microsoft's refusal for a sender that it restricts. */
const blockedRefusal: Failure = {
  status: '5.1.8',
  diagnostic: '550 5.1.8 Access denied, bad outbound sender AS(42004)',
  explanation: 'Your message was not delivered: 550 5.1.8 Access denied, bad outbound sender AS(42004).',
}

/** A bounce report by RFC 3462 and 3464: a note for people, the status for machines, and the headers of the returned message. */
function composeReport(mail: ReceivedMail, answer: Answer, failure: Failure): Buffer {
  const boundary = `=_report_${answer.uniqueText}`
  const note =
    'This is the mail system at host mx.prospects.test.\n\n' +
    `I'm sorry to have to inform you that your message could not\nbe delivered to one or more recipients.\n\n` +
    `${answer.text ?? failure.explanation}\n`
  return lines([
    'Return-Path: <>',
    'From: Mail Delivery System <MAILER-DAEMON@mx.prospects.test>',
    `To: <${mail.senderEmail}>`,
    'Subject: Undelivered Mail Returned to Sender',
    `Date: ${dateText(answer.at)}`,
    `Message-ID: <${answer.uniqueText}@mx.prospects.test>`,
    'Auto-Submitted: auto-replied',
    'MIME-Version: 1.0',
    `Content-Type: multipart/report; report-type=delivery-status; boundary="${boundary}"`,
    '',
    `--${boundary}`,
    'Content-Description: Notification',
    ...textPart('text/plain', note),
    `--${boundary}`,
    'Content-Description: Delivery report',
    'Content-Type: message/delivery-status',
    '',
    'Reporting-MTA: dns; mx.prospects.test',
    `Arrival-Date: ${dateText(mail.sentAt)}`,
    '',
    `Final-Recipient: rfc822; ${mail.address}`,
    `Original-Recipient: rfc822;${mail.address}`,
    'Action: failed',
    `Status: ${failure.status}`,
    'Remote-MTA: dns; mx.prospects.test',
    `Diagnostic-Code: smtp; ${failure.diagnostic}`,
    '',
    `--${boundary}`,
    'Content-Description: Undelivered Message Headers',
    'Content-Type: text/rfc822-headers',
    '',
    `From: <${mail.senderEmail}>`,
    `To: <${mail.address}>`,
    header('Subject', mail.subject),
    `Message-ID: ${mail.rfcMessageId}`,
    `Date: ${dateText(mail.sentAt)}`,
    '',
    `--${boundary}--`,
    '',
  ])
}

function threadHeaders(mail: ReceivedMail, answer: Answer, subject: string): string[] {
  return [
    `From: "${prospectName(mail.address)}" <${mail.address}>`,
    `To: <${mail.senderEmail}>`,
    header('Subject', subject),
    `Date: ${dateText(answer.at)}`,
    `Message-ID: <${answer.uniqueText}@prospects.test>`,
    `In-Reply-To: ${mail.rfcMessageId}`,
    `References: ${[...mail.references, mail.rfcMessageId].slice(-10).join('\r\n ')}`,
    'MIME-Version: 1.0',
  ]
}

/** A mail of a person to another one, outside of every thread. */
export function composeManualMail(mail: {
  from: string
  to: string
  text: string | null
  at: Date
  uniqueText: string
}): Buffer {
  const { from, to, at, uniqueText } = mail
  const text =
    mail.text ?? `Hello ${prospectName(to)},\n\nit was good to meet you. I call you tomorrow.\n\n${prospectName(from)}`
  return lines([
    `From: "${prospectName(from)}" <${from}>`,
    `To: <${to}>`,
    header('Subject', 'Good to meet you'),
    `Date: ${dateText(at)}`,
    `Message-ID: <manual-${uniqueText}@prospects.test>`,
    'MIME-Version: 1.0',
    ...textPart('text/plain', text),
    '',
  ])
}

/** Reads a name from an address: `anna.meyer+reply@…` is Anna Meyer. */
export function prospectName(address: string): string {
  const local = address.split('@')[0]?.split('+')[0] ?? ''
  const parts = local
    .split(/[._-]+/)
    .map((part) => part.replaceAll(/[^\p{L}\p{N}]/gu, ''))
    .filter((part) => part !== '')
  return parts.map((part) => part.slice(0, 1).toUpperCase() + part.slice(1)).join(' ') || 'Prospect'
}

function reSubject(subject: string): string {
  return /^re:/i.test(subject) ? subject : `Re: ${subject}`
}

function header(name: string, value: string): string {
  const plain = value.replaceAll(/[\r\n\0\u2028\u2029]+/g, ' ')
  // oxlint-disable-next-line no-control-regex -- anything beyond ASCII needs an encoded word
  if (/^[\x20-\x7e]*$/.test(plain) && plain.length < 900) return `${name}: ${plain}`
  const encoded = chunks(plain, 12).map((chunk) => `=?UTF-8?B?${Buffer.from(chunk).toString('base64')}?=`)
  return `${name}: ${encoded.join('\r\n ')}`
}

function textPart(type: string, text: string): string[] {
  const base64 = Buffer.from(text.replaceAll(/\r?\n/g, '\r\n')).toString('base64')
  return [
    `Content-Type: ${type}; charset=utf-8`,
    'Content-Transfer-Encoding: base64',
    '',
    ...(base64.match(/.{1,76}/g) ?? ['']),
  ]
}

function chunks(text: string, size: number): string[] {
  const characters = Array.from(text)
  const parts: string[] = []
  for (let start = 0; start < characters.length; start += size)
    parts.push(characters.slice(start, start + size).join(''))
  return parts
}

function paragraphs(text: string): string {
  return text
    .split('\n')
    .map((line) => (line === '' ? '<br>' : `<div>${escapeHtml(line)}</div>`))
    .join('')
}

function dateText(date: Date): string {
  return date.toUTCString().replace('GMT', '+0000')
}

function lines(all: readonly string[]): Buffer {
  return Buffer.from(all.join('\r\n'))
}
