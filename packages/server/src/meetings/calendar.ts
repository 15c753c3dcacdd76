import ICAL from 'ical.js'
import type { Attendee } from '@overture/contract/meetings/meetings.ts'

/** A part of a message, decoded. */
export interface CalendarPart {
  contentType: string
  text: string
}

/** What a calendar part of a mail says (RFC 5546). */
export interface CalendarMessage {
  method: 'REQUEST' | 'REPLY' | 'CANCEL'
  uid: string
  sequence: number
  title: string
  startAt: Date
  endAt: Date
  timezone: string
  joinUrl: string | null
  organizer: string | null
  attendees: Attendee[]
}

const calendarLengthMax = 500_000
const defaultLengthMs = 30 * 60_000

/** The first invitation, answer or cancellation among a mail's parts; null when there is none that can be read. */
export function readCalendar(parts: readonly CalendarPart[]): CalendarMessage | null {
  for (const part of parts) {
    const type = part.contentType.toLowerCase()
    if (!type.startsWith('text/calendar') && !type.startsWith('application/ics')) continue
    if (part.text.length > calendarLengthMax) continue
    const read = readPart(part.text)
    if (read) return read
  }
  return null
}

function readPart(text: string): CalendarMessage | null {
  try {
    const calendar = new ICAL.Component(ICAL.parse(text) as unknown[])
    const component = calendar.getFirstSubcomponent('vevent')
    const method = methodOf(calendar)
    if (!component || !method) return null
    for (const zone of calendar.getAllSubcomponents('vtimezone')) ICAL.TimezoneService.register(zone)
    return readEvent(component, method)
  } catch {
    // Calendar parts come from strangers; one that can't be read says nothing.
    return null
  }
}

function methodOf(calendar: ICAL.Component): CalendarMessage['method'] | null {
  const method = String(calendar.getFirstPropertyValue('method') ?? '').toUpperCase()
  return method === 'REQUEST' || method === 'REPLY' || method === 'CANCEL' ? method : null
}

function readEvent(component: ICAL.Component, method: CalendarMessage['method']): CalendarMessage | null {
  const event = new ICAL.Event(component)
  if (!event.uid || !event.startDate) return null
  const startAt = event.startDate.toJSDate()
  const end = component.hasProperty('dtend') || component.hasProperty('duration') ? event.endDate.toJSDate() : null
  const endAt = end !== null && end > startAt ? end : new Date(startAt.getTime() + defaultLengthMs)
  if (Number.isNaN(startAt.getTime()) || Number.isNaN(endAt.getTime())) return null
  const cancelled = String(component.getFirstPropertyValue('status') ?? '').toUpperCase() === 'CANCELLED'
  return {
    method: method === 'REQUEST' && cancelled ? 'CANCEL' : method,
    uid: event.uid,
    sequence: event.sequence || 0,
    title: (event.summary || 'Meeting').slice(0, 300),
    startAt,
    endAt,
    timezone: zoneOf(event),
    joinUrl: joinUrlOf(component, event),
    organizer: addressOf(component.getFirstProperty('organizer')),
    attendees: component.getAllProperties('attendee').flatMap(attendeeOf),
  }
}

function zoneOf(event: ICAL.Event): string {
  const name = event.startDate.zone?.tzid ?? 'UTC'
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return name
  } catch {
    return 'UTC'
  }
}

const urlPattern = /https?:\/\/[^\s<>"\\]+/

function joinUrlOf(component: ICAL.Component, event: ICAL.Event): string | null {
  const conference = ['x-google-conference', 'x-microsoft-skypeteamsmeetingurl', 'conference']
  const texts = [
    ...conference.map((name) => component.getFirstPropertyValue(name)),
    event.location,
    component.getFirstPropertyValue('url'),
  ]
  for (const text of texts) {
    const found = urlPattern.exec(String(text ?? ''))
    if (found) return found[0].slice(0, 2000)
  }
  return null
}

function attendeeOf(property: ICAL.Property): Attendee[] {
  const email = addressOf(property)
  if (email === null) return []
  const name = property.getFirstParameter('cn') as string | undefined
  return [
    {
      email,
      name: name ? name.slice(0, 200) : null,
      status: statusOf(String(property.getFirstParameter('partstat') ?? '')),
    },
  ]
}

function addressOf(property: ICAL.Property | null): string | null {
  const value = String(property?.getFirstValue() ?? '')
  return /^mailto:/i.test(value) ? value.slice(7).trim().toLowerCase() : null
}

function statusOf(partstat: string): Attendee['status'] {
  switch (partstat.toUpperCase()) {
    case 'ACCEPTED':
      return 'accepted'
    case 'DECLINED':
      return 'declined'
    case 'TENTATIVE':
      return 'tentative'
    default:
      return 'needs_action'
  }
}
