import { normalizeEmail } from '@overture/contract/addresses.ts'
import type { AvailabilitySettings } from '@overture/contract/meetings/meetings.ts'
import type { Executor, Transaction } from '../platform/db/database.ts'
import { newId } from '../platform/ids.ts'
import type { Tenant } from '../platform/tenant.ts'
import { defaultSettings, defaultSlug } from './availability.ts'
import {
  findAvailability,
  findDefaultTimezone,
  findMeetingLead,
  findMeetingLeadByEmail,
  lockAvailability,
  type MeetingLead,
} from './availability.sql.ts'
import { countPageBookings, findLatestMeetingOfLead, listBusy, lockMeeting, type MeetingRow } from './meetings.sql.ts'
import { recordBooked, recordCanceled, recordRescheduled, type MeetingDeps } from './meeting-moves.commands.ts'
import { freeSlots, isFree } from './slots.ts'

const minuteMs = 60_000
const dayMs = 86_400_000
/** Whoever has no link of their own could otherwise fill a calendar, and have us write to any address. */
const aheadPerAddressMax = 3
const strangersPerHourMax = 30

export interface Visitor {
  email: string
  name: string | null
  timezone: string
  /** The lead that the link was made for. */
  leadId: string | null
}

export type Booking =
  | { kind: 'booked'; meeting: MeetingRow }
  | { kind: 'taken' }
  | { kind: 'closed' }
  /** A bound of the open page: of this address, or of everybody within the hour. */
  | { kind: 'too_many'; of: 'address' | 'hour' }

/** The settings in force, or null for an account that there is not. */
export async function settingsOf(db: Executor, tenant: Tenant): Promise<AvailabilitySettings | null> {
  const row = await findAvailability(db, tenant)
  if (row) return row.settings
  const timezone = await findDefaultTimezone(db, tenant)
  return timezone === null ? null : defaultSettings(timezone)
}

export async function listFreeSlots(
  db: Executor,
  tenant: Tenant,
  search: { settings: AvailabilitySettings; now: Date; exceptId?: string },
): Promise<Date[]> {
  const busy = await busyOf(db, tenant, { ...search, exceptId: search.exceptId ?? null })
  return freeSlots({ settings: search.settings, busy, now: search.now })
}

/**
 * Books a start if it is still free. Bookings of a tenant wait for each other, so that of two visitors who want the same
 * time one gets it and the other is told. A lead that opened its own link and has a meeting ahead moves it; an address
 * that somebody typed proves nothing, so it gets a meeting of its own, within bounds.
 */
export async function bookSlot(
  deps: MeetingDeps,
  tx: Transaction,
  tenant: Tenant,
  asked: { visitor: Visitor; startAt: Date; now: Date },
): Promise<Booking> {
  const settings = await lockSettings(tx, tenant, asked.now)
  if (!settings.enabled) return { kind: 'closed' }
  const lead = await leadOf(tx, tenant, asked.visitor)
  const invited = asked.visitor.leadId !== null
  const bound = invited ? null : await boundReached(tx, tenant, asked)
  if (bound !== null) return { kind: 'too_many', of: bound }
  const earlier = invited && lead ? await findAhead(tx, tenant, lead, asked.now) : null
  if (!(await slotIsFree(tx, tenant, { settings, ...asked, exceptId: earlier?.id ?? null }))) return { kind: 'taken' }
  const endAt = new Date(asked.startAt.getTime() + settings.durationMinutes * minuteMs)
  if (earlier) {
    const moved = { ...earlier, startAt: asked.startAt, endAt, timezone: asked.visitor.timezone }
    return {
      kind: 'booked',
      meeting: await recordRescheduled(deps, tx, tenant, { meeting: moved, now: asked.now, notify: true }),
    }
  }
  const meeting = newMeeting({ settings, lead, endAt, ...asked })
  return { kind: 'booked', meeting: await recordBooked(deps, tx, tenant, { meeting, now: asked.now, notify: true }) }
}

async function boundReached(
  tx: Transaction,
  tenant: Tenant,
  { visitor, now }: { visitor: Visitor; now: Date },
): Promise<'address' | 'hour' | null> {
  const since = new Date(now.getTime() - 60 * minuteMs)
  const { ahead, recent } = await countPageBookings(tx, tenant, { email: visitor.email, now, since })
  if (ahead >= aheadPerAddressMax) return 'address'
  return recent >= strangersPerHourMax ? 'hour' : null
}

/** Moves a meeting to another free start. */
export async function moveMeeting(
  deps: MeetingDeps,
  tx: Transaction,
  tenant: Tenant,
  asked: { meetingId: string; startAt: Date; now: Date },
): Promise<Booking> {
  const settings = await lockSettings(tx, tenant, asked.now)
  const meeting = await lockMeeting(tx, tenant, asked.meetingId)
  if (!meeting || !isAhead(meeting, asked.now)) return { kind: 'closed' }
  if (!(await slotIsFree(tx, tenant, { settings, ...asked, exceptId: meeting.id }))) return { kind: 'taken' }
  const endAt = new Date(asked.startAt.getTime() + meeting.endAt.getTime() - meeting.startAt.getTime())
  const moved = { ...meeting, startAt: asked.startAt, endAt }
  return {
    kind: 'booked',
    meeting: await recordRescheduled(deps, tx, tenant, { meeting: moved, now: asked.now, notify: true }),
  }
}

/** Cancels a meeting that lies ahead; false where there is none. */
export async function cancelMeeting(
  deps: MeetingDeps,
  tx: Transaction,
  tenant: Tenant,
  asked: { meetingId: string; now: Date },
): Promise<boolean> {
  const meeting = await lockMeeting(tx, tenant, asked.meetingId)
  if (!meeting || !isAhead(meeting, asked.now)) return false
  await recordCanceled(deps, tx, tenant, { meeting, now: asked.now, notify: true })
  return true
}

/** Books the first free start for a lead, as a prospect of the test environment does; null when nothing is free. */
export async function bookFirstFreeSlot(
  deps: MeetingDeps,
  tx: Transaction,
  tenant: Tenant,
  asked: { leadId: string; now: Date },
): Promise<MeetingRow | null> {
  const lead = await findMeetingLead(tx, tenant, asked.leadId)
  const settings = lead && (await lockSettings(tx, tenant, asked.now))
  if (!lead || !settings) return null
  const [startAt] = await listFreeSlots(tx, tenant, { settings, now: asked.now })
  if (!startAt) return null
  const visitor = {
    email: lead.email,
    name: nameOf(lead),
    timezone: lead.timezone ?? settings.timezone,
    leadId: lead.id,
  }
  const booking = await bookSlot(deps, tx, tenant, { visitor, startAt, now: asked.now })
  return booking.kind === 'booked' ? booking.meeting : null
}

export function isAhead(meeting: MeetingRow, now: Date): boolean {
  return (meeting.status === 'booked' || meeting.status === 'rescheduled') && meeting.startAt > now
}

export function nameOf(lead: { firstName: string | null; lastName: string | null }): string | null {
  return [lead.firstName, lead.lastName].filter(Boolean).join(' ') || null
}

async function lockSettings(tx: Transaction, tenant: Tenant, now: Date): Promise<AvailabilitySettings> {
  const timezone = (await findDefaultTimezone(tx, tenant)) ?? 'UTC'
  const initial = { slug: defaultSlug(tenant), settings: defaultSettings(timezone), now }
  return (await lockAvailability(tx, tenant, initial)).settings
}

async function leadOf(tx: Transaction, tenant: Tenant, visitor: Visitor): Promise<MeetingLead | null> {
  if (visitor.leadId !== null) return findMeetingLead(tx, tenant, visitor.leadId)
  return findMeetingLeadByEmail(tx, tenant, [normalizeEmail(visitor.email).email])
}

async function findAhead(tx: Transaction, tenant: Tenant, lead: MeetingLead, now: Date): Promise<MeetingRow | null> {
  const latest = await findLatestMeetingOfLead(tx, tenant, { campaignId: lead.campaignId, leadId: lead.id })
  return latest && latest.source === 'booking_page' && isAhead(latest, now) ? latest : null
}

async function slotIsFree(
  tx: Transaction,
  tenant: Tenant,
  asked: { settings: AvailabilitySettings; startAt: Date; now: Date; exceptId: string | null },
): Promise<boolean> {
  const busy = await busyOf(tx, tenant, asked)
  return isFree({ settings: asked.settings, busy, now: asked.now }, asked.startAt)
}

async function busyOf(
  db: Executor,
  tenant: Tenant,
  search: { settings: AvailabilitySettings; now: Date; exceptId: string | null },
): Promise<{ startAt: Date; endAt: Date }[]> {
  const to = new Date(search.now.getTime() + (search.settings.maxDaysAhead + 3) * dayMs)
  const from = new Date(search.now.getTime() - dayMs)
  return listBusy(db, tenant, { from, to, exceptId: search.exceptId })
}

function newMeeting(asked: {
  settings: AvailabilitySettings
  lead: MeetingLead | null
  visitor: Visitor
  startAt: Date
  endAt: Date
  now: Date
}): MeetingRow {
  const { settings, lead, visitor } = asked
  const id = newId('mtg')
  return {
    id,
    leadId: lead?.id ?? null,
    campaignId: lead?.campaignId ?? null,
    status: 'booked',
    source: 'booking_page',
    title: settings.title,
    startAt: asked.startAt,
    endAt: asked.endAt,
    timezone: visitor.timezone,
    joinUrl: settings.joinUrl,
    attendees: [{ email: visitor.email, name: visitor.name, status: 'accepted' }],
    calendarUid: `${id}@overture`,
    calendarSequence: 0,
    invited: false,
    sendingAccountId: lead?.sendingAccountId ?? null,
    createdAt: asked.now,
    updatedAt: asked.now,
  }
}
