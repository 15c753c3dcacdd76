const mib = 1024 * 1024

const nested = Array.from(
  { length: 900 },
  (_, level) => `Content-Type: multipart/mixed; boundary=b${level}\n\n--b${level}`,
).join('\n')
const parts = `Content-Type: multipart/mixed; boundary=b\n\n${'--b\nContent-Type: text/plain\n\nx\n'.repeat(30_000)}--b--`
const report = 'From: mailer-daemon@mx.test\nSubject: failure notice\n'
const person = 'From: ada@there.test\nSubject: Re: Hello\nIn-Reply-To: <a@example.com>\n'

/**
 * Messages that are expensive to read without limits, each with the reason why it is set aside. The reason is null if the message is
 * read.
 */
export const costlyMessages: [name: string, make: () => string, setAside: string | null][] = [
  ['900 levels', () => nested, 'too_deep'],
  ['900 levels of enclosed messages', () => 'Content-Type: message/rfc822\n\n'.repeat(900), 'too_deep'],
  ['30,000 parts', () => parts, 'too_many_parts'],
  ['a header of 4 MiB', () => `Subject: ${'x'.repeat(4 * mib)}\n\nHi`, 'header_too_large'],
  ['4 MiB of headers', () => `${'X-A: b\n'.repeat(600_000)}\n\nHi`, 'header_too_large'],
  [
    '250,000 addresses',
    () => `To: ${Array.from({ length: 250_000 }, (_, at) => `a${at}@b.test`).join(', ')}\n\nHi`,
    'header_too_large',
  ],
  [
    '250,000 addresses in folded headers',
    () => `${`To: ${'a@b.test,\n '.repeat(25_000)}x@b.test\n`.repeat(10)}\nHi`,
    'header_too_large',
  ],
  [
    '250,000 addresses in a report',
    () => `${report}\n${'<user@there.test>: 550 user unknown\n'.repeat(250_000)}`,
    null,
  ],
  ['20 MiB of text', () => `${person}\n${'lorem ipsum dolor\n'.repeat((20 * mib) / 18)}`, null],
  ['one line of 20 MiB', () => `${person}\n${'lorem '.repeat((20 * mib) / 6)}`, null],
  [
    '20 MiB of base64',
    () =>
      `${person}Content-Type: application/pdf\nContent-Transfer-Encoding: base64\n\n${`${'QUJD'.repeat(19)}\n`.repeat((20 * mib) / 77)}`,
    null,
  ],
  ['10 MiB of nested tags', () => `${person}Content-Type: text/html\n\n${'<div><b>'.repeat((10 * mib) / 8)}`, null],
  ['10 MiB of open tags', () => `${person}Content-Type: text/html\n\n${'<a href="x" '.repeat((10 * mib) / 12)}`, null],
  [
    '400,000 lines that may begin an attribution',
    () => `${person}\n${'On 2 March 2026 at 09:00 Ada <ada@there.test>\n'.repeat(400_000)}`,
    null,
  ],
  [
    'dates without end',
    () => `${person}Auto-Submitted: auto-replied\n\n${'back until 3/4 or bis 5. März '.repeat(300_000)}`,
    null,
  ],
  [
    'opt-outs without end',
    () => `${person}\n${'please do not stop sending the remove me from '.repeat(200_000)}`,
    null,
  ],
]
