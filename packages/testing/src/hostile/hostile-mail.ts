import { seededRandom } from '@overture/ground/chance/seeded.ts'

/** Generators of hostile mail whose size grows with `size`. A mail server accepts each message. */
const kinds: readonly ((size: number) => { type: string; body: string })[] = [
  (size) => ({ type: 'text/html', body: '<'.repeat(size) }),
  (size) => ({ type: 'text/html', body: '<div>'.repeat(size / 5) }),
  (size) => ({ type: 'text/html', body: '<!--'.repeat(size / 4) }),
  (size) => ({ type: 'text/html', body: '&#x'.repeat(size / 3) }),
  (size) => ({ type: 'text/html', body: '<a href="'.repeat(size / 9) }),
  (size) => ({ type: 'text/plain', body: '-- \n'.repeat(size / 4) }),
  (size) => ({ type: 'text/plain', body: '>'.repeat(size) }),
  (size) => ({ type: 'text/plain', body: 'On Monday, Ada wrote:\n'.repeat(size / 22) }),
  (size) => ({ type: 'text/plain', body: '\r\n'.repeat(size / 2) }),
  (size) => ({ type: 'multipart/mixed; boundary=b', body: '--b\r\n'.repeat(size / 5) }),
  (size) => ({ type: 'multipart/report; report-type=delivery-status; boundary=b', body: report(size) }),
  () => ({ type: 'text/calendar; method=REQUEST', body: calendar('SECONDLY') }),
  () => ({ type: 'text/calendar; method=REQUEST', body: calendar('MINUTELY') }),
  (size) => ({ type: 'text/calendar; method=REQUEST', body: 'BEGIN:VEVENT\r\n'.repeat(size / 14) }),
]

/** The `index`-th hostile message for a mailbox, the same at every call. It is a reply to our own message if `inReplyTo` is given. */
export function hostileMail(index: number, to: string, inReplyTo: string | null): string {
  const random = seededRandom(`mail ${index}`)
  const kind = kinds[index % kinds.length] ?? kinds[0]!
  const { type, body } = kind(1_000 + Math.floor(random() * 400_000))
  return [
    `From: Mallory <mallory${index}@hostile.test>`,
    `To: ${to}`,
    `Subject: ${'=?utf-8?Q?=00?= '.repeat(1 + Math.floor(random() * 200))}`,
    `Message-ID: <hostile-${index}@hostile.test>`,
    ...(inReplyTo === null ? [] : [`In-Reply-To: ${inReplyTo}`, `References: ${`${inReplyTo} `.repeat(50).trim()}`]),
    'MIME-Version: 1.0',
    `Content-Type: ${type}`,
    '',
    body,
    '',
  ].join('\r\n')
}

function report(size: number): string {
  return `--b\r\nContent-Type: message/delivery-status\r\n\r\n${'Final-Recipient: rfc822; a@b.test\r\n\r\n'.repeat(size / 36)}--b--`
}

function calendar(frequency: string): string {
  return [
    'BEGIN:VCALENDAR',
    'METHOD:REQUEST',
    'BEGIN:VTIMEZONE',
    'TZID:X',
    'BEGIN:STANDARD',
    'DTSTART:20260301T000000',
    'TZOFFSETFROM:+0200',
    'TZOFFSETTO:+0100',
    `RRULE:FREQ=${frequency}`,
    'END:STANDARD',
    'END:VTIMEZONE',
    'BEGIN:VEVENT',
    'UID:1',
    'DTSTART;TZID=X:20260401T100000',
    'DTEND;TZID=X:20260401T110000',
    'ATTENDEE:mailto:ada@sender.test',
    'END:VEVENT',
    'END:VCALENDAR',
  ].join('\r\n')
}
