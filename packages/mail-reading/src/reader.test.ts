import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { inspectMessage } from './classify/inspect.ts'

const text = (...lines: string[]) => inspectMessage(Buffer.from(lines.join('\r\n')))
const from = (address: string, subject: string, ...rest: string[]) =>
  text(
    `From: ${address}`,
    'To: sender@example.com',
    `Subject: ${subject}`,
    'Date: Mon, 02 Mar 2026 09:00:00 +0000',
    'Message-ID: <in@example.org>',
    ...rest,
  )

const report = (recipients: string[][], notice: string[] = [], headers: string[] = []) =>
  from(
    'Mail Delivery System <MAILER-DAEMON@mx.example.org>',
    'Undelivered Mail Returned to Sender',
    ...headers,
    'MIME-Version: 1.0',
    'Content-Type: multipart/report; report-type=delivery-status; boundary="b"',
    '',
    '--b',
    'Content-Type: text/plain',
    '',
    'This is the mail system.',
    ...notice,
    '',
    '--b',
    'Content-Type: message/delivery-status',
    '',
    'Reporting-MTA: dns; mx.example.org',
    '',
    ...recipients.flatMap((lines) => [...lines, '']),
    '--b',
    'Content-Type: message/rfc822',
    '',
    'From: sender@example.com',
    'To: ada@example.net',
    'Message-ID: <out@example.com>',
    'Subject: Hello',
    '',
    'Hi',
    '--b--',
    '',
  )

describe('delivery reports', () => {
  test.each([
    ['5.1.1', 'smtp; 550 5.1.1 <ada@example.net>: User unknown', 'hard', 'userunknown', 550],
    ['5.2.2', 'smtp; 552 5.2.2 Mailbox full', 'soft', 'mailboxfull', 552],
    [
      '5.7.1',
      'smtp; 554 5.7.1 Service unavailable; Client host [192.0.2.1] blocked using zen.example',
      'block',
      'blocked',
      554,
    ],
    [
      '5.7.26',
      'smtp; 550 5.7.26 Unauthenticated email is not accepted due to DMARC policy',
      'block',
      'authfailure',
      550,
    ],
    ['5.0.0', 'smtp; 550 5.1.1 No such user', 'hard', 'userunknown', 550],
    ['5.4.4', 'smtp; 550 5.4.4 Invalid domain', 'hard', 'hostunknown', 550],
    ['4.4.7', 'smtp; 421 4.4.7 Message expired', 'soft', 'expired', 421],
    ['5.2.1', 'smtp; 550 5.2.1 The account is suspended', 'soft', 'suspend', 550],
    ['5.2.1', 'smtp; 550 5.2.1 This account has been discontinued', 'hard', 'suspend', 550],
  ] as const)('%s %s is %s %s', (status, diagnostic, type, reason, smtpCode) => {
    const { kind, bounces } = report([
      [
        'Final-Recipient: rfc822; ada@example.net',
        'Action: failed',
        `Status: ${status}`,
        `Diagnostic-Code: ${diagnostic}`,
      ],
    ])
    expect(kind).toBe('bounce')
    expect(bounces).toMatchObject([{ recipient: 'ada@example.net', type, reason, smtpCode }])
  })

  test('have several recipients, each with its own reason', () => {
    const { bounces } = report([
      [
        'Final-Recipient: rfc822; a@example.net',
        'Action: failed',
        'Status: 5.1.1',
        'Diagnostic-Code: smtp; 550 5.1.1 User unknown',
      ],
      [
        'Final-Recipient: rfc822; b@example.net',
        'Action: failed',
        'Status: 5.2.2',
        'Diagnostic-Code: smtp; 552 5.2.2 Mailbox full',
      ],
    ])
    expect(bounces.map((one) => [one.recipient, one.type])).toEqual([
      ['a@example.net', 'hard'],
      ['b@example.net', 'soft'],
    ])
  })

  test('a delayed report has its own type, and a success is no bounce', () => {
    expect(
      report([['Final-Recipient: rfc822; a@example.net', 'Action: delayed', 'Status: 4.4.1']]).bounces,
    ).toMatchObject([{ type: 'delayed' }])
    expect(report([['Final-Recipient: rfc822; a@example.net', 'Action: delivered', 'Status: 2.0.0']]).kind).not.toBe(
      'bounce',
    )
  })

  test('are recognised before the marks of an automatic reply', () => {
    const recipient = ['Final-Recipient: rfc822; a@example.net', 'Action: failed', 'Status: 5.1.1']
    expect(report([recipient], [], ['Auto-Submitted: auto-replied', 'Return-Path: <>']).kind).toBe('bounce')
  })

  test('name the recipient we wrote to if the message was forwarded', () => {
    const { bounces } = report([
      [
        'Final-Recipient: rfc822; inner@other.test',
        'Original-Recipient: rfc822;ada@example.net',
        'Action: failed',
        'Status: 5.1.1',
      ],
    ])
    expect(bounces[0]?.recipient).toBe('ada@example.net')
  })

  test.each([
    [
      'Exim',
      [
        'X-Failed-Recipients: ada@example.net',
        'Auto-Submitted: auto-replied',
        '',
        'This message was created automatically by mail delivery software.',
        '',
        'A message that you sent could not be delivered to one or more of its',
        'recipients. This is a permanent error. The following address(es) failed:',
        '',
        '  ada@example.net',
        '    host mx.example.net [192.0.2.2]',
        '    SMTP error from remote mail server after RCPT TO:<ada@example.net>:',
        '    550 No such user here',
        '',
        '------ This is a copy of the message, including all the headers. ------',
        '',
        'To: ada@example.net',
      ],
      'hard',
      'userunknown',
    ],
    [
      'qmail',
      [
        '',
        'Hi. This is the qmail-send program at mx.example.org.',
        "I'm afraid I wasn't able to deliver your message to the following addresses.",
        '',
        '<ada@example.net>:',
        '192.0.2.2 does not like recipient.',
        'Remote host said: 550 5.1.1 unknown user',
        'Giving up on 192.0.2.2.',
        '',
        '--- Below this line is a copy of the message.',
        '',
        'To: ada@example.net',
      ],
      'hard',
      'userunknown',
    ],
    [
      'Gmail, delayed',
      [
        '',
        'THIS IS A WARNING MESSAGE ONLY.',
        'YOU DO NOT NEED TO RESEND YOUR MESSAGE.',
        'Delivery to the following recipient has been delayed:',
        '',
        '     ada@example.net',
        '',
        'Message will be retried for 2 more day(s)',
      ],
      'delayed',
      'expired',
    ],
    [
      'a server that names no phase',
      ['', 'Your message could not be delivered to:', '', '<ada@example.net>: 550 unknown user'],
      'hard',
      'userunknown',
    ],
    [
      'a filter behind the text',
      ['Your message could not be delivered to:', '', '<ada@example.net>: 550 unknown user (in reply to end of DATA)'],
      'block',
      'filtered',
    ],
  ] as const)('are recognised in the format of %s', (_, lines, type, reason) => {
    const { kind, bounces } = from(
      'Mail Delivery Subsystem <mailer-daemon@mx.example.org>',
      'Mail delivery failed',
      ...lines,
    )
    expect(kind).toBe('bounce')
    expect(bounces).toMatchObject([{ recipient: 'ada@example.net', type, reason }])
  })

  test('are read with bare CR and doubled CR line ends', () => {
    const lines = [
      'From: MAILER-DAEMON@example.org',
      'Subject: failure notice',
      '',
      '<ada@example.net>:',
      'Remote host said: 550 5.1.1 unknown user',
    ]
    for (const end of ['\r', '\n', '\r\n', '\r\r\n'])
      expect(inspectMessage(Buffer.from(lines.join(end))).kind).toBe('bounce')
  })

  test("that a person quotes are that person's reply", () => {
    const found = from(
      'Ada <ada@example.net>',
      'Re: your message',
      'In-Reply-To: <out@example.com>',
      '',
      'I got "550 user unknown, could not be delivered" when I answered. Try this address.',
    )
    expect(found.kind).toBe('reply')
  })
})

describe('other automatic mail', () => {
  test('a feedback report is a complaint', () => {
    const found = from(
      'fbl@example.org',
      'Abuse report',
      'MIME-Version: 1.0',
      'Content-Type: multipart/report; report-type=feedback-report; boundary=x',
      '',
      '--x',
      'Content-Type: text/plain',
      '',
      'A report.',
      '--x',
      'Content-Type: message/feedback-report',
      '',
      'Feedback-Type: abuse',
      'Version: 1',
      'Original-Rcpt-To: ada@example.net',
      '--x',
      'Content-Type: message/rfc822',
      '',
      'Message-ID: <out@example.com>',
      'To: ada@example.net',
      '',
      'Hi',
      '--x--',
    )
    expect(found.kind).toBe('complaint')
  })

  test.each([
    [
      'Automatic reply: Hello',
      ['Auto-Submitted: auto-replied', '', 'I am out of the office until 12 March 2026.'],
      '2026-03-12',
    ],
    ['Abwesenheitsnotiz', ['', 'Ich bin bis zum 16.03.2026 nicht im Büro.'], '2026-03-16'],
    ['Réponse automatique : Bonjour', ['', "Je suis absente jusqu'au 20 mars."], '2026-03-20'],
    ['Respuesta automática: hola', ['', 'Estaré fuera hasta el 9 de abril de 2026.'], '2026-04-09'],
    ['Risposta automatica', ['', 'Sono in ferie fino al 15/03/2026.'], '2026-03-15'],
    ['Hello', ['X-Autoreply: yes', '', 'Back on Monday.'], '2026-03-09'],
    ['Hello', ['Precedence: auto_reply', '', 'Thanks.'], null],
  ] as const)('%s is automatic', (subject, lines, awayUntil) => {
    expect(from('ada@example.net', subject, ...lines)).toMatchObject({ kind: 'auto_reply', bounces: [], awayUntil })
  })

  test("a person's answer to an automatic reply is a reply, even with X-Auto-Response-Suppress", () => {
    expect(
      from(
        'ada@example.net',
        'Re: Automatic reply: Hello',
        'In-Reply-To: <a@b.test>',
        'X-Auto-Response-Suppress: OOF',
        '',
        'Sure.',
      ).kind,
    ).toBe('reply')
    expect(from('ada@example.net', 'Re: Hello', 'Auto-Submitted: no', '', 'Sure.').kind).toBe('reply')
  })
})

describe('opt-outs', () => {
  test.each([
    'Unsubscribe',
    'STOP',
    'Please remove me from your list.',
    'Hi,\nplease take me off your mailing list.\nThanks',
    "Don't email me again.",
    'Stop emailing me!',
    'Bitte löschen Sie mich aus Ihrem Verteiler.',
    'Bitte keine weiteren E-Mails mehr.',
    'Abmelden',
    'Merci de me désinscrire de votre liste',
    'Désinscription',
    'Por favor, denme de baja.',
    'No me escriban más.',
    'Rimuovetemi dalla vostra lista',
    'Não quero mais receber e-mails',
    'Graag uitschrijven',
    'Kunt u mij uitschrijven aub?',
    'Proszę mnie wypisać z listy',
    'Proszę o usunięcie mojego adresu',
    'Отпишите меня, пожалуйста',
    '配信停止',
    '退订',
  ])('%s', (words) => {
    expect(
      from(
        'ada@example.net',
        'Re: Hello',
        'In-Reply-To: <out@example.com>',
        'Content-Type: text/plain; charset=utf-8',
        '',
        words,
      ).kind,
    ).toBe('unsubscribe')
  })

  test.each([
    'Our customers unsubscribe too often. Can you help?',
    'Please stop by our booth at the fair.',
    "Don't remove me from the list, I like it.",
    'Not interested, thanks.',
    'Please remove me from this thread and talk to Bob instead.',
    'We do not email our users at all. How would this work?',
    'Yes, sounds good.\n\n> Reply STOP to unsubscribe',
    'Fine with me.\n\nOn Mon, 2 Mar 2026 at 09:00, Sender <sender@example.com> wrote:\n> Unsubscribe',
  ])('no opt-out in: %s', (words) => {
    expect(from('ada@example.net', 'Re: Hello', 'In-Reply-To: <out@example.com>', '', words).kind).toBe('reply')
  })
})

describe('any bytes', () => {
  test('never make it throw', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 2_000 }), (bytes) => void inspectMessage(bytes)),
      { numRuns: 100 },
    )
    const pieces = fc.constantFrom(
      'Content-Type: multipart/mixed; boundary=a',
      '--a',
      '--a--',
      '',
      'From: x',
      'From: <>',
      '=?utf-8?b?/w==?=',
      'Final-Recipient: ;',
      '\u0000',
      'On 1 wrote:',
      '> x',
      'Status: 5',
      'Content-Transfer-Encoding: base64',
      '=ZZ',
      'Subject: failure notice',
    )
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 40 }), (lines) => void inspectMessage(Buffer.from(lines.join('\n')))),
      { numRuns: 200 },
    )
  })

  const nested = Array.from(
    { length: 900 },
    (_, level) => `Content-Type: multipart/mixed; boundary=b${level}\n\n--b${level}`,
  ).join('\n')
  test.each([
    ['nothing', '', 'empty'],
    ['900 levels', nested, 'too_deep'],
    ['30,000 parts', `Content-Type: multipart/mixed; boundary=b\n\n${'--b\n\nx\n'.repeat(30_000)}`, 'too_many_parts'],
    ['a header of 4 MiB', `Subject: ${'x'.repeat(4 * 1024 * 1024)}\n\nHi`, 'header_too_large'],
    ['many headers', `${'X-A: b\n'.repeat(300_000)}\n\nHi`, 'header_too_large'],
    ['very many addresses', `To: ${'a@b.test,'.repeat(20_000)}\n\nHi`, 'too_many_addresses'],
    [
      'very many failed recipients',
      `From: MAILER-DAEMON@b.test\nSubject: failure notice\nX-Failed-Recipients: ${'a@b.test,'.repeat(20_000)}\n\nHi`,
      'too_many_addresses',
    ],
  ])('%s is set aside with a reason', (_, raw, reason) => {
    expect(inspectMessage(Buffer.from(raw))).toMatchObject({ kind: 'other', setAside: reason })
  })
})

test.each([
  ['windows-1252', 'don=92t'],
  ['iso-8859-1', 'don=92t'],
  ['utf-8', 'don=E2=80=99t'],
])('an opt-out with a typographic apostrophe is recognised in %s', (charset, word) => {
  const reading = from(
    'ada@example.net',
    'Re: Hello',
    `Content-Type: text/plain; charset=${charset}`,
    'Content-Transfer-Encoding: quoted-printable',
    '',
    `Please ${word} contact me again.`,
  )
  expect([reading.kind, reading.reply?.text]).toEqual(['unsubscribe', 'Please don’t contact me again.'])
})
