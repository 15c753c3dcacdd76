import { minuteMs } from '@overture/ground/time/spans.ts'
import { createHmac, timingSafeEqual } from 'node:crypto'
import { invisibleCharacterIn } from '@overture/contract/addresses.ts'
import type { Attendee } from '@overture/contract/meetings/meetings.ts'
import type { CalendarEntry } from '@overture/mail-reading/calendars/invitation.ts'
import { foreignText } from '@overture/ground/text/foreign-text.ts'

/** A meeting as an external calendar reports it. */
export interface ExternalMeeting extends CalendarEntry {
  kind: 'booked' | 'canceled' | 'no_show'
  source: 'cal_com' | 'calendly' | 'calendar_invite'
  /** The UID of the meeting that this one replaces. */
  previousUid: string | null
  attendees: Attendee[]
}

type Json = Record<string, unknown>

const toleranceMs = 5 * minuteMs
const titleLengthMax = 300

/** Cal.com sends a hex HMAC-SHA256 of the body in `X-Cal-Signature-256`. */
export function calComSignatureHolds(body: Buffer, header: string | null, secret: string): boolean {
  return (
    header !== null && sameText(header.replace(/^sha256=/, ''), createHmac('sha256', secret).update(body).digest('hex'))
  )
}

/** Calendly sends `t=…,v1=…`, a hex HMAC-SHA256 of `t.body`. It may be at most five minutes old. */
export function calendlySignatureHolds(
  body: Buffer,
  header: string | null,
  key: { secret: string; now: Date },
): boolean {
  const fields = new Map((header ?? '').split(',').map((part) => part.trim().split('=', 2) as [string, string]))
  const timestamp = fields.get('t') ?? ''
  const ageMs = Math.abs(key.now.getTime() - Number(timestamp) * 1000)
  if (!/^\d{1,12}$/.test(timestamp) || ageMs > toleranceMs) return false
  const expected = createHmac('sha256', key.secret).update(`${timestamp}.`).update(body).digest('hex')
  return sameText(fields.get('v1') ?? '', expected)
}

/** Null if the message is not about a meeting. */
export function readCalCom(body: unknown): ExternalMeeting | null {
  const kind = calComKinds[text(at(body, 'triggerEvent')) ?? '']
  const payload = at(body, 'payload')
  const uid = text(at(payload, 'uid')) ?? text(at(payload, 'bookingUid'))
  const span = readSpan(at(payload, 'startTime'), at(payload, 'endTime'))
  if (!kind || uid === null) return null
  if (span === null && kind !== 'no_show') return null
  const people = list(at(payload, 'attendees'))
  // The trigger for a no-show is also sent when the host withdraws the no-show.
  if (kind === 'no_show' && people.length > 0 && people.every((person) => at(person, 'noShow') === false)) return null
  return {
    kind,
    source: 'cal_com',
    uid: `cal_com ${uid}`,
    previousUid: prefixed('cal_com', text(at(payload, 'rescheduleUid'))),
    sequence: 0,
    title: foreignText(text(at(payload, 'title')) ?? 'Meeting', titleLengthMax),
    startAt: span?.startAt ?? new Date(0),
    endAt: span?.endAt ?? new Date(1),
    timezone: zoneOr(text(at(people[0], 'timeZone')), 'UTC'),
    joinUrl: readUrl(at(at(payload, 'metadata'), 'videoCallUrl')) ?? readUrl(at(payload, 'location')),
    attendees: people.flatMap((person) => readAttendee(at(person, 'email'), at(person, 'name'))),
  }
}

const calComKinds: Record<string, ExternalMeeting['kind']> = {
  BOOKING_CREATED: 'booked',
  BOOKING_RESCHEDULED: 'booked',
  BOOKING_CANCELLED: 'canceled',
  BOOKING_REJECTED: 'canceled',
  BOOKING_NO_SHOW_UPDATED: 'no_show',
}

/** Null if the message is not about a meeting. Calendly sends both halves of a reschedule; the new one is used. */
export function readCalendly(body: unknown): ExternalMeeting | null {
  const kind = calendlyKinds[text(at(body, 'event')) ?? '']
  const payload = at(body, 'payload')
  const invitee =
    kind === 'no_show' ? (text(at(payload, 'invitee')) ?? text(at(payload, 'uri'))) : text(at(payload, 'uri'))
  const event = at(payload, 'scheduled_event')
  const span = readSpan(at(event, 'start_time'), at(event, 'end_time'))
  if (!kind || invitee === null) return null
  if (kind === 'canceled' && at(payload, 'rescheduled') === true) return null
  if (span === null && kind === 'booked') return null
  return {
    kind,
    source: 'calendly',
    uid: `calendly ${invitee}`,
    previousUid: prefixed('calendly', text(at(payload, 'old_invitee'))),
    sequence: 0,
    title: foreignText(text(at(event, 'name')) ?? 'Meeting', titleLengthMax),
    startAt: span?.startAt ?? new Date(0),
    endAt: span?.endAt ?? new Date(1),
    timezone: zoneOr(text(at(payload, 'timezone')), 'UTC'),
    joinUrl: readUrl(at(at(event, 'location'), 'join_url')) ?? readUrl(at(at(event, 'location'), 'location')),
    attendees: readAttendee(at(payload, 'email'), at(payload, 'name')),
  }
}

const calendlyKinds: Record<string, ExternalMeeting['kind']> = {
  'invitee.created': 'booked',
  'invitee.canceled': 'canceled',
  'invitee_no_show.created': 'no_show',
}

function at(value: unknown, field: string): unknown {
  return value !== null && typeof value === 'object' ? (value as Json)[field] : undefined
}

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value.slice(0, 100) : []
}

function text(value: unknown): string | null {
  const words = typeof value === 'string' ? foreignText(value) : ''
  return words === '' ? null : words
}

function prefixed(source: string, uid: string | null): string | null {
  return uid === null ? null : `${source} ${uid}`
}

function readSpan(start: unknown, end: unknown): { startAt: Date; endAt: Date } | null {
  const span = { startAt: new Date(text(start) ?? ''), endAt: new Date(text(end) ?? '') }
  return span.startAt < span.endAt ? span : null
}

function readUrl(value: unknown): string | null {
  const url = text(value)
  return url !== null && /^https?:\/\//.test(url) ? url : null
}

function readAttendee(email: unknown, name: unknown): Attendee[] {
  const address = text(email)
  if (address === null || invisibleCharacterIn(address.trim()) !== null) return []
  return [{ email: address.trim().toLowerCase(), name: text(name), status: 'accepted' }]
}

function zoneOr(name: string | null, otherwise: string): string {
  try {
    return name === null ? otherwise : new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone
  } catch {
    return otherwise
  }
}

function sameText(given: string, expected: string): boolean {
  const left = Buffer.from(given)
  const right = Buffer.from(expected)
  return left.length === right.length && timingSafeEqual(left, right)
}
