import { minuteMs, dayMs } from '@overture/ground/time/spans.ts'
import { normalizeEmail } from '@overture/contract/addresses.ts'
import type { AvailabilitySettings } from '@overture/contract/meetings/availability.ts'
import type { Executor, Transaction } from '../../platform/db/database.ts'
import { newId } from '../../platform/ids.ts'
import type { Tenant } from '../../platform/tenant.ts'
import { defaultSettings, defaultSlug } from '../availability/availability.ts'
import {
  findAvailability,
  findDefaultTimezone,
  findMeetingLead,
  findMeetingLeadByEmail,
  listCalendarBusy,
  lockAvailability,
  type MeetingLead,
} from '../availability/availability.sql.ts'
import {
  countPageBookings,
  findLatestMeetingOfLead,
  findMeeting,
  listBusy,
  lockMeeting,
  type MeetingRow,
} from '../meetings.sql.ts'
import { recordBooked, recordCanceled, recordRescheduled } from './meeting-moves.commands.ts'
import { noticesReached, type MeetingTools } from '../notices/notices.commands.ts'
import { freeSlots, isFree } from '../availability/slots.ts'

/** Limits for visitors without a personal link, so that they can't fill a calendar. */
const aheadPerAddressMax = 3
const strangersPerHourMax = 30
/** Each move sends a mail to the attendee. */
const movesPerMeetingMax = 3

export interface Visitor {
  email: string
  name: string | null
  timezone: string
  /** The lead of the personal link. */
  leadId: string | null
}

/**
 * A limit of the public pages was reached: upcoming bookings per address, bookings of all visitors per hour, moves per meeting,
 * mails per address and day, or confirmations.
 */
export interface TooMany {
  kind: 'too_many'
  of: 'address' | 'hour' | 'moves' | 'notices' | 'confirmations'
}

export type Booking = { kind: 'booked'; meeting: MeetingRow } | { kind: 'taken' } | { kind: 'closed' } | TooMany

/** The current settings, or null if the account doesn't exist. */
export async function findBookingSettings(db: Executor, tenant: Tenant): Promise<AvailabilitySettings | null> {
  const row = await findAvailability(db, tenant)
  if (row) return row.settings
  const timezone = await findDefaultTimezone(db, tenant)
  return timezone === null ? null : defaultSettings(timezone)
}

/** Whether the page under the account's name is public: the account has saved its availability and has not switched it off. */
export async function isOpenToAll(db: Executor, tenant: Tenant): Promise<boolean> {
  const row = await findAvailability(db, tenant)
  return row !== null && row.updatedAt !== null && row.settings.enabled
}

export async function listFreeSlots(
  db: Executor,
  tenant: Tenant,
  search: { settings: AvailabilitySettings; now: Date; exceptId?: string },
): Promise<Date[]> {
  const busy = await findBusyTimes(db, tenant, { ...search, exceptId: search.exceptId ?? null })
  return freeSlots({ settings: search.settings, busy, now: search.now })
}

/**
 * Books a start if it is still free. Bookings of a tenant are serialized, so only one of two visitors gets the same time. A lead
 * with a personal link and an upcoming meeting moves that meeting. A typed address proves nothing about its owner, so it gets a
 * separate meeting, within limits.
 */
export async function bookSlot(
  tools: MeetingTools,
  tx: Transaction,
  tenant: Tenant,
  input: { visitor: Visitor; startAt: Date; now: Date; meetingId?: string | undefined },
): Promise<Booking> {
  const settings = await lockSettings(tx, tenant)
  const before = input.meetingId === undefined ? null : await lockMeeting(tx, tenant, input.meetingId)
  if (before) return { kind: 'booked', meeting: before }
  if (!settings.enabled) return { kind: 'closed' }
  const lead = await findVisitorLead(tx, tenant, input.visitor)
  const invited = input.visitor.leadId !== null
  const earlier = invited && lead ? await findAhead(tx, tenant, lead, input.now) : null
  const bound = await boundReached(tools, tx, tenant, { ...input, invited, earlier })
  if (bound !== null) return { kind: 'too_many', of: bound }
  if (!(await slotIsFree(tx, tenant, { settings, ...input, exceptId: earlier?.id ?? null }))) return { kind: 'taken' }
  const endAt = new Date(input.startAt.getTime() + settings.durationMinutes * minuteMs)
  if (earlier) {
    const moved = { ...earlier, startAt: input.startAt, endAt, timezone: input.visitor.timezone }
    return { kind: 'booked', meeting: await recordMoved(tools, tx, tenant, { meeting: moved, now: input.now }) }
  }
  const meeting = newMeeting({ settings, lead, endAt, ...input })
  return { kind: 'booked', meeting: await recordBooked(tools, tx, tenant, { meeting, now: input.now, notify: true }) }
}

interface BookingAttempt {
  visitor: Visitor
  now: Date
  invited: boolean
  earlier: MeetingRow | null
}

async function boundReached(
  tools: MeetingTools,
  tx: Transaction,
  tenant: Tenant,
  { visitor, now, invited, earlier }: BookingAttempt,
): Promise<TooMany['of'] | null> {
  if (earlier) return moveBound(tools, tx, tenant, { meeting: earlier, now })
  if (await noticesReached(tools, tx, tenant, { emails: [visitor.email], now })) return 'notices'
  if (invited) return null
  const since = new Date(now.getTime() - 60 * minuteMs)
  const { ahead, recent } = await countPageBookings(tx, tenant, { email: visitor.email, now, since })
  if (ahead >= aheadPerAddressMax) return 'address'
  return recent >= strangersPerHourMax ? 'hour' : null
}

interface MeetingNow {
  meeting: MeetingRow
  now: Date
}

async function moveBound(
  tools: MeetingTools,
  tx: Transaction,
  tenant: Tenant,
  { meeting, now }: MeetingNow,
): Promise<TooMany['of'] | null> {
  if (meeting.pageMoves >= movesPerMeetingMax) return 'moves'
  return (await noticesReached(tools, tx, tenant, { emails: attendeeEmails(meeting), now })) ? 'notices' : null
}

function attendeeEmails(meeting: MeetingRow): string[] {
  return meeting.attendees.map((attendee) => attendee.email)
}

function recordMoved(tools: MeetingTools, tx: Transaction, tenant: Tenant, { meeting, now }: MeetingNow) {
  const moved = { ...meeting, pageMoves: meeting.pageMoves + 1 }
  return recordRescheduled(tools, tx, tenant, { meeting: moved, now, notify: true })
}

/** Moves a meeting to another free start. */
export async function moveMeeting(
  tools: MeetingTools,
  tx: Transaction,
  tenant: Tenant,
  input: { meetingId: string; startAt: Date; now: Date },
): Promise<Booking> {
  const settings = await lockSettings(tx, tenant)
  const meeting = await lockMeeting(tx, tenant, input.meetingId)
  if (!meeting || !isAhead(meeting, input.now)) return { kind: 'closed' }
  const bound = await moveBound(tools, tx, tenant, { meeting, now: input.now })
  if (bound !== null) return { kind: 'too_many', of: bound }
  if (!(await slotIsFree(tx, tenant, { settings, ...input, exceptId: meeting.id }))) return { kind: 'taken' }
  const endAt = new Date(input.startAt.getTime() + meeting.endAt.getTime() - meeting.startAt.getTime())
  const moved = { ...meeting, startAt: input.startAt, endAt }
  return { kind: 'booked', meeting: await recordMoved(tools, tx, tenant, { meeting: moved, now: input.now }) }
}

/** Cancels an upcoming meeting. Returns false if there is none. */
export async function cancelMeeting(
  tools: MeetingTools,
  tx: Transaction,
  tenant: Tenant,
  input: { meetingId: string; now: Date },
): Promise<boolean> {
  const meeting = await lockMeeting(tx, tenant, input.meetingId)
  if (!meeting || !isAhead(meeting, input.now)) return false
  // A cancellation always succeeds; only its mails are limited per address.
  const notify = !(await noticesReached(tools, tx, tenant, { emails: attendeeEmails(meeting), now: input.now }))
  await recordCanceled(tools, tx, tenant, { meeting, now: input.now, notify })
  return true
}

/** Books the first free start for a lead, as a simulated prospect in the test environment. Returns null if no start is free. */
export async function bookFirstFreeSlot(
  tools: MeetingTools,
  tx: Transaction,
  tenant: Tenant,
  input: { leadId: string; now: Date },
): Promise<MeetingRow | null> {
  const lead = await findMeetingLead(tx, tenant, input.leadId)
  const settings = lead && (await lockSettings(tx, tenant))
  if (!lead || !settings) return null
  const [startAt] = await listFreeSlots(tx, tenant, { settings, now: input.now })
  if (!startAt) return null
  const visitor = {
    email: lead.email,
    name: fullName(lead),
    timezone: lead.timezone ?? settings.timezone,
    leadId: lead.id,
  }
  const booking = await bookSlot(tools, tx, tenant, { visitor, startAt, now: input.now })
  return booking.kind === 'booked' ? booking.meeting : null
}

export function isAhead(meeting: MeetingRow, now: Date): boolean {
  return (meeting.status === 'booked' || meeting.status === 'rescheduled') && meeting.startAt > now
}

export function fullName(lead: { firstName: string | null; lastName: string | null }): string | null {
  return [lead.firstName, lead.lastName].filter(Boolean).join(' ') || null
}

/** Locks the settings, so that bookings of a tenant are serialized. */
export async function lockSettings(tx: Transaction, tenant: Tenant): Promise<AvailabilitySettings> {
  const timezone = (await findDefaultTimezone(tx, tenant)) ?? 'UTC'
  const initial = { slug: defaultSlug(tenant), settings: defaultSettings(timezone) }
  return (await lockAvailability(tx, tenant, initial)).settings
}

async function findVisitorLead(tx: Transaction, tenant: Tenant, visitor: Visitor): Promise<MeetingLead | null> {
  if (visitor.leadId !== null) return findMeetingLead(tx, tenant, visitor.leadId)
  return findMeetingLeadByEmail(tx, tenant, [normalizeEmail(visitor.email).email])
}

async function findAhead(tx: Transaction, tenant: Tenant, lead: MeetingLead, now: Date): Promise<MeetingRow | null> {
  const latest = await findLatestMeetingOfLead(tx, tenant, { campaignId: lead.campaignId, leadId: lead.id })
  return latest && latest.source === 'booking_page' && isAhead(latest, now) ? latest : null
}

export async function slotIsFree(
  tx: Transaction,
  tenant: Tenant,
  input: { settings: AvailabilitySettings; startAt: Date; now: Date; exceptId: string | null },
): Promise<boolean> {
  const busy = await findBusyTimes(tx, tenant, input)
  return isFree({ settings: input.settings, busy, now: input.now }, input.startAt)
}

async function findBusyTimes(
  db: Executor,
  tenant: Tenant,
  search: { settings: AvailabilitySettings; now: Date; exceptId: string | null },
): Promise<{ startAt: Date; endAt: Date }[]> {
  const to = new Date(search.now.getTime() + (search.settings.maxDaysAhead + 3) * dayMs)
  const from = new Date(search.now.getTime() - dayMs)
  const meetings = await listBusy(db, tenant, { from, to, exceptId: search.exceptId })
  const calendar = await listCalendarBusy(db, tenant)
  if (search.exceptId === null) return [...meetings, ...calendar]
  // The host's calendar also has the meeting that is about to move.
  const own = await findMeeting(db, tenant, search.exceptId)
  const isOwn = ({ startAt, endAt }: { startAt: Date; endAt: Date }) =>
    startAt.getTime() === own?.startAt.getTime() && endAt.getTime() === own.endAt.getTime()
  return [...meetings, ...calendar.filter((one) => !isOwn(one))]
}

function newMeeting(input: {
  settings: AvailabilitySettings
  lead: MeetingLead | null
  visitor: Visitor
  startAt: Date
  endAt: Date
  now: Date
  meetingId?: string | undefined
}): MeetingRow {
  const { settings, lead, visitor } = input
  const id = input.meetingId ?? newId('mtg')
  return {
    id,
    leadId: lead?.id ?? null,
    campaignId: lead?.campaignId ?? null,
    status: 'booked',
    source: 'booking_page',
    title: settings.title,
    startAt: input.startAt,
    endAt: input.endAt,
    timezone: visitor.timezone,
    joinUrl: settings.joinUrl,
    attendees: [{ email: visitor.email, name: visitor.name, status: 'accepted' }],
    calendarUid: `${id}@overture`,
    calendarSequence: 0,
    invited: false,
    sendingAccountId: lead?.sendingAccountId ?? null,
    pageMoves: 0,
    createdAt: input.now,
    updatedAt: input.now,
  }
}
