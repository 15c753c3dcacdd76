import fc from 'fast-check'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { contactedLead, type ContactedLead } from '@overture/testing/inbox/contacted-lead.ts'
import { campaignTools } from '@overture/testing/campaign-tools.ts'
import { startTestServer, type TestServer } from '@overture/testing/server.ts'
import { campaignRoutes } from '../../campaigns/index.ts'
import { calendarHook } from '../../meetings/index.ts'
import { sendingAccountsRoutes } from '../../sending-accounts/index.ts'
import { receiveMessage } from './receive.commands.ts'

// Each test stores hundreds of mails.
vi.setConfig({ testTimeout: 300_000 })

let server: TestServer
let senderId: string
let lead: ContactedLead
const now = new Date('2026-03-02T09:00:00.000Z')

beforeAll(async () => {
  server = await startTestServer({
    routes: () => [...campaignRoutes(campaignTools), ...sendingAccountsRoutes()],
  })
  const sender = { email: 'sender@example.com', fromName: 'Sender', provider: 'sandbox' }
  senderId = (await server.call('POST', '/v2/sending-accounts', { key: server.keys.test, body: sender })).body.id
  lead = await contactedLead(server, { senderId, now })
})
afterAll(() => server.stop())

let uid = 0
const receive = (text: string, encoding: 'utf8' | 'latin1') =>
  receiveMessage(
    server.app,
    server.testTenant,
    {
      sendingAccountId: senderId,
      raw: Buffer.from(text, encoding),
      folder: 'INBOX',
      junk: false,
      uid: ++uid,
      receivedAt: now,
      now,
    },
    { calendar: calendarHook(server.app) },
  )

/** Headers of more than 256 KiB are set aside, and a header may contain a text four times. */
const lengthMax = 8_000

/** Parts that a database may reject in a text, in JSON or in an index: NUL, half a surrogate pair in any encoding, and length. */
const bad = fc
  .array(
    fc.constantFrom(
      '\u0000',
      '\ud83d',
      '\ude00',
      '😀',
      '\u001f',
      'ä',
      'x',
      '=00',
      '=ED=A0=BD',
      '=?utf-16be?q?=D8=3D?=',
      '=?utf-8?b?AAAA?=',
      '&#0;',
      '&#xD83D;',
      '\\u0000',
    ),
    { minLength: 1, maxLength: 6 },
  )
  .chain((pieces) => fc.constantFrom(1, 3, 700).map((times) => pieces.join('').repeat(times).slice(0, lengthMax)))
const headers = [
  'From',
  'To',
  'Cc',
  'Subject',
  'Message-ID',
  'In-Reply-To',
  'References',
  'X-Failed-Recipients',
  'Date',
]
const place = fc.oneof(
  ...headers.map((name) => bad.map((value) => [`${name}: ${value}`])),
  ...headers.map((name) => bad.map((value) => [`${name}: "${value}" <${value}@${value}.test>, <${value}>`])),
)
const body = fc.oneof(
  bad.map((text) => ['', `Yes.\r\n${text}\r\n-- \r\n${text}\r\n> ${text}`]),
  bad.map((text) => ['Content-Type: text/html', '', `<p title="${text}">Yes. ${text}</p>`]),
  bad.map((text) => ['Content-Transfer-Encoding: quoted-printable', '', `Yes. ${text}`]),
  bad.map((text) => ['Content-Type: text/plain; charset=utf-16', '', `Yes. ${text}`]),
  fc
    .tuple(bad, fc.constantFrom('UID', 'SUMMARY', 'LOCATION', 'ATTENDEE', 'ORGANIZER', 'SEQUENCE', 'DTEND', 'DURATION'))
    .map(([text, name]) => [
      'Content-Type: multipart/mixed; boundary=b',
      '',
      '--b\r\n\r\nYes.\r\n--b\r\nContent-Type: text/calendar; method=REQUEST\r\n',
      'BEGIN:VCALENDAR\r\nMETHOD:REQUEST\r\nBEGIN:VEVENT\r\nDTSTART:20300401T100000Z',
      `${name}:mailto:${text}\r\nATTENDEE;CN=${text}:mailto:${text}`,
      `UID:${text}\r\nEND:VEVENT\r\nEND:VCALENDAR`,
    ]),
)

test('a reply is stored, whatever its headers, text or invitation contain', async () => {
  const marks = fc.constantFrom('utf8' as const, 'latin1' as const)
  await fc.assert(
    fc.asyncProperty(fc.array(place, { maxLength: 3 }), body, marks, async (lines, text, encoding) => {
      const own = [`From: <${lead.email}>`, `In-Reply-To: ${lead.rfcMessageId}`, 'Subject: Re: Hello']
      const raw = [...own, ...lines.flat(), `X-Number: ${++uid}`, ...text].join('\r\n')
      expect(['stored', 'duplicate']).toContain((await receive(raw, encoding)).outcome)
    }),
    { numRuns: 200 },
  )
})

test('a report is stored, whatever its texts and recipients contain', async () => {
  await fc.assert(
    fc.asyncProperty(bad, bad, async (text, recipient) => {
      const raw = [
        'From: MAILER-DAEMON@mx.test',
        'Subject: Undelivered Mail',
        `X-Number: ${++uid}`,
        'Content-Type: multipart/report; report-type=delivery-status; boundary=b',
        '',
        `--b\r\n\r\nCould not be delivered. ${text}\r\n--b\r\nContent-Type: message/delivery-status\r\n`,
        `Reporting-MTA: dns; ${text}\r\n\r\nFinal-Recipient: rfc822; ${recipient}\r\nAction: delayed`,
        `Status: 4.2.2 ${text}\r\nDiagnostic-Code: smtp; 452 4.2.2 ${text}\r\n`,
        `--b\r\nContent-Type: text/rfc822-headers\r\n\r\nMessage-ID: ${lead.rfcMessageId}\r\nSubject: ${text}\r\n--b--`,
      ].join('\r\n')
      expect(['stored', 'duplicate']).toContain((await receive(raw, 'utf8')).outcome)
    }),
    { numRuns: 100 },
  )
})
