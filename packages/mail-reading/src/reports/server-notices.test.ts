import { describe, expect, test } from 'vitest'
import { inspectMessage } from '../classify/inspect.ts'

/** A notice of a mail server that is no report is neither a person's reply nor an absence note. */
const servers = ['MAILER-DAEMON@mx.there.test', 'Mail Delivery System <mailer-daemon@there.test>', '<>', '']
const postmasters = ['postmaster@there.test', 'Postmaster <postmaster@mx.there.test>']
const threads = ['', 'In-Reply-To: <out@example.com>\r\nReferences: <out@example.com>\r\n']
const marks = [
  'Auto-Submitted: auto-replied\r\n',
  'Auto-Submitted: auto-generated\r\n',
  'Return-Path: <>\r\nPrecedence: bulk\r\n',
  'Return-Path: <>\r\nX-Auto-Response-Suppress: All\r\n',
]
const texts: readonly [string, string][] = [
  ['Maintenance', 'This server is out of office on Sunday until 9 March 2026, and back on Monday.'],
  ['Automatic reply: Hello', 'I am away until 16 March 2026.'],
  ['Re: Hello', 'Your mail is being scanned. Please do not reply to this message.'],
  ['Wartung', 'Der Server ist bis 9. März 2026 nicht erreichbar.'],
  ['Avis', "Le serveur sera absent jusqu'au 9 mars 2026."],
  ['通知', 'サーバは3月9日まで停止します。'],
]

function kindOf(from: string, headers: string, [subject, text]: readonly [string, string]): string {
  const found = inspectMessage(
    Buffer.from(
      `From: ${from}\r\nTo: sender@example.com\r\nSubject: =?utf-8?B?${Buffer.from(subject).toString('base64')}?=\r\n` +
        `Date: Mon, 02 Mar 2026 09:00:00 +0100\r\n${headers}Content-Type: text/plain; charset=utf-8\r\n\r\n${text}`,
    ),
  )
  return `${found.kind} ${found.awayUntil ?? '-'}`
}

describe('notices of a mail server', () => {
  test.each(servers)('from %s are neither replies nor automatic replies', (from) => {
    for (const thread of threads)
      for (const mark of ['', ...marks])
        for (const text of texts)
          expect([from, mark, text[0], kindOf(from, thread + mark, text)].at(-1)).toBe('other -')
  })

  test.each(postmasters)('from %s are neither if a header marks them as automatic', (from) => {
    for (const thread of threads)
      for (const mark of marks) for (const text of texts) expect(kindOf(from, thread + mark, text)).toBe('other -')
  })

  test('a person may write as postmaster', () => {
    expect(kindOf('postmaster@there.test', threads[1]!, ['Re: Hello', 'Yes, Tuesday is fine.'])).toBe('reply -')
  })

  test('a report from a server stays a bounce', () => {
    const report: [string, string] = ['Undelivered Mail', 'Not delivered:\n\n<ada@there.test>: 550 5.1.1 user unknown']
    for (const from of [...servers, ...postmasters])
      for (const mark of marks) expect(kindOf(from, threads[1]! + mark, report)).toBe('bounce -')
  })
})

/** RFC 5429, section 2.2: a rejection is sent as a disposition notification. */
function dispositionOf(mail: { from: string; submitted: string; agent: string; disposition: string; text: string }): {
  kind: string
  bounces: string[]
} {
  const found = inspectMessage(
    Buffer.from(
      [
        `From: ${mail.from}`,
        'To: sender@example.com',
        'Subject: Hello',
        ...(mail.submitted === '' ? [] : [`Auto-Submitted: ${mail.submitted}`]),
        'In-Reply-To: <out@example.com>',
        'Content-Type: multipart/report; report-type=disposition-notification; boundary=x',
        '',
        '--x',
        'Content-Type: text/plain; charset=utf-8',
        '',
        mail.text,
        '--x',
        'Content-Type: message/disposition-notification',
        '',
        `Reporting-UA: ${mail.agent}`,
        'Final-Recipient: rfc822; ada@there.test',
        `Disposition: ${mail.disposition}`,
        '--x--',
      ].join('\r\n'),
    ),
  )
  return { kind: found.kind, bounces: found.bounces.map((one) => `${one.recipient} ${one.type} ${one.reason}`) }
}

const deleted = 'automatic-action/MDN-sent-automatically; deleted'
const daemon = 'Mail Delivery Subsystem <postmaster@there.test>'

describe('rejections that come as disposition notifications', () => {
  test.each([
    ['Your message was automatically rejected:\r\nQuota exceeded (mailbox for user is full)', 'soft mailboxfull'],
    [
      'Your message was automatically rejected:\r\nYour message is too large: message exceeds the limit',
      'soft mesgtoobig',
    ],
    ['Your message was automatically rejected:\r\nuser unknown', 'block filtered'],
    ['Your message was automatically rejected:\r\nIch nehme keine Werbung an.', 'block filtered'],
    ['Your message was automatically rejected:\r\n営業メールはお断りしています。', 'block filtered'],
  ])('%s', (text, wanted) => {
    for (const submitted of ['auto-replied (rejected)', 'auto-replied', ''])
      for (const agent of [
        'there.test; Dovecot Mail Delivery Agent',
        'mx.there.test; Cyrus v3',
        'sieve.there.test; Pigeonhole',
      ])
        expect(dispositionOf({ from: daemon, submitted, agent, disposition: deleted, text })).toEqual({
          kind: 'bounce',
          bounces: [`ada@there.test ${wanted}`],
        })
  })

  test.each([
    ['read', 'manual-action/MDN-sent-manually; displayed', 'Your message was read.'],
    ['deleted unread', deleted, 'Your message was deleted without being read.'],
    ['read, of a mail about a rejection', 'automatic-action/MDN-sent-automatically; displayed', 'It was rejected.'],
  ])('a receipt is no rejection: %s', (_, disposition, text) => {
    const mail = { from: 'Ada <ada@there.test>', submitted: '', agent: 'there.test; Outlook', disposition, text }
    expect(dispositionOf(mail)).toEqual({ kind: 'other', bounces: [] })
  })
})
