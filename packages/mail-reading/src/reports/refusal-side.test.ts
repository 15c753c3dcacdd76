import { describe, expect, test } from 'vitest'
import { inspectMessage } from '../classify/inspect.ts'
import { readReports } from '@overture/testing/inbox/mail-samples.ts'
import { refusalForms } from '@overture/testing/inbox/refusal-forms.ts'

/** "Not found" in each of these forms. The named party decides the type, unless the message's text was already sent. */
const to = 'ada@there.test'
const afterTheText = ['data', 'exim-data', 'qmail-data', 'sendmail-dot']
const forms = Object.keys(refusalForms).filter((form) => !['none', 'exim-none', ...afterTheText].includes(form))
const ofHello = ['connect', 'helo', 'mail', 'qmail-mail']

const whoseName: readonly [string, string][] = [
  ['our host', 'mail.example.com'],
  ['our domain', 'example.com'],
  ['our address', '<sender@example.com>'],
]
const notFound = ['not found', 'unknown', 'does not exist', 'no such host or domain', 'is invalid']

function typeOf(form: string, answer: string): string {
  const status = /[45]\.\d{1,3}\.\d{1,3}/.exec(answer)?.[0] ?? '5.0.0'
  const report = ['=== x | x', ...refusalForms[form]!({ to, answer, status })].join('\n')
  return inspectMessage(readReports(report)[0]!.raw)
    .bounces.map((one) => one.type)
    .join()
}

describe('the side that a refusal names', () => {
  test.each(forms)('a refusal that names the sender is a block, reported as %s', (form) => {
    const answers = whoseName.flatMap(([, name]) => notFound.map((words) => `550 Sender ${name}: ${words}`))
    expect(answers.filter((answer) => typeOf(form, answer) !== 'block')).toEqual([])
  })

  test.each(forms)('our own domain not found is a block, reported as %s', (form) => {
    const answers = [
      '550 host not found: mail.example.com',
      '550 unknown host mail.example.com',
      '550 no such domain: example.com',
      '550 domain example.com does not exist',
    ]
    expect(answers.filter((answer) => typeOf(form, answer) !== 'block')).toEqual([])
  })

  test.each(forms.filter((form) => !ofHello.includes(form)))(
    "the recipient's domain not found is hard, reported as %s",
    (form) => {
      const answers = [
        '550 unknown domain there.test',
        '550 no such domain: there.test',
        '550 domain there.test not found',
      ]
      expect(answers.filter((answer) => typeOf(form, answer) !== 'hard')).toEqual([])
    },
  )

  test.each(forms.filter((form) => !ofHello.includes(form)))('an unknown user is hard, reported as %s', (form) => {
    const nouns = ['user', 'recipient', 'mailbox', 'account', 'address', 'addressee', 'mail box']
    const answers = nouns.flatMap((noun) => [
      `550 unknown ${noun}`,
      `550 ${noun} unknown`,
      `550 no such ${noun} here`,
      `550 5.0.0 ${noun} not found`,
      `550 <${to}>: ${noun} does not exist`,
      `554 5.5.0 invalid ${noun}`,
    ])
    expect(answers.filter((answer) => typeOf(form, answer) !== 'hard')).toEqual([])
  })

  test.each(afterTheText)("an unknown user after the message's text was sent is a block, reported as %s", (form) => {
    expect(['550 unknown user', '550 no such mailbox here'].map((answer) => typeOf(form, answer))).toEqual([
      'block',
      'block',
    ])
  })

  test("a domain that only contains our domain's name is not ours", () => {
    expect(typeOf('gmail', '550 unknown domain notexample.com')).toBe('hard')
    expect(typeOf('gmail', '550 unknown domain example.com.other.test')).toBe('hard')
  })
})

/** A report on one recipient, with the answer of the server that refused the message. */
const reportWith = (answer: string, status: string): Buffer =>
  Buffer.from(
    [
      'From: MAILER-DAEMON@mx.example.com',
      'To: sender@example.com',
      'Subject: Undelivered Mail Returned to Sender',
      'Content-Type: multipart/report; report-type=delivery-status; boundary="b"',
      '',
      '--b',
      'Content-Type: message/delivery-status',
      '',
      'Reporting-MTA: dns; mx.example.com',
      '',
      `Final-Recipient: rfc822; ${to}`,
      'Action: failed',
      `Status: ${status}`,
      'Remote-MTA: dns; mx.there.test',
      `Diagnostic-Code: smtp; ${answer}`,
      '',
      '--b--',
      '',
    ].join('\r\n'),
  )

test.each([
  ['530 5.7.57 SMTP; Client was not authenticated to send anonymous mail during MAIL FROM', '5.7.57', null],
  ['550 5.7.30 Basic authentication is not supported', '5.7.30', null],
  ['550 5.1.8 Access denied, bad outbound sender AS(42004)', '5.1.8', 'block'],
])('a report of "%s" is not read as a refusal of our login', (answer, status, action) => {
  const [bounce] = inspectMessage(reportWith(answer, status)).bounces
  expect(bounce?.fault?.action ?? null).toBe(action)
})
