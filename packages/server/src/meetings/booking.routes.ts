import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import { email, timezone as zone } from '@overture/contract/common.ts'
import { isUniqueViolation } from '../platform/db/errors.ts'
import { publicRoute, type PublicRequest, type PublicRoute } from '../platform/http/public-route.ts'
import type { Tenant } from '../platform/tenant.ts'
import { tenantOfDefaultSlug } from './availability.ts'
import { findMeetingLead, findTenantOfSlugAcrossAccounts, type MeetingLead } from './availability.sql.ts'
import { bookingPage, bookingPolicy, confirmationPage, messagePage } from './booking-page.ts'
import {
  bookSlot,
  cancelMeeting,
  isAhead,
  listFreeSlots,
  moveMeeting,
  nameOf,
  settingsOf,
  type Booking,
} from './booking.commands.ts'
import { findMeeting, type MeetingRow } from './meetings.sql.ts'
import type { MeetingDeps } from './meeting-moves.commands.ts'
import { manageUrlOf, readBookingToken } from './tokens.ts'

const timezones = Intl.supportedValuesOf('timeZone')
const pageRate = { name: 'booking_page', perMinute: 60, burst: 60 }
const formRate = { name: 'booking_form', perMinute: 10, burst: 15 }
const daysShownFirst = 7
const daysShownMax = 400

/** The booking page, alone, for one lead, and for a meeting that is to be moved or canceled. Server-rendered. */
export function bookingPages(deps: MeetingDeps): PublicRoute[] {
  const get = (request: BookingRequest, reply: FastifyReply) => show(deps, request, reply)
  const post = (request: BookingRequest, reply: FastifyReply) => submit(deps, request, reply)
  return [
    publicRoute({ method: 'GET', path: '/book/:slug', rate: pageRate, handler: get }),
    publicRoute({ method: 'POST', path: '/book/:slug', rate: formRate, handler: post }),
    publicRoute({ method: 'GET', path: '/book/:slug/:token', rate: pageRate, handler: get }),
    publicRoute({ method: 'POST', path: '/book/:slug/:token', rate: formRate, handler: post }),
  ]
}

type BookingRequest = PublicRequest<'/book/:slug'> | PublicRequest<'/book/:slug/:token'>

/** Who is at the page: anybody, a lead, or somebody with a meeting. */
interface Visit {
  tenant: Tenant
  lead: MeetingLead | null
  meeting: MeetingRow | null
  now: Date
}

async function show(deps: MeetingDeps, request: BookingRequest, reply: FastifyReply) {
  const visit = await visitOf(deps, request)
  if (!visit) return nothingHere(reply)
  if (visit.meeting && request.query.change !== '1') return showMeeting(reply, visit.meeting, visit.now)
  return showSlots(deps, { request, reply, visit, error: null, status: 200 })
}

async function submit(deps: MeetingDeps, request: BookingRequest, reply: FastifyReply) {
  const visit = await visitOf(deps, request)
  if (!visit) return nothingHere(reply)
  const form = (request.body ?? {}) as Record<string, unknown>
  if (visit.meeting && form.action === 'cancel') return cancel(deps, visit, visit.meeting, reply)
  const asked = readForm(form, visit)
  if (typeof asked === 'string') return showSlots(deps, { request, reply, visit, error: asked, status: 400 })
  const booking = await book(deps, visit, asked)
  switch (booking.kind) {
    case 'booked':
      return reply
        .code(303)
        .header('location', managePath(deps, visit.tenant, booking.meeting.id))
        .send('')
    case 'taken':
      return showSlots(deps, {
        request,
        reply,
        visit,
        error: 'This time was just taken. Please choose another one.',
        status: 409,
      })
    case 'too_many':
      return showSlots(deps, { request, reply, visit, error: tooManyTexts[booking.of], status: 429 })
    case 'closed':
      return html(
        reply,
        409,
        messagePage('Not possible any more', 'This meeting can no longer be booked or moved here.'),
      )
  }
}

async function visitOf({ app }: MeetingDeps, { params }: BookingRequest): Promise<Visit | null> {
  if (!('token' in params)) {
    const { slug } = params
    const tenant = (await findTenantOfSlugAcrossAccounts(app.db, slug)) ?? tenantOfDefaultSlug(slug)
    if ((await settingsOf(app.db, tenant)) === null) return null
    return { tenant, lead: null, meeting: null, now: await app.clocks.now(app.db, tenant) }
  }
  const token = readBookingToken(app, params.token)
  if (!token) return null
  const { tenant } = token
  const now = await app.clocks.now(app.db, tenant)
  if (token.kind === 'lead')
    return { tenant, lead: await findMeetingLead(app.db, tenant, token.leadId), meeting: null, now }
  const meeting = await findMeeting(app.db, tenant, token.meetingId)
  return meeting && { tenant, lead: null, meeting, now }
}

interface Shown {
  request: BookingRequest
  reply: FastifyReply
  visit: Visit
  error: string | null
  status: number
}

async function showSlots({ app }: MeetingDeps, shown: Shown) {
  const { visit, request, reply } = shown
  const settings = await settingsOf(app.db, visit.tenant)
  const leadIsGone = 'token' in request.params && !visit.lead && !visit.meeting
  if (!settings || leadIsGone) return nothingHere(reply)
  if (visit.meeting && !isAhead(visit.meeting, visit.now)) return showMeeting(reply, visit.meeting, visit.now)
  const form = (request.body ?? {}) as Record<string, unknown>
  const chosen = zone.safeParse(form.timezone ?? request.query.timezone)
  const slots = await listFreeSlots(app.db, visit.tenant, { settings, now: visit.now, exceptId: visit.meeting?.id })
  const page = bookingPage({
    title: settings.title,
    hostName: settings.hostName,
    durationMinutes: settings.durationMinutes,
    timezone: chosen.success ? chosen.data : (visit.meeting?.timezone ?? visit.lead?.timezone ?? settings.timezone),
    timezones,
    slots,
    daysShown: daysShownOf(form.days ?? request.query.days),
    name: typeof form.name === 'string' ? form.name : visit.lead && nameOf(visit.lead),
    email: typeof form.email === 'string' ? form.email : (visit.lead?.email ?? null),
    error: shown.error,
    moving: visit.meeting && { startAt: visit.meeting.startAt },
    zoneIsAssumed: !chosen.success,
  })
  return html(reply, shown.status, page)
}

function daysShownOf(asked: unknown): number {
  const days = Number(asked)
  return Number.isInteger(days) ? Math.min(Math.max(days, daysShownFirst), daysShownMax) : daysShownFirst
}

const tooManyTexts = {
  address: 'There are three meetings ahead for this address already. Please move or cancel one of them first.',
  hour: 'Many times were booked within the last hour. Please try again a little later.',
}

interface Asked {
  startAt: Date
  name: string | null
  email: string
  timezone: string
}

const bookingForm = z.object({
  startAt: z.iso.datetime(),
  timezone: zone.catch('UTC'),
  name: z.string().trim().min(1).max(200),
  email,
})
const movingForm = bookingForm.pick({ startAt: true, timezone: true })

/** What the visitor asks for, or what is wrong with it in words. */
function readForm(form: Record<string, unknown>, visit: Visit): Asked | string {
  if (visit.meeting) {
    const moved = movingForm.safeParse(form)
    return moved.success
      ? { ...moved.data, startAt: new Date(moved.data.startAt), name: null, email: '' }
      : 'Please choose a time.'
  }
  const read = bookingForm.safeParse(form)
  if (read.success) return { ...read.data, startAt: new Date(read.data.startAt) }
  const field = read.error.issues[0]?.path[0]
  if (field === 'startAt') return 'Please choose a time.'
  return field === 'email' ? 'Please give a valid e-mail address.' : 'Please give your name.'
}

async function book(deps: MeetingDeps, visit: Visit, asked: Asked): Promise<Booking> {
  const { tenant, now } = visit
  const { startAt, name, email: address, timezone } = asked
  const visitor = { email: address, name, timezone, leadId: visit.lead?.id ?? null }
  try {
    return await deps.app.db.transaction((tx) =>
      visit.meeting
        ? moveMeeting(deps, tx, tenant, { meetingId: visit.meeting.id, startAt, now })
        : bookSlot(deps, tx, tenant, { visitor, startAt, now }),
    )
  } catch (error) {
    if (isUniqueViolation(error)) return { kind: 'taken' }
    throw error
  }
}

async function cancel(deps: MeetingDeps, visit: Visit, meeting: MeetingRow, reply: FastifyReply) {
  await deps.app.db.transaction((tx) =>
    cancelMeeting(deps, tx, visit.tenant, { meetingId: meeting.id, now: visit.now }),
  )
  return reply
    .code(303)
    .header('location', managePath(deps, visit.tenant, meeting.id))
    .send('')
}

// Without the host: whatever name led here leads on.
function managePath({ app }: MeetingDeps, tenant: Tenant, meetingId: string): string {
  return new URL(manageUrlOf(app, tenant, meetingId)).pathname
}

function showMeeting(reply: FastifyReply, meeting: MeetingRow, now: Date) {
  const { title, startAt, timezone, joinUrl, status, invited } = meeting
  const open = isAhead(meeting, now)
  return html(reply, 200, confirmationPage({ title, startAt, timezone, joinUrl, status, invited, open }))
}

function nothingHere(reply: FastifyReply) {
  return html(reply, 404, messagePage('Nothing here', 'This link does not lead to a booking page.'))
}

function html(reply: FastifyReply, status: number, page: string) {
  return reply
    .code(status)
    .header('content-security-policy', bookingPolicy)
    .header('cache-control', 'no-store')
    .header('referrer-policy', 'no-referrer')
    .type('text/html; charset=utf-8')
    .send(page)
}
