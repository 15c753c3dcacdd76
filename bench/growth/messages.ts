import { readMessage } from '@overture/mail-reading/reading/read-message.ts'
import { measureGrowth, type Grown } from './growth.ts'

/** Pieces that are repeated in a message: every mark that one of the readers searches for. */
const tokens = {
  html: [
    '<',
    '>',
    '&',
    '&#',
    '<div>',
    '</div>',
    '<div ',
    '<!--',
    '<blockquote>',
    'x<td>',
    '<li>',
    '<pre>\n',
    '<script>',
    '</script',
    '<div class="gmail_quote">',
    '<p class="gmail_attr">',
    '<div id="divRplyFwdMsg">',
  ],
  quotes: [
    '-- \n',
    '--\n',
    '\n-- \n',
    '> ',
    '> \n',
    '> a\n\n',
    '| a\n',
    'On Mon, 2 Mar 2026 at 09:00, A <a@example.com> wrote:\n',
    '\n> On 2 Mar 2026, A <a@example.com> wrote:\n',
    'On 3 May 2026 Bob wrote:\na\n',
    'On 3 May ',
    'wrote:\n',
    '-----Original Message-----\n',
    '________________________________\n',
    'From: a@example.com\n',
    'Sent from my iPhone\n',
  ],
  structure: [
    '--boundary\n',
    '--boundary--\n',
    '--boundaryx\n',
    'Content-Type: text/plain\n\n',
    'Content-Type: message/rfc822\n',
    'X-Folded: a\n b\n',
    '=?',
    '=?utf-8?q?a?=',
    '=?utf-8?b?',
    ';a=b',
    ';a*0=b',
    '"',
    '\\"',
    '(',
    '()',
    '<a@b.test> ',
    'a@b.test, ',
    '@',
    '=\n',
    '=3D',
    '\r',
    '\r\r\n',
    '\u001b$B',
    '\u0000',
    '\u00e4',
  ],
  reports: [
    'Final-Recipient: rfc822; a@b.test\n',
    'Diagnostic-Code: smtp; 550 no\n',
    'Action: failed\n\n',
    '550 5.1.1 ',
    '5.1.1',
    '<<< 550 ',
    '>>> RCPT\n',
    '<a@b.test>: user unknown\n',
    'was not delivered ',
    '{"notificationType":',
    'Message-ID: <a@b.test>\n',
  ],
  words: [
    'a ',
    '\n',
    ' \n',
    '1',
    '12:00 ',
    '2026-03-02 ',
    'until 2 March ',
    'back ',
    '3月5日',
    'unsubscribe ',
    'please remove me from ',
    'do not ',
    'i am out of ',
    'thank you for your message ',
    'a'.repeat(60),
    '日本',
    '🎉',
  ],
  files: [
    '--boundary\nContent-Disposition: attachment; filename=a\n\n',
    "; filename*0*=''%41",
    '../',
    '=41=\n',
    'QUJD\n',
  ],
  calendars: [
    'BEGIN:VEVENT\n',
    'BEGIN:VTIMEZONE\n',
    'ATTENDEE:mailto:a@b.test\n',
    'ATTENDEE',
    ' \n ',
    ';CN=',
    'EXDATE:1,',
  ],
}

const person = 'From: Ada <ada@there.test>\nSubject: Re: Hello\nDate: Mon, 2 Mar 2026 09:00:00 +0000\n'
const daemon = 'From: MAILER-DAEMON@there.test\nSubject: failure notice\n'
const report = `${daemon}Content-Type: multipart/report; report-type=delivery-status; boundary=boundary\n\n--boundary\n\nfailed `
const status = 'Reporting-MTA: dns; x\n\nFinal-Recipient: rfc822; a@there.test\nAction: failed\n'
const event = 'BEGIN:VCALENDAR\nMETHOD:REQUEST\nBEGIN:VEVENT\nUID:1\nDTSTART:20260401T100000Z\n'

/** The places in a message for the repeated piece. */
const places: Record<string, (repeated: string) => string> = {
  'in a text': (repeated) => `${person}In-Reply-To: <a@b.test>\n\nHello\n${repeated}\nBest, Ada`,
  'in a text from a stranger': (repeated) => `${person}\n${repeated}`,
  'below an attribution': (repeated) => `${person}\nOn Mon, 2 Mar 2026 at 09:00, A <a@b.test> wrote:\n> x\n${repeated}`,
  'in HTML': (repeated) => `${person}Content-Type: text/html\n\n<p>Hello</p>${repeated}`,
  'in preformatted HTML': (repeated) => `${person}Content-Type: text/html\n\n<pre>Hello${repeated}`,
  'in flowed text': (repeated) => `${person}Content-Type: text/plain; format=flowed; delsp=yes\n\n${repeated}`,
  'in quoted-printable': (repeated) => `${person}Content-Transfer-Encoding: quoted-printable\n\n${repeated}`,
  'in parts': (repeated) => `${person}Content-Type: multipart/mixed; boundary=boundary\n\n--boundary\n${repeated}`,
  'in what a server says': (repeated) => `${daemon}\nNot delivered to <a@there.test>:\n${repeated}`,
  'in a report': (repeated) => `${report}\n--boundary\nContent-Type: message/delivery-status\n\n${status}${repeated}`,
  "in a report's notice": (repeated) =>
    `${report}${repeated}\n--boundary\nContent-Type: message/delivery-status\n\n${status}${status}`,
  'in a returned message': (repeated) => `${report}\n--boundary\nContent-Type: message/rfc822\n\n${repeated}`,
  'in the name of a file': (repeated) =>
    `${person}Content-Disposition: attachment; filename="${repeated.replaceAll('\n', '\n ')}"\n\nHi`,
  'in a file': (repeated) =>
    `${person}Content-Disposition: attachment\nContent-Transfer-Encoding: base64\n\n${repeated}`,
  'in a calendar': (repeated) => `${person}Content-Type: text/calendar\n\n${event}${repeated}`,
  'in a line of a calendar': (repeated) => `${person}Content-Type: text/calendar\n\n${event}ATTENDEE;CN=${repeated}`,
  'among headers': (repeated) => `${person}${repeated}`,
  'in headers': (repeated) => {
    const value = repeated.replaceAll('\n', '\n ')
    const names = ['To', 'References', 'X-Failed-Recipients', 'Content-Type', 'Return-Path', 'Authentication-Results']
    return `${names.map((name) => `${name}: ${value}\n`).join('')}${daemon}\nHi`
  },
}

/** The kinds of marks that the reader searches for in each place. Other combinations are not measured here. */
const meant: Record<string, (keyof typeof tokens)[]> = {
  'in a text': ['quotes', 'structure', 'words', 'html'],
  'in a text from a stranger': ['quotes', 'words', 'reports'],
  'below an attribution': ['quotes', 'words'],
  'in HTML': ['html', 'quotes', 'structure', 'words'],
  'in preformatted HTML': ['html', 'quotes'],
  'in flowed text': ['quotes', 'words'],
  'in quoted-printable': ['structure'],
  'in parts': ['structure', 'reports', 'files'],
  'in what a server says': ['reports', 'structure', 'words', 'quotes'],
  'in a report': ['reports', 'structure', 'words'],
  "in a report's notice": ['reports', 'words'],
  'in a returned message': ['structure', 'reports'],
  'in the name of a file': ['files', 'structure', 'words'],
  'in a file': ['files', 'structure'],
  'in a calendar': ['calendars', 'structure'],
  'in a line of a calendar': ['calendars', 'structure', 'words'],
  'among headers': ['structure', 'reports'],
  'in headers': ['structure', 'words'],
}

const chars = 60_000

/** Each place of a message, filled with each token that the reader searches for there. */
export function* messageGrowth(): Generator<Grown> {
  for (const [name, kinds] of Object.entries(meant))
    for (const token of kinds.flatMap((kind) => tokens[kind])) {
      const raw = (times: number) => Buffer.from(places[name]!(token.repeat(Math.ceil(chars / token.length) * times)))
      yield { name: `${JSON.stringify(token)} ${name}`, times: measureGrowth(raw, readMessage) }
    }
}
