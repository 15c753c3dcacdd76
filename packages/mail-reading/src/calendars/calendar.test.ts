import { describe, expect, test } from 'vitest'
import { readCalendar } from './calendar.ts'
import { writeCalendarFile, type Invitation } from './invitation.ts'

const invitation: Invitation = {
  method: 'REQUEST',
  uid: 'mtg_1@overture',
  sequence: 2,
  title: 'Réunion; "A, B"\r\nATTENDEE:mailto:evil@example.com ' + 'é'.repeat(120),
  startAt: new Date('2026-03-03T09:00:00Z'),
  endAt: new Date('2026-03-03T09:30:00Z'),
  timezone: 'Europe/Berlin',
  joinUrl: 'https://meet.example.com/abc',
  manageUrl: 'https://example.com/book/x/y',
  organizer: { email: 'sender@example.com', name: 'Ann "The" Host\r\nX-EVIL:1' },
  attendees: [{ email: 'lead@example.com', name: 'Lead, One', status: 'accepted' }],
  stamp: new Date('2026-03-01T00:00:00Z'),
}

describe('invitations', () => {
  test('are read as they were written, including special characters', () => {
    const content = writeCalendarFile(invitation)
    for (const line of content.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75)
    expect(readCalendar([{ contentType: 'text/calendar; method=REQUEST', text: content }])).toEqual({
      method: 'REQUEST',
      uid: 'mtg_1@overture',
      sequence: 2,
      title: invitation.title.replace('\r\n', '\n').slice(0, 300),
      startAt: invitation.startAt,
      endAt: invitation.endAt,
      timezone: 'UTC',
      joinUrl: 'https://meet.example.com/abc',
      organizer: 'sender@example.com',
      attendees: [{ email: 'lead@example.com', name: 'Lead, One', status: 'accepted' }],
    })
    expect(content.split('\r\n').filter((line) => /^(ATTENDEE|X-EVIL)/.test(line))).toHaveLength(1)
  })

  test('a cancellation is read as one', () => {
    const content = writeCalendarFile({ ...invitation, method: 'CANCEL' })
    expect(content).toContain('STATUS:CANCELLED')
    expect(readCalendar([{ contentType: 'text/calendar', text: content }])?.method).toBe('CANCEL')
  })
})

const reply = `BEGIN:VCALENDAR
PRODID:-//Google Inc//Google Calendar 70.9054//EN
VERSION:2.0
METHOD:REPLY
BEGIN:VTIMEZONE
TZID:W. Europe Standard Time
BEGIN:STANDARD
DTSTART:16010101T030000
TZOFFSETFROM:+0200
TZOFFSETTO:+0100
RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10
END:STANDARD
BEGIN:DAYLIGHT
DTSTART:16010101T020000
TZOFFSETFROM:+0100
TZOFFSETTO:+0200
RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3
END:DAYLIGHT
END:VTIMEZONE
BEGIN:VEVENT
DTSTART;TZID=W. Europe Standard Time:20260401T100000
DURATION:PT45M
UID:abc@google.com
ORGANIZER;CN=Sender:mailto:sender@example.com
ATTENDEE;PARTSTAT=DECLINED;CN=Lead One:MAILTO:Lead@Example.com
SUMMARY:Declined: Call
END:VEVENT
END:VCALENDAR`.replaceAll('\n', '\r\n')

describe('calendar parts of messages', () => {
  test('are read with their own time zones and durations', () => {
    expect(
      readCalendar([
        { contentType: 'text/plain', text: 'no' },
        { contentType: 'Text/Calendar; method=REPLY', text: reply },
      ]),
    ).toMatchObject({
      method: 'REPLY',
      startAt: new Date('2026-04-01T08:00:00Z'),
      endAt: new Date('2026-04-01T08:45:00Z'),
      attendees: [{ email: 'lead@example.com', name: 'Lead One', status: 'declined' }],
    })
  })

  test.each([
    '',
    'BEGIN:VCALENDAR',
    'BEGIN:VCALENDAR\r\nEND:VCALENDAR',
    reply.replace('METHOD:REPLY', 'METHOD:PUBLISH'),
    reply.replace('UID:abc@google.com', 'X:1'),
    'BEGIN:VCALENDAR\r\nMETHOD:REQUEST\r\nBEGIN:VEVENT\r\nUID:1\r\nDTSTART:never\r\nEND:VEVENT\r\nEND:VCALENDAR',
  ])('an unusable calendar part is null (%#)', (text) =>
    expect(readCalendar([{ contentType: 'text/calendar', text }])).toBeNull(),
  )
})
