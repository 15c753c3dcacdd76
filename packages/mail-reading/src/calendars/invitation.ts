import type { Attendee } from '@overture/contract/meetings/meetings.ts'

/** The fields that every calendar entry of a meeting has, both received and sent. */
export interface CalendarEntry {
  uid: string
  sequence: number
  title: string
  startAt: Date
  endAt: Date
  timezone: string
  joinUrl: string | null
}

/** The input for an ICS file and its mail. */
export interface Invitation extends CalendarEntry {
  method: 'REQUEST' | 'CANCEL' | 'PUBLISH'
  manageUrl: string | null
  /** Null: a file for a person's own calendar, which invites no one. */
  organizer: { email: string; name: string } | null
  attendees: readonly Attendee[]
  stamp: Date
}

/** An iTIP message (RFC 5545, 5546) that Google, Microsoft and Apple calendars accept as an invitation or a cancellation. */
export function writeCalendarFile(invitation: Invitation): string {
  const cancelled = invitation.method === 'CANCEL'
  const lines = [
    'BEGIN:VCALENDAR',
    'PRODID:-//Overture//Meetings//EN',
    'VERSION:2.0',
    'CALSCALE:GREGORIAN',
    `METHOD:${invitation.method}`,
    'BEGIN:VEVENT',
    `UID:${invitation.uid}`,
    `SEQUENCE:${invitation.sequence}`,
    `DTSTAMP:${utc(invitation.stamp)}`,
    `DTSTART:${utc(invitation.startAt)}`,
    `DTEND:${utc(invitation.endAt)}`,
    `SUMMARY:${text(invitation.title)}`,
    ...(invitation.joinUrl ? [`LOCATION:${text(invitation.joinUrl)}`, `URL:${uri(invitation.joinUrl)}`] : []),
    ...(invitation.manageUrl ? [`DESCRIPTION:${text(`Move or cancel: ${invitation.manageUrl}`)}`] : []),
    ...(invitation.organizer ? [organizerLine(invitation.organizer)] : []),
    ...invitation.attendees.map(attendeeLine),
    `STATUS:${cancelled ? 'CANCELLED' : 'CONFIRMED'}`,
    'TRANSP:OPAQUE',
    'END:VEVENT',
    'END:VCALENDAR',
  ]
  return `${lines.map(fold).join('\r\n')}\r\n`
}

/** Formats a time as `Tuesday, 3 March 2026 at 10:00 (Europe/Berlin)`. */
export function formatMeetingTime(at: Date, timezone: string): string {
  const date = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeZone: timezone }).format(at)
  return `${date} at ${formatTime(at, timezone)} (${timezone})`
}

export function formatTime(at: Date, timezone: string): string {
  return new Intl.DateTimeFormat('en-GB', { timeStyle: 'short', timeZone: timezone }).format(at)
}

/** The offset in the form `GMT+10:30`. */
export function utcOffset(at: Date, timezone: string): string {
  const parts = new Intl.DateTimeFormat('en-GB', { timeZone: timezone, timeZoneName: 'longOffset' }).formatToParts(at)
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? 'GMT'
}

function organizerLine({ name, email }: { name: string; email: string }): string {
  return `ORGANIZER;CN=${parameter(name)}:mailto:${uri(email)}`
}

function attendeeLine(attendee: Attendee): string {
  const partstat = attendee.status.toUpperCase().replace('_', '-')
  const name = parameter(attendee.name ?? attendee.email)
  return `ATTENDEE;CUTYPE=INDIVIDUAL;ROLE=REQ-PARTICIPANT;PARTSTAT=${partstat};RSVP=TRUE;CN=${name}:mailto:${uri(attendee.email)}`
}

function utc(at: Date): string {
  return at
    .toISOString()
    .replace(/[-:]/g, '')
    .replace(/\.\d{3}/, '')
}

function text(value: string): string {
  return value
    .replace(/\\/g, '\\\\')
    .replace(/[;,]/g, (sign) => `\\${sign}`)
    .replace(/\r?\n|\r|\u2028|\u2029/g, '\\n')
}

// Line breaks and other control characters could otherwise begin a new property line.
function uri(value: string): string {
  return withoutControls(value).replace(/\s/g, '')
}

function parameter(value: string): string {
  return `"${withoutControls(value).replaceAll('"', "'")}"`
}

function withoutControls(value: string): string {
  return Array.from(value)
    .filter((sign) => sign >= ' ' && sign !== '\u007f' && sign !== '\u2028' && sign !== '\u2029')
    .join('')
}

// RFC 5545: 75 octets per line, never inside a character.
function fold(line: string): string {
  let folded = ''
  let octets = 0
  for (const sign of line) {
    const size = Buffer.byteLength(sign)
    if (octets + size > 74) {
      folded += '\r\n '
      octets = 1
    }
    folded += sign
    octets += size
  }
  return folded
}
