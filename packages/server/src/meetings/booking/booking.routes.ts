import { dayMs } from '@overture/ground/time/spans.ts'
import type { FastifyReply } from 'fastify'
import { normalizeEmail } from '@overture/contract/addresses.ts'
import { timezone as zone } from '@overture/contract/common.ts'
import { pageLanguage } from '@overture/ground/text/page-language.ts'
import { isUniqueViolation } from '../../platform/db/errors.ts'
import { publicRoute, type PublicRequest, type PublicRoute } from '../../platform/http/public-route.ts'
import type { Tenant } from '../../platform/tenant.ts'
import { tenantOfDefaultSlug } from '../availability/availability.ts'
import { findMeetingLead, findTenantOfSlugAcrossAccounts, type MeetingLead } from '../availability/availability.sql.ts'
import { readForm, type AskedBooking } from './booking-form.ts'
import { askingPage, bookingPage, confirmationPage, messagePage } from './booking-page.ts'
import { bookingPolicy } from './booking-style.ts'
import { wordsIn, type PageWords } from './booking-words.ts'
import {
  bookSlot,
  cancelMeeting,
  isAhead,
  isOpenToAll,
  listFreeSlots,
  moveMeeting,
  fullName,
  findBookingSettings,
  type Booking,
} from './booking.commands.ts'
import { calendarFile, findHostName } from './booking-host.queries.ts'
import { actOfRecipient } from './recipient-act.commands.ts'
import { askForConfirmation, type ConfirmationResult } from './confirmation.commands.ts'
import { findMeeting, type MeetingRow } from '../meetings.sql.ts'
import type { MeetingTools } from '../notices/notices.commands.ts'
import { createManageUrl, readBookingToken, type Confirmation } from '../notices/tokens.ts'

const timezones = Intl.supportedValuesOf('timeZone')
const pageRate = { name: 'booking_page', perMinute: 60, burst: 60 }
const formRate = { name: 'booking_form', perMinute: 10, burst: 15 }
const confirmationValidMs = dayMs
const daysShownFirst = 7
const daysShownMax = 400

/** The booking pages: the public one, those for one lead, and those to reschedule or cancel a meeting. They are server-rendered. */
export function bookingPages(tools: MeetingTools): PublicRoute[] {
  const get = (request: BookingRequest, reply: FastifyReply) => show(tools, request, reply)
  const post = (request: BookingRequest, reply: FastifyReply) => submit(tools, request, reply)
  return [
    publicRoute({ method: 'GET', path: '/book/:slug', rate: pageRate, handler: get }),
    publicRoute({ method: 'POST', path: '/book/:slug', rate: formRate, handler: post }),
    publicRoute({ method: 'GET', path: '/b/:token', rate: pageRate, handler: get }),
    publicRoute({ method: 'POST', path: '/b/:token', rate: formRate, handler: post }),
  ]
}

type BookingRequest = PublicRequest<'/book/:slug'> | PublicRequest<'/b/:token'>

/** The visitor's role: anonymous, a lead, the owner of a confirmed address, or an attendee of a meeting. */
interface Visit {
  tenant: Tenant
  lead: MeetingLead | null
  confirmation: Confirmation | null
  meeting: MeetingRow | null
  now: Date
  words: PageWords
}

async function show(tools: MeetingTools, request: BookingRequest, reply: FastifyReply) {
  const visit = await findVisit(tools, request)
  if (!visit) return nothingHere(reply, chooseWords(request))
  if (visit.meeting && request.query.calendar === '1') return calendar(tools, reply, visit, visit.meeting)
  if (request.query.change !== '1') {
    if (visit.meeting) return showMeeting(tools, reply, visit, visit.meeting)
    if (visit.confirmation) return showConfirmation(tools, reply, visit, visit.confirmation)
  }
  return showSlots(tools, { request, reply, visit, error: null, status: 200 })
}

async function submit(tools: MeetingTools, request: BookingRequest, reply: FastifyReply) {
  const visit = await findVisit(tools, request)
  if (!visit) return nothingHere(reply, chooseWords(request))
  const { words } = visit
  const form = (request.body ?? {}) as Record<string, unknown>
  if (visit.meeting && form.action === 'cancel') return cancel(tools, visit, visit.meeting, reply)
  const entered = readForm(form, visit)
  if (typeof entered === 'string')
    return showSlots(tools, { request, reply, visit, error: words.say(entered), status: 400 })
  const booking = mayBook(visit, entered) ? await book(tools, visit, entered) : await ask(tools, visit, entered)
  switch (booking.kind) {
    case 'asked':
      return html(reply, 202, confirmPage(words, entered.email))
    case 'booked':
      return reply
        .code(303)
        .header('location', managePath(tools, visit.tenant, booking.meeting.id))
        .send('')
    case 'taken':
      return showSlots(tools, {
        request,
        reply,
        visit,
        error: words.say('taken'),
        status: 409,
      })
    case 'too_many':
      return showSlots(tools, { request, reply, visit, error: words.say(booking.of), status: 429 })
    case 'closed':
      return html(reply, 409, messagePage(words, words.say('closedTitle'), words.say('closedText')))
  }
}

async function findVisit({ app }: MeetingTools, request: BookingRequest): Promise<Visit | null> {
  const { params } = request
  const visitor = { ...anonymous, words: chooseWords(request) }
  if (!('token' in params)) {
    const { slug } = params
    const tenant = (await findTenantOfSlugAcrossAccounts(app.db, slug)) ?? tenantOfDefaultSlug(slug)
    if (!(await isOpenToAll(app.db, tenant))) return null
    return { ...visitor, tenant, now: await app.clocks.now(app.db, tenant) }
  }
  const token = readBookingToken(app, params.token)
  if (!token) return null
  const { tenant } = token
  const now = await app.clocks.now(app.db, tenant)
  if (token.kind === 'lead') {
    const lead = await findMeetingLead(app.db, tenant, token.leadId)
    return lead && { ...visitor, tenant, lead, now }
  }
  const meeting = await findMeeting(app.db, tenant, token.meetingId)
  if (token.kind === 'meeting' || meeting) return meeting && { ...visitor, tenant, meeting, now }
  return { ...visitor, tenant, confirmation: token, now }
}

const anonymous = { lead: null, confirmation: null, meeting: null }

interface SlotsView {
  request: BookingRequest
  reply: FastifyReply
  visit: Visit
  error: string | null
  status: number
}

async function showSlots(tools: MeetingTools, shown: SlotsView) {
  const { app } = tools
  const { visit, request, reply } = shown
  const settings = await findBookingSettings(app.db, visit.tenant)
  if (!settings) return nothingHere(reply, visit.words)
  if (visit.meeting && !isAhead(visit.meeting, visit.now)) return showMeeting(tools, reply, visit, visit.meeting)
  const form = (request.body ?? {}) as Record<string, unknown>
  const chosen = zone.safeParse(form.timezone ?? request.query.timezone)
  const slots = await listFreeSlots(app.db, visit.tenant, { settings, now: visit.now, exceptId: visit.meeting?.id })
  const page = bookingPage({
    words: visit.words,
    title: settings.title,
    host: await findHostName(app, visit.tenant, settings.hostName),
    durationMinutes: settings.durationMinutes,
    timezone: chosen.success ? chosen.data : (chooseZone(visit) ?? settings.timezone),
    timezones,
    slots,
    daysShown: readDaysShown(form.days ?? request.query.days),
    name: typeof form.name === 'string' ? form.name : visit.lead && fullName(visit.lead),
    email: typeof form.email === 'string' ? form.email : (visit.lead?.email ?? null),
    error: shown.error,
    asksWho: !visit.meeting && !visit.confirmation,
    moving: visit.meeting && { startAt: visit.meeting.startAt },
    zoneIsAssumed: !chosen.success,
  })
  return html(reply, shown.status, page)
}

function chooseZone({ meeting, confirmation, lead }: Visit): string | null {
  return meeting?.timezone ?? confirmation?.timezone ?? lead?.timezone ?? null
}

function readDaysShown(given: unknown): number {
  const days = Number(given)
  return Number.isInteger(days) ? Math.min(Math.max(days, daysShownFirst), daysShownMax) : daysShownFirst
}

/** Whether the visitor may book at once: by the link of a meeting, a confirmed address, or as a lead with its own link and address. */
function mayBook(visit: Visit, booking: AskedBooking): boolean {
  return (
    visit.meeting !== null || visit.confirmation !== null || visit.lead?.email === normalizeEmail(booking.email).email
  )
}

function ask(tools: MeetingTools, visit: Visit, booking: AskedBooking): Promise<ConfirmationResult> {
  const { startAt, ...who } = booking
  const visitor = { ...who, leadId: visit.lead?.id ?? null }
  return tools.app.db.transaction((tx) =>
    askForConfirmation(tools, tx, visit.tenant, { visitor, startAt, now: visit.now }),
  )
}

async function book(tools: MeetingTools, visit: Visit, booking: AskedBooking): Promise<Booking> {
  const { tenant, confirmation, now } = visit
  if (confirmation && isOld(confirmation, now)) return { kind: 'closed' }
  const { startAt, name, email: address, timezone } = booking
  const visitor = { email: address, name, timezone, leadId: visit.lead?.id ?? confirmation?.leadId ?? null }
  try {
    const action = visit.meeting ? 'recipient.reschedule' : 'recipient.book'
    const leadId = visit.meeting?.leadId ?? visitor.leadId
    return await actOfRecipient(tools, tenant, { action, leadId }, async (tx) => {
      const result = visit.meeting
        ? await moveMeeting(tools, tx, tenant, { meetingId: visit.meeting.id, startAt, now })
        : await bookSlot(tools, tx, tenant, { visitor, startAt, now, meetingId: confirmation?.meetingId })
      return { result, meetingId: result.kind === 'booked' ? result.meeting.id : null }
    })
  } catch (error) {
    if (isUniqueViolation(error)) return { kind: 'taken' }
    throw error
  }
}

async function cancel(tools: MeetingTools, visit: Visit, meeting: MeetingRow, reply: FastifyReply) {
  const { leadId, id: meetingId } = meeting
  await actOfRecipient(tools, visit.tenant, { action: 'recipient.cancel', leadId }, async (tx) => {
    const result = await cancelMeeting(tools, tx, visit.tenant, { meetingId, now: visit.now })
    return { result, meetingId: result ? meetingId : null }
  })
  return reply
    .code(303)
    .header('location', managePath(tools, visit.tenant, meeting.id))
    .send('')
}

// Without the host, so that the visitor stays on the host name that they used.
function managePath({ app }: MeetingTools, tenant: Tenant, meetingId: string): string {
  return new URL(createManageUrl(app, tenant, meetingId)).pathname
}

async function showMeeting(tools: MeetingTools, reply: FastifyReply, visit: Visit, meeting: MeetingRow) {
  const { title, startAt, timezone, joinUrl, status, invited } = meeting
  const { words, tenant, now } = visit
  const host = await findHostName(
    tools.app,
    tenant,
    (await findBookingSettings(tools.app.db, tenant))?.hostName ?? null,
  )
  const open = isAhead(meeting, now)
  return html(reply, 200, confirmationPage({ words, title, host, startAt, timezone, joinUrl, status, invited, open }))
}

async function calendar({ app }: MeetingTools, reply: FastifyReply, { tenant, now }: Visit, meeting: MeetingRow) {
  return reply
    .code(200)
    .header('cache-control', 'no-store')
    .header('content-disposition', 'attachment; filename="meeting.ics"')
    .type('text/calendar; charset=utf-8')
    .send(await calendarFile(app, tenant, { meeting, now }))
}

function isOld(confirmation: Confirmation, now: Date): boolean {
  return now.getTime() - confirmation.askedAt.getTime() > confirmationValidMs
}

async function showConfirmation({ app }: MeetingTools, reply: FastifyReply, visit: Visit, confirmation: Confirmation) {
  const settings = await findBookingSettings(app.db, visit.tenant)
  const { words } = visit
  if (!settings) return nothingHere(reply, words)
  if (isOld(confirmation, visit.now))
    return html(reply, 410, messagePage(words, words.say('expiredTitle'), words.say('expiredText')))
  const { startAt, timezone } = confirmation
  return html(reply, 200, askingPage(words, { title: settings.title, startAt, timezone }))
}

function nothingHere(reply: FastifyReply, words: PageWords) {
  return html(reply, 404, messagePage(words, words.say('lostTitle'), words.say('lostText')))
}

function confirmPage(words: PageWords, address: string): string {
  return messagePage(words, words.say('confirmTitle'), words.say('confirmText', { address }))
}

function chooseWords({ headers }: BookingRequest): PageWords {
  return wordsIn(pageLanguage(headers['accept-language']))
}

function html(reply: FastifyReply, status: number, page: string) {
  return reply
    .code(status)
    .header('content-security-policy', bookingPolicy)
    .header('cache-control', 'no-store')
    .header('referrer-policy', 'no-referrer')
    .header('vary', 'accept-language')
    .type('text/html; charset=utf-8')
    .send(page)
}
