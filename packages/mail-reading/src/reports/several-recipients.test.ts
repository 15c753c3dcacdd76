import fc from 'fast-check'
import { expect, test } from 'vitest'
import { inspectMessage } from '../classify/inspect.ts'
import { readReports } from '@overture/testing/inbox/mail-samples.ts'

/** Free-text reports about several recipients: each recipient has its own reason and status, however the report is laid out. */
interface Failed {
  address: string
  answer: string
  type: string
  status: string
}

const kinds: readonly Omit<Failed, 'address'>[] = [
  { answer: '550 5.1.1 Unknown user', type: 'hard', status: '5.1.1' },
  { answer: '552 5.2.2 Mailbox full', type: 'soft', status: '5.2.2' },
  { answer: '554 5.7.1 Refused as spam', type: 'block', status: '5.7.1' },
  { answer: '550 No such mailbox', type: 'hard', status: '5.1.1' },
  { answer: '552 Over quota', type: 'soft', status: '5.2.2' },
]

const several = fc
  .array(fc.tuple(fc.constantFrom(...kinds), fc.constantFrom('there.test', 'other.test', 'third.test')), {
    minLength: 2,
    maxLength: 6,
  })
  .map((picked) => picked.map(([kind, domain], at) => ({ ...kind, address: `person${at}@${domain}` })))

const eximBlock = (all: readonly Failed[]) =>
  all.flatMap((one) => [
    `  ${one.address}`,
    '    host mx.there.test [192.0.2.9]',
    `    SMTP error from remote mail server after RCPT TO:<${one.address}>:`,
    `    ${one.answer}`,
  ])
const exim = [
  'A message that you sent could not be delivered to one or more of its',
  'recipients. This is a permanent error. The following address(es) failed:',
  '',
]

const layouts: Readonly<Record<string, (all: readonly Failed[]) => string[]>> = {
  Exim: (all) => [...exim, ...eximBlock(all)],
  'Exim, everything twice, in Russian first': (all) => [
    'Ваше сообщение не удалось доставить следующим получателям:',
    '',
    ...eximBlock(all),
    '',
    ...exim,
    ...eximBlock(all),
  ],
  'Exim, everything twice, in German last': (all) => [
    ...exim,
    ...eximBlock(all),
    '',
    'Ihre Nachricht konnte nicht zugestellt werden:',
    '',
    ...eximBlock(all),
  ],
  'a line each': (all) => ['Not delivered to:', '', ...all.map((one) => `${one.address} ${one.answer}`)],
  'a line each, with a dash': (all) => [
    'Delivery failed for:',
    '',
    ...all.map((one) => `${one.address} - ${one.answer}`),
  ],
  'a line each, with words and a code': (all) => [
    'Not delivered to:',
    ...all.map((one) => `${one.address} Not Delivered, ERROR_CODE :${one.answer}`),
  ],
  'a line each, the answer first': (all) => ['Not delivered:', ...all.map((one) => `${one.answer}: <${one.address}>`)],
  'a table': (all) => ['Recipient    Answer', ...all.map((one) => `${one.address}    ${one.answer}`)],
  'a paragraph each': (all) => all.flatMap((one) => [`<${one.address}>:`, one.answer, '']),
  'a paragraph each, the address in a line of its own': (all) =>
    all.flatMap((one) => [one.address, '', one.answer, '']),
  qmail: (all) => [
    'Hi. This is the qmail-send program at mx.example.com.',
    "I'm afraid I wasn't able to deliver your message to the following addresses.",
    '',
    ...all.flatMap((one) => [
      `<${one.address}>:`,
      '192.0.2.9 does not like recipient.',
      `Remote host said: ${one.answer}`,
      'Giving up on 192.0.2.9.',
      '',
    ]),
  ],
  sendmail: (all) => [
    '   ----- The following addresses had permanent fatal errors -----',
    ...all.map((one) => `<${one.address}>`),
    '',
    '   ----- Transcript of session follows -----',
    ...all.flatMap((one) => [
      '... while talking to mx.there.test.:',
      `>>> RCPT To:<${one.address}>`,
      `<<< ${one.answer}`,
    ]),
  ],
  'old Exchange with X.400 addresses': (all) => [
    'Your message',
    '',
    '  To:      list@example.com',
    '  Subject: Hello',
    '',
    'did not reach the following recipient(s):',
    '',
    ...all.flatMap((one) => [
      `c=US;a= ;p=There;o=Site;dda:SMTP=${one.address}; on Mon, 2 Mar 2026 09:00:05`,
      `    ${one.answer}`,
      '    MSEXCH:IMS:There:Site:MX 0 (000C05A6)',
      '',
    ]),
  ],
}

test.each(Object.keys(layouts))('each recipient has its own reason and status: %s', (layout) => {
  fc.assert(
    fc.property(several, (all) => {
      const report = [
        '=== x | x',
        'F: Mail Delivery System <MAILER-DAEMON@mx.example.com>',
        'S: Undelivered mail',
        ...layouts[layout]!(all),
      ]
      const { kind, bounces } = inspectMessage(readReports(report.join('\n'))[0]!.raw)
      expect(kind).toBe('bounce')
      expect(bounces.map(({ recipient, type, status }) => ({ recipient, type, status }))).toEqual(
        all.map(({ address, type, status }) => ({ recipient: address, type, status })),
      )
    }),
    { numRuns: 40 },
  )
})
