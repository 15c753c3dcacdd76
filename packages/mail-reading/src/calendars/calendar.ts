import { minuteMs } from '@overture/ground/time/spans.ts'
import { createHash } from 'node:crypto'
import type ICAL from 'ical.js'
import { invisibleCharacterIn } from '@overture/contract/addresses.ts'
import type { Attendee } from '@overture/contract/meetings/meetings.ts'
import type { CalendarEntry } from './invitation.ts'
import { foreignText } from '@overture/ground/text/foreign-text.ts'
import { readCalendarLines, type CalendarLines } from './calendar-lines.ts'
import {
  readEnd,
  first,
  parseInstant,
  isDay,
  latest,
  findParameter,
  parseProperties,
  propertyText,
  propertyValue,
} from './calendar-properties.ts'
import { resolveZone, type CalendarZone } from './calendar-zones.ts'

/** A decoded part of a message. */
interface CalendarPart {
  contentType: string
  text: string
}

/** The content of a calendar part of a mail (RFC 5546). */
export interface CalendarMessage extends CalendarEntry {
  method: 'REQUEST' | 'REPLY' | 'CANCEL'
  organizer: string | null
  attendees: Attendee[]
  /** The zone of the start is unknown. `startAt` and `endAt` are guesses and must not be used for a booking. */
  timeUnknown?: true
}

const calendarCharsMax = 500_000
/** The length of a meeting whose end is missing. */
const unknownLengthMs = 30 * minuteMs
/** UIDs are indexed, and an index entry may have at most 2,700 bytes. */
const uidCharsMax = 500
const titleCharsMax = 300
const urlCharsMax = 2_000
const addressCharsMax = 320
const nameCharsMax = 200
const attendeesMax = 200
/** The largest value of the database column. */
const sequenceMax = 2 ** 31 - 1

/**
 * Returns the first invitation, reply or cancellation in the parts of a mail, or null if none can be read. Parts come from
 * strangers, so no rule is expanded, and the result has a bounded size and can be stored.
 */
export function readCalendar(parts: readonly CalendarPart[]): CalendarMessage | null {
  for (const part of parts) {
    const type = part.contentType.toLowerCase()
    if (!type.startsWith('text/calendar') && !type.startsWith('application/ics')) continue
    if (part.text.length > calendarCharsMax) continue
    const read = readEvent(readCalendarLines(part.text))
    if (read) return read
  }
  return null
}

function readEvent(lines: CalendarLines): CalendarMessage | null {
  const calendar = parseProperties(lines.calendar)
  const event = parseProperties(lines.event)
  const method = readMethod(propertyText(calendar, 'method'), propertyText(event, 'status'))
  const uid = propertyText(event, 'uid')
  const fallback = propertyText(calendar, 'x-wr-timezone')
  const zoneOfProperty = (property: ICAL.Property) =>
    resolveZone(findParameter(property, 'tzid'), lines.zones, fallback === '' ? null : fallback)
  const start = first(event, 'dtstart')
  const startMs = start === undefined ? null : parseInstant(start, zoneOfProperty(start))
  if (method === null || uid === '' || start === undefined || startMs === null) return null
  const endMs = readEnd(event, { start, startMs, zoneOfProperty, unknownLengthMs })
  if (endMs > latest) return null
  return {
    method,
    uid: shortUid(uid),
    sequence: Math.min(sequenceMax, Math.max(0, Math.trunc(Number(propertyText(event, 'sequence')) || 0))),
    title: foreignText(propertyText(event, 'summary') || 'Meeting', titleCharsMax),
    startAt: new Date(startMs),
    endAt: new Date(endMs),
    timezone: zoneOfProperty(start).name,
    ...(isTimeKnown(start, zoneOfProperty(start)) ? {} : { timeUnknown: true as const }),
    joinUrl: findJoinUrl(event),
    organizer: readAddress(first(event, 'organizer')),
    attendees: event
      .filter(({ name }) => name === 'attendee')
      .slice(0, attendeesMax)
      .flatMap(readAttendee),
  }
}

function readMethod(method: string, status: string): CalendarMessage['method'] | null {
  const name = method.toUpperCase()
  if (name === 'REQUEST') return status.toUpperCase() === 'CANCELLED' ? 'CANCEL' : 'REQUEST'
  return name === 'REPLY' || name === 'CANCEL' ? name : null
}

// A cut UID could be equal to that of another meeting, so a long one is replaced by its hash.
function shortUid(uid: string): string {
  const clean = foreignText(uid, calendarCharsMax)
  if (clean.length <= uidCharsMax) return clean
  return `sha256:${createHash('sha256').update(clean).digest('hex')}`
}

/** A date needs no zone, and neither does a time in UTC. */
function isTimeKnown(start: ICAL.Property, zone: CalendarZone): boolean {
  return zone.known || isDay(start) || propertyValue(start).endsWith('Z')
}

const urlPattern = /https?:\/\/[^\s<>"\\]+/
const urlProperties = [
  'x-google-conference',
  'x-microsoft-skypeteamsmeetingurl',
  'conference',
  'location',
  'url',
] as const

function findJoinUrl(event: readonly ICAL.Property[]): string | null {
  for (const name of urlProperties) {
    const found = urlPattern.exec(propertyText(event, name))
    if (found) return foreignText(found[0], urlCharsMax)
  }
  return null
}

function readAttendee(property: ICAL.Property): Attendee[] {
  const email = readAddress(property)
  if (email === null) return []
  const name = findParameter(property, 'cn')
  return [
    {
      email,
      name: name ? foreignText(name, nameCharsMax) : null,
      status: toStatus(findParameter(property, 'partstat') ?? ''),
    },
  ]
}

function readAddress(property: ICAL.Property | undefined): string | null {
  const value = property === undefined ? '' : propertyValue(property)
  const address = foreignText(value.slice('mailto:'.length).trim().toLowerCase(), addressCharsMax + 1)
  if (!/^mailto:/i.test(value) || address === '' || address.length > addressCharsMax) return null
  return invisibleCharacterIn(address) === null ? address : null
}

function toStatus(partstat: string): Attendee['status'] {
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
