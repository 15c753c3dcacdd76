import { hourMs } from '@overture/ground/time/spans.ts'
import { newId } from '../platform/ids.ts'
import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { App } from '../platform/app.ts'
import type { JobContext } from '../platform/jobs/job.ts'
import { runDueJobs } from '../platform/jobs/run-due-jobs.shell.ts'
import { insertTestLead } from '@overture/testing/delivery/lead-fixtures.sql.ts'
import { calComWebhook, calendlyWebhook } from '@overture/testing/services/webhook-senders.ts'
import { startTestServer, type TestServer } from '@overture/testing/server.ts'
import {
  bookingPages,
  bookFirstFreeSlot,
  calendarHook,
  meetingHooks,
  meetingJobs,
  meetingRoutes,
  createMeetingUrl,
  readCalendar,
  receiveCalendar,
  type ReceivedCalendar,
  type CalendarMessage,
  type MeetingTools,
  type MeetingMail,
} from './index.ts'

let server: TestServer
let mails: MeetingMail[] = []
const depsOf = (app: App): MeetingTools => ({
  app,
  queueMail: (_tx, _tenant, mail) => Promise.resolve(mails.push(mail)),
})

beforeAll(async () => {
  server = await startTestServer({
    routes: ({ app }) => meetingRoutes(depsOf(app)),
    publicRoutes: ({ app }) => [...bookingPages(depsOf(app)), ...meetingHooks(depsOf(app))],
  })
  const { accountId, environment } = server.tenant
  await server.app.db.execute(
    `insert into sending_accounts (account_id, environment, id, email, from_name, provider, status, daily_limit, min_gap_seconds,
       max_gap_seconds, timezone, created_at, updated_at)
     values ($1, $2, 'snd_1', 'sender@example.com', 'Ann Host', 'smtp', 'active', 50, 0, 0, 'UTC', now(), now())`,
    [accountId, environment],
  )
})
beforeEach(async () => {
  await call('PUT', '/v2/meetings/availability', {
    windows: [{ days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'], from: '00:00', to: '23:59' }],
    minNoticeMinutes: 0,
    title: 'Intro call',
  })
})
afterEach(async () => {
  mails = []
  await server.app.db.execute('delete from meetings')
  await server.app.db.execute('delete from meeting_notices')
})
afterAll(() => server.stop())

const call = (method: string, path: string, body?: unknown) =>
  server.call(method, path, { key: server.keys.live, body })
let visitors = 0
/** Submits each form from a different address, through a proxy on this machine. */
const form = (path: string, fields: Record<string, string>, address = `192.0.2.${++visitors % 250}`) =>
  server.call('POST', path, {
    body: new URLSearchParams(fields).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'x-forwarded-for': address },
  })
const pathOf = (url: string): string => url.slice(server.app.config.publicUrl.length)
const linkIn = (mail: MeetingMail): string => pathOf(/https?:\/\/\S+\/b\/\S+/.exec(mail.text)![0])

let leadCount = 0
async function makeLead(): Promise<{ campaignId: string; leadId: string; email: string }> {
  const { accountId, environment } = server.tenant
  const number = ++leadCount
  const lead = { campaignId: `cmp_${number}`, leadId: newId('led'), email: `lead${number}@example.com` }
  await server.app.db.execute(
    `insert into campaigns (account_id, environment, id, name, status, schedule, settings, sending_account_ids,
       lead_count, created_at, updated_at)
     values ($1, $2, $3, 'Spring', 'active', '{}', '{"stopOnMeetingBooked": true}', '{snd_1}', 1, now(), now())`,
    [accountId, environment, lead.campaignId],
  )
  await insertTestLead(server.app.db, server.tenant, {
    campaignId: lead.campaignId,
    id: lead.leadId,
    email: lead.email,
    firstName: 'Zoë <b>',
    status: 'active',
    timezone: 'America/New_York',
    sendingAccountId: 'snd_1',
  })
  return lead
}

const leadRow = async (id: string) =>
  (
    await server.app.db.query<{ status: string; interest: string | null; stoppedBy: { rule: string } | null }>(
      'select status, interest, stopped_by from leads where id = $1',
      [id],
    )
  )[0]!
const eventTypes = async (leadId: string) =>
  (
    await server.app.db.query<{ type: string }>('select type from events where lead_id = $1 order by position', [
      leadId,
    ])
  ).map(({ type }) => type)
const slotsOf = (page: string): string[] =>
  [...page.matchAll(/name="startAt" value="([^"]+)"/g)].map((match) => match[1]!)

describe('the booking page', () => {
  test("shows free times in the lead's zone and books without JavaScript, with all effects", async () => {
    const lead = await makeLead()
    const path = pathOf(createMeetingUrl(server.app, server.tenant, lead))
    const page = await server.call('GET', path)
    expect(page.status).toBe(200)
    expect(page.text).toContain('<option selected>America/New_York</option>')
    expect(page.text).toContain('value="Zoë &lt;b&gt;"')
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
    const startAt = slotsOf(page.text)[3]!
    const booked = await form(path, {
      startAt,
      timezone: 'America/New_York',
      name: 'Zoë',
      email: lead.email,
      action: 'book',
    })
    expect(booked.status, booked.text).toBe(303)
    const meeting = (await call('GET', `/v2/campaigns/${lead.campaignId}/leads/${lead.leadId}/meeting`)).body
    expect(meeting).toMatchObject({
      status: 'booked',
      source: 'booking_page',
      title: 'Intro call',
      startAt,
      leadId: lead.leadId,
      timezone: 'America/New_York',
    })
    expect(await leadRow(lead.leadId)).toMatchObject({
      status: 'stopped',
      interest: 'meeting_booked',
      stoppedBy: { rule: 'meeting_booked' },
    })
    expect(await eventTypes(lead.leadId)).toEqual(
      expect.arrayContaining(['meeting.booked', 'lead.interest_changed', 'lead.status_changed']),
    )
    expect(mails).toHaveLength(1)
    const ics = readCalendar([
      { contentType: mails[0]!.attachments[0]!.contentType, text: mails[0]!.attachments[0]!.content },
    ])
    expect(ics).toMatchObject({ method: 'REQUEST', organizer: 'sender@example.com', startAt: new Date(startAt) })
    const confirmation = await server.call('GET', booked.headers.get('location')!)
    expect(confirmation.text).toContain('You are booked')
    expect((await server.call('GET', path)).text).not.toContain(startAt)
  })

  test('lets a visitor move and cancel by link, and updates the calendar', async () => {
    const lead = await makeLead()
    const path = pathOf(createMeetingUrl(server.app, server.tenant, lead))
    const [first, , third] = slotsOf((await server.call('GET', path)).text)
    const fields = { timezone: 'UTC', name: 'Zoë', email: lead.email, action: 'book' }
    const manage = (await form(path, { ...fields, startAt: first! })).headers.get('location')!
    expect(slotsOf((await server.call('GET', `${manage}?change=1`)).text)).toContain(first)
    expect((await form(manage, { startAt: third!, timezone: 'UTC', action: 'book' })).status).toBe(303)
    const meeting = async () =>
      (await call('GET', `/v2/campaigns/${lead.campaignId}/leads/${lead.leadId}/meeting`)).body
    expect(await meeting()).toMatchObject({ status: 'rescheduled', startAt: third })
    expect((await form(manage, { action: 'cancel' })).status).toBe(303)
    expect(await meeting()).toMatchObject({ status: 'canceled' })
    expect((await server.call('GET', manage)).text).toContain('was canceled')
    const calendars = mails.map(({ attachments: [part] }) =>
      readCalendar([{ contentType: part!.contentType, text: part!.content }])!,
    )
    expect(calendars.map(({ method, sequence }) => [method, sequence])).toEqual([
      ['REQUEST', 0],
      ['REQUEST', 1],
      ['CANCEL', 2],
    ])
    expect(new Set(calendars.map(({ uid }) => uid)).size).toBe(1)
    expect(await eventTypes(lead.leadId)).toEqual(
      expect.arrayContaining(['meeting.booked', 'meeting.rescheduled', 'meeting.canceled']),
    )
    const acts = await server.app.db.query<{ action: string; targetId: string; ip: string | null; text: string }>(
      `select action, target_id, ip, a::text as text from audit_entries a
       where actor_type = 'recipient' and actor_id = $1 order by position`,
      [lead.leadId],
    )
    expect(acts.map(({ action }) => action)).toEqual(['recipient.book', 'recipient.reschedule', 'recipient.cancel'])
    for (const { text, ip } of acts)
      expect([text.includes(lead.email), text.includes('Zoë'), ip]).toEqual([false, false, null])
  })

  test('gives one time to one visitor, even with many requests at once', async () => {
    const slug = new URL((await call('GET', '/v2/meetings/availability')).body.bookingUrl).pathname
    const startAt = slotsOf((await server.call('GET', slug)).text)[5]!
    const requests = await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        form(slug, { startAt, timezone: 'UTC', name: 'V', email: `visitor${index}@example.com`, action: 'book' }),
      ),
    )
    expect(requests.map(({ status }) => status)).toEqual(requests.map(() => 202))
    expect((await call('GET', '/v2/meetings')).body.pagination.totalCount).toBe(0)
    const answers = await Promise.all(mails.map((mail) => form(linkIn(mail), { action: 'book' })))
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      303,
      ...Array.from({ length: 11 }, () => 409),
    ])
    const refused = answers.find(({ status }) => status === 409)!
    expect(refused.text).toContain('role="alert"')
    expect(refused.text).not.toContain('name="email"')
    expect((await call('GET', '/v2/meetings')).body.pagination.totalCount).toBe(1)
  })

  test('sends a confirmation to an unknown address before it books anything', async () => {
    const lead = await makeLead()
    const open = new URL((await call('GET', '/v2/meetings/availability')).body.bookingUrl).pathname
    const [first, second] = slotsOf((await server.call('GET', open)).text)
    const fields = {
      timezone: 'Europe/Berlin',
      name: 'Zoë\u0000 <b>',
      email: lead.email.toUpperCase(),
      startAt: first!,
    }
    const submitted = await form(open, fields)
    expect([submitted.status, submitted.text.includes('Confirm your email address')]).toEqual([202, true])
    expect(await leadRow(lead.leadId)).toMatchObject({ status: 'active', interest: null })
    expect((await call('GET', '/v2/meetings')).body.results).toEqual([])
    expect(mails).toMatchObject([
      { toStranger: true, attachments: [], cc: [], to: [{ email: lead.email.toUpperCase() }] },
    ])
    const link = linkIn(mails[0]!)
    // Opening the page books nothing, and another visitor may book the time before.
    const page = await server.call('GET', link)
    expect([page.status, page.text.includes('Book this time?')]).toEqual([200, true])
    expect((await call('GET', '/v2/meetings')).body.results).toEqual([])
    expect(slotsOf((await server.call('GET', `${link}?change=1`)).text)).toContain(first)
    const booked = await form(link, { action: 'book', startAt: second! })
    expect(booked.status, booked.text).toBe(303)
    expect((await call('GET', '/v2/meetings')).body.results).toMatchObject([
      { startAt: second, leadId: lead.leadId, timezone: 'Europe/Berlin', attendees: [{ name: 'Zoë <b>' }] },
    ])
    expect(await leadRow(lead.leadId)).toMatchObject({ status: 'stopped', interest: 'meeting_booked' })
    // The link books once, and then shows the meeting.
    expect((await form(link, { action: 'book' })).status).toBe(400)
    expect((await server.call('GET', link)).text).toContain('You are booked')
    expect((await call('GET', '/v2/meetings')).body.pagination.totalCount).toBe(1)
  })

  test("uses a lead's link only with the lead's own address", async () => {
    const lead = await makeLead()
    const path = pathOf(createMeetingUrl(server.app, server.tenant, lead))
    const [startAt] = slotsOf((await server.call('GET', path)).text)
    const fields = { timezone: 'UTC', name: 'Zoë', startAt: startAt! }
    expect((await form(path, { ...fields, email: 'victim@example.com' })).status).toBe(202)
    expect(mails.map((mail) => mail.subject.slice(0, 14))).toEqual(['Please confirm'])
    expect((await form(linkIn(mails[0]!), {})).status).toBe(303)
    expect((await call('GET', '/v2/meetings')).body.results).toMatchObject([{ leadId: lead.leadId }])
  })

  test('can be moved three times by link, and any number of times by the account', async () => {
    const lead = await makeLead()
    const path = pathOf(createMeetingUrl(server.app, server.tenant, lead))
    const slots = slotsOf((await server.call('GET', path)).text)
    const fields = { timezone: 'UTC', name: 'Zoë', email: lead.email }
    const manage = (await form(path, { ...fields, startAt: slots[0]! })).headers.get('location')!
    const statuses = []
    for (let index = 1; index < 6; index++) {
      const to = index % 2 === 1 ? manage : path
      statuses.push((await form(to, { ...fields, startAt: slots[index * 2]! })).status)
    }
    expect(statuses).toEqual([303, 303, 303, 429, 429])
    const { id, startAt } = (await call('GET', '/v2/meetings')).body.results[0]
    expect(startAt).toBe(slots[6])
    for (let index = 1; index < 6; index++) {
      const moved = { startAt: `2031-05-0${index}T08:00:00Z`, endAt: `2031-05-0${index}T08:30:00Z` }
      expect((await call('PUT', `/v2/meetings/${id}`, moved)).status).toBe(200)
    }
    expect((await form(manage, { action: 'cancel' })).status).toBe(303)
    expect((await call('GET', `/v2/meetings/${id}`)).body.status).toBe('canceled')
  })

  test('sends an address three requests per day, and thirty per hour in total, without lead links', async () => {
    const open = new URL((await call('GET', '/v2/meetings/availability')).body.bookingUrl).pathname
    const slots = slotsOf((await server.call('GET', open)).text)
    const book = (index: number, email: string) =>
      form(open, { startAt: slots[index]!, timezone: 'UTC', name: 'V', email })
    for (let index = 0; index < 3; index++) expect((await book(index, 'Same@example.com')).status).toBe(202)
    const fourth = await book(3, 'same@example.com')
    expect([fourth.status, fourth.text.includes('Several emails were sent to this address')]).toEqual([429, true])
    const rest = []
    for (let index = 0; index < 32; index++) rest.push(await book(index + 4, `v${index}@example.com`))
    expect(rest.filter(({ status }) => status === 202)).toHaveLength(27)
    expect(rest.filter(({ status }) => status === 429)).toHaveLength(5)
    expect(mails).toHaveLength(30)
    const lead = await makeLead()
    const own = pathOf(createMeetingUrl(server.app, server.tenant, lead))
    const [startAt] = slotsOf((await server.call('GET', own)).text)
    expect((await form(own, { startAt: startAt!, timezone: 'UTC', name: 'Z', email: lead.email })).status).toBe(303)
  })

  test("keeps at most three future meetings for an address that isn't a lead", async () => {
    const open = new URL((await call('GET', '/v2/meetings/availability')).body.bookingUrl).pathname
    const slots = slotsOf((await server.call('GET', open)).text)
    for (let index = 0; index < 3; index++)
      await form(open, { startAt: slots[index]!, timezone: 'UTC', name: 'V', email: 'v@example.com' })
    const links = mails.map(linkIn)
    for (const link of links) expect((await form(link, {})).status).toBe(303)
    // Yesterday's notices count; confirmations don't.
    const [last] = await server.app.db.query<{ at: Date }>('select max(queued_at) as at from meeting_notices')
    // The earlier time is a parameter, because Citus adds no interval to a column.
    const yesterday = new Date(last!.at.getTime() - 25 * hourMs)
    await server.app.db.execute('update meeting_notices set queued_at = $1', [yesterday])
    await form(open, { startAt: slots[5]!, timezone: 'UTC', name: 'V', email: 'V@Example.com' })
    const fourth = await form(linkIn(mails.at(-1)!), {})
    expect([fourth.status, fourth.text.includes('three upcoming meetings')]).toEqual([429, true])
  })

  test('is public after the account has set its availability, and always open for leads', async () => {
    const { tenant, keys } = server.other
    const slug = (await server.call('GET', '/v2/meetings/availability', { key: keys.test })).body.bookingUrl
    expect((await server.call('GET', pathOf(slug))).status).toBe(404)
    expect((await form(pathOf(slug), { name: 'V', email: 'v@example.com' })).status).toBe(404)
    const put = (enabled: boolean) =>
      server.call('PUT', '/v2/meetings/availability', { key: keys.test, body: { enabled } })
    expect((await put(true)).status).toBe(200)
    expect((await server.call('GET', pathOf(slug))).status).toBe(200)
    await put(false)
    expect((await server.call('GET', pathOf(slug))).status).toBe(404)
    expect(tenant.accountId).not.toBe(server.tenant.accountId)
  })

  test('reports missing fields, refuses times not offered, and shows nothing for a wrong link', async () => {
    const slug = new URL((await call('GET', '/v2/meetings/availability')).body.bookingUrl).pathname
    const [startAt] = slotsOf((await server.call('GET', slug)).text)
    const wrong = await form(slug, {
      startAt: startAt!,
      timezone: 'UTC',
      name: 'V',
      email: 'no address',
      action: 'book',
    })
    expect([wrong.status, wrong.text.includes('valid email')]).toEqual([400, true])
    const odd = new Date(Date.parse(startAt!) + 7 * 60_000).toISOString()
    expect((await form(slug, { startAt: odd, timezone: 'UTC', name: 'V', email: 'v@example.com' })).status).toBe(409)
    expect(mails).toEqual([])
    for (const path of ['/book/nobody', '/b/x.y', '/b/e30.AAAAAAAAAAAAAAAAAAAAAA']) {
      expect((await server.call('GET', path)).status).toBe(404)
    }
    await call('PUT', '/v2/meetings/availability', { slug: 'ann-host' })
    expect((await server.call('GET', '/book/ann-host')).status).toBe(200)
  })

  test('has a unique name: taken names are a conflict, names with ids are refused', async () => {
    const set = (slug: string, key = server.keys.live) =>
      server.call('PUT', '/v2/meetings/availability', { key, body: { slug } })
    expect((await set('ann-and-bob')).status).toBe(200)
    expect((await set('ann-and-bob')).status).toBe(200)
    for (const key of [server.other.keys.live, server.keys.test, server.other.keys.test]) {
      const taken = await set('ann-and-bob', key)
      expect([taken.status, taken.body.error.details?.currentStatus]).toEqual([409, 'slug_taken'])
    }
    const other = server.other.tenant.accountId.slice(4)
    const strangers = fc.stringMatching(/^1[0-9a-hjkmnp-tv-z]{17}$/)
    const ids = [other, ...fc.sample(strangers, { numRuns: 40, seed: 3 })]
    for (const slug of ids.flatMap((id) => [id, `${id}-test`])) {
      const refused = await set(slug)
      expect([slug, refused.status, refused.body.error.details.issues[0].path]).toEqual([slug, 400, 'slug'])
    }
    // The other account's default page and first booking still belong to it.
    expect((await set(other, server.other.keys.live)).status).toBe(200)
    expect((await set(`${other}-test`, server.other.keys.test)).status).toBe(200)
  })

  test('books the first free time for a simulated prospect', async () => {
    const lead = await makeLead()
    const now = server.app.clock.now()
    const meeting = await server.app.db.transaction((tx) =>
      bookFirstFreeSlot(depsOf(server.app), tx, server.tenant, { leadId: lead.leadId, now }),
    )
    expect(meeting).toMatchObject({ status: 'booked', leadId: lead.leadId, source: 'booking_page' })
  })
})

describe('meetings', () => {
  test('can be created, changed, completed and deleted over the API', async () => {
    const lead = await makeLead()
    const made = await call('POST', '/v2/meetings', {
      leadId: lead.leadId,
      campaignId: lead.campaignId,
      title: 'Demo',
      startAt: '2031-05-05T10:00:00+02:00',
      endAt: '2031-05-05T09:00:00Z',
    })
    expect(made.status, made.text).toBe(201)
    expect(made.body).toMatchObject({
      source: 'manual',
      startAt: '2031-05-05T08:00:00.000Z',
      attendees: [{ email: lead.email }],
    })
    const { id } = made.body
    expect((await call('PUT', `/v2/meetings/${id}`, made.body)).body.status).toBe('booked')
    const moved = await call('PUT', `/v2/meetings/${id}`, { startAt: '2031-05-05T08:30:00Z' })
    expect(moved.body.status).toBe('rescheduled')
    expect((await call('PUT', `/v2/meetings/${id}`, { endAt: '2031-05-05T08:00:00Z' })).status).toBe(400)
    expect((await call('PUT', `/v2/meetings/${id}`, { status: 'no_show' })).body.status).toBe('no_show')
    expect((await leadRow(lead.leadId)).interest).toBe('no_show')
    expect((await call('PUT', `/v2/meetings/${id}`, { status: 'completed' })).body.status).toBe('completed')
    expect((await leadRow(lead.leadId)).interest).toBe('meeting_completed')
    const refused = await call('PUT', `/v2/meetings/${id}`, { status: 'booked' })
    expect([refused.status, refused.body.error.details.allowedActions]).toEqual([409, ['no_show']])
    expect((await call('GET', '/v2/meetings?status=completed&from=2031-01-01T00:00:00Z')).body.results).toHaveLength(1)
    expect((await server.call('GET', `/v2/meetings/${id}`, { key: server.other.keys.live })).status).toBe(404)
    expect((await call('DELETE', `/v2/meetings/${id}`)).body).toEqual({ id, deleted: true })
    const elsewhere = { title: 'x', startAt: '2031-05-05T08:00:00Z', endAt: '2031-05-05T09:00:00Z' }
    for (const of of [
      { leadId: 'led_nobody' },
      { leadId: lead.leadId, campaignId: 'cmp_other' },
      { campaignId: 'cmp_x' },
    ])
      expect((await call('POST', '/v2/meetings', { ...elsewhere, ...of })).status).toBe(404)
  })

  test('are reminded of and completed once, by their latest time', async () => {
    const lead = await makeLead()
    const made = (
      await call('POST', '/v2/meetings', {
        leadId: lead.leadId,
        title: 'Demo',
        startAt: '2031-05-05T08:00:00Z',
        endAt: '2031-05-05T08:30:00Z',
      })
    ).body
    await call('PUT', `/v2/meetings/${made.id}`, { startAt: '2031-06-05T08:00:00Z', endAt: '2031-06-05T08:30:00Z' })
    mails = []
    const status = async (now: string) => {
      await runDueJobs(server.app, server.tenant, new Date(now), meetingJobs(depsOf(server.app)))
      return (await call('GET', `/v2/meetings/${made.id}`)).body.status
    }
    expect(await status('2031-05-06T00:00:00Z')).toBe('rescheduled')
    expect(mails).toEqual([])
    expect(await status('2031-06-05T07:30:00Z')).toBe('rescheduled')
    expect(mails.map(({ subject }) => subject.slice(0, 9))).toEqual(['Reminder:', 'Reminder:'])
    // If a process dies between the mail and the end of its job, the job runs again.
    const [, remind] = meetingJobs(depsOf(server.app))
    const context = { app: server.app, tenant: server.tenant, now: new Date('2031-06-05T07:31:00Z') } as JobContext
    for (const minutes of [1440, 60, 60, 1440])
      await remind!.run(context, { meetingId: made.id, startAt: '2031-06-05T08:00:00.000Z', minutes })
    expect(mails).toHaveLength(2)
    expect(await status('2031-06-05T08:30:00Z')).toBe('completed')
    expect((await leadRow(lead.leadId)).interest).toBe('meeting_booked')
    expect(await eventTypes(lead.leadId)).toContain('meeting.completed')
  })
})

describe('external calendars', () => {
  const calendar = (change: Partial<CalendarMessage>): CalendarMessage => ({
    method: 'REQUEST',
    uid: 'abc@google.com',
    sequence: 0,
    title: 'Call',
    startAt: new Date('2031-05-05T08:00:00Z'),
    endAt: new Date('2031-05-05T08:30:00Z'),
    timezone: 'UTC',
    joinUrl: null,
    organizer: null,
    attendees: [],
    ...change,
  })
  const receive = (
    leadId: string,
    change: Partial<CalendarMessage>,
    by: Partial<Pick<ReceivedCalendar, 'from' | 'proof'>> = {},
  ) =>
    server.app.db.transaction((tx) =>
      receiveCalendar(server.app, tx, server.tenant, {
        calendar: calendar(change),
        leadId,
        from: 'someone@example.com',
        proof: 'message_id',
        ...by,
        now: new Date('2031-05-01'),
      }),
    )

  test("a lead's invitation books, its update moves, its cancellation cancels; others' do nothing", async () => {
    const lead = await makeLead()
    const stranger = await makeLead()
    expect(await receive(lead.leadId, {})).toMatchObject({ status: 'booked', source: 'calendar_invite' })
    expect(await receive(lead.leadId, {})).toMatchObject({ status: 'booked' })
    expect(await receive(stranger.leadId, { method: 'CANCEL' })).toBeNull()
    const moved = { sequence: 1, startAt: new Date('2031-05-06T08:00:00Z'), endAt: new Date('2031-05-06T08:30:00Z') }
    expect(await receive(lead.leadId, moved)).toMatchObject({ status: 'rescheduled' })
    expect(await receive(lead.leadId, {})).toMatchObject({ startAt: moved.startAt })
    expect(await receive(lead.leadId, { method: 'CANCEL', sequence: 2 })).toMatchObject({ status: 'canceled' })
    const types = (await eventTypes(lead.leadId)).filter((type) => type.startsWith('meeting.'))
    expect(types).toEqual(['meeting.booked', 'meeting.rescheduled', 'meeting.canceled'])
  })

  test.each(['unknown', 'none'] as const)(
    'mail with the proof `%s` books, moves and cancels nothing',
    async (proof) => {
      const lead = await makeLead()
      const attendees = [{ email: lead.email, name: null, status: 'accepted' as const }]
      const uid = `unproven-${proof}`
      expect(await receive(lead.leadId, { uid }, { proof })).toBeNull()
      expect(await receive(lead.leadId, { uid, method: 'REPLY', attendees }, { proof })).toBeNull()
      expect(await receive(lead.leadId, { uid })).toMatchObject({ status: 'booked' })
      const moved = {
        uid,
        sequence: 1,
        startAt: new Date('2031-05-06T08:00:00Z'),
        endAt: new Date('2031-05-06T09:00:00Z'),
      }
      expect(await receive(lead.leadId, moved, { proof })).toBeNull()
      expect(await receive(lead.leadId, { uid, sequence: 2, method: 'CANCEL' }, { proof })).toBeNull()
      const types = (await eventTypes(lead.leadId)).filter((type) => type.startsWith('meeting.'))
      expect(types).toEqual(['meeting.booked'])
    },
  )

  test('an invitation with unknown time books nothing, and its cancellation still cancels', async () => {
    const lead = await makeLead()
    expect(await receive(lead.leadId, { uid: 'u1', timeUnknown: true })).toBeNull()
    expect(await eventTypes(lead.leadId)).not.toContain('meeting.booked')
    const attendees = [{ email: lead.email, name: null, status: 'accepted' as const }]
    expect(await receive(lead.leadId, { uid: 'u1', method: 'REPLY', timeUnknown: true, attendees })).toBeNull()
    const booked = await receive(lead.leadId, { uid: 'u1' })
    const later = { startAt: new Date('2031-05-07T08:00:00Z'), endAt: new Date('2031-05-07T08:30:00Z') }
    expect(await receive(lead.leadId, { uid: 'u1', sequence: 1, timeUnknown: true, ...later })).toMatchObject({
      startAt: booked!.startAt,
    })
    const withdrawn = { uid: 'u1', sequence: 2, method: 'CANCEL', timeUnknown: true } as const
    expect(await receive(lead.leadId, withdrawn)).toMatchObject({ status: 'canceled' })
  })

  test('are found among the parts of a message, and invalid ones change nothing', async () => {
    const lead = await makeLead()
    const hook = calendarHook(server.app)
    const take = async (text: string) => {
      const calendar = readCalendar([{ contentType: 'text/calendar; method=REQUEST', text }])
      const found = { leadId: lead.leadId, from: lead.email, proof: 'message_id', now: new Date('2031-05-01') } as const
      if (calendar !== null) await server.app.db.transaction((tx) => hook(tx, server.tenant, { calendar, ...found }))
    }
    await take('BEGIN:VCALENDAR')
    await take(
      'BEGIN:VCALENDAR\r\nMETHOD:REQUEST\r\nBEGIN:VEVENT\r\nUID:x@example.com\r\nDTSTART:20310505T080000Z\r\n' +
        'DTEND:20310505T083000Z\r\nSUMMARY:Talk\r\nEND:VEVENT\r\nEND:VCALENDAR',
    )
    const { body } = await call('GET', `/v2/meetings?leadId=${lead.leadId}`)
    expect(body.results).toMatchObject([
      { title: 'Talk', source: 'calendar_invite', startAt: '2031-05-05T08:00:00.000Z' },
    ])
  })

  test('accepting an external invitation books a meeting, declining ours cancels it', async () => {
    const lead = await makeLead()
    const given = (status: 'accepted' | 'declined') => ({
      method: 'REPLY' as const,
      attendees: [{ email: lead.email, name: null, status }],
    })
    expect(await receive(lead.leadId, given('declined'))).toBeNull()
    expect(await receive(lead.leadId, given('accepted'))).toMatchObject({ status: 'booked', leadId: lead.leadId })
    expect(await receive(lead.leadId, given('declined'))).toMatchObject({ status: 'canceled' })
  })

  test('default availability can be edited and put back', async () => {
    const inTest = (method: string, body?: unknown) =>
      server.call(method, '/v2/meetings/availability', { key: server.keys.test, body })
    const read = await inTest('GET')
    expect(read.body.updatedAt).toBeNull()
    const changed = await inTest('PUT', { ...read.body, minNoticeMinutes: 77 })
    expect([changed.status, changed.body.minNoticeMinutes]).toEqual([200, 77])
    expect((await inTest('PUT', { ...changed.body, minNoticeMinutes: 78 })).status).toBe(200)
    expect((await inTest('PUT', read.body)).status).toBe(400)
  })

  test('Cal.com and Calendly events need a valid signature, and count once', async () => {
    const lead = await makeLead()
    await call('PUT', '/v2/meetings/availability', { calComSecret: 'cal secret', calendlySigningKey: 'calendly key' })
    expect((await call('GET', '/v2/meetings/availability')).text).not.toContain('cal secret')
    const { accountId } = server.tenant
    const created = {
      triggerEvent: 'BOOKING_CREATED',
      payload: {
        uid: 'u1',
        title: 'Cal',
        startTime: '2031-05-05T08:00:00Z',
        endTime: '2031-05-05T08:30:00Z',
        attendees: [{ email: lead.email, name: 'Z', timeZone: 'Europe/Paris' }],
      },
    }
    const calCom = (hook: { triggerEvent: string; payload: object }, secret: string | null = 'cal secret') =>
      server.call(
        'POST',
        `/hooks/cal-com/${accountId}`,
        calComWebhook(hook.triggerEvent, hook.payload, { secret, sentAt: new Date() }),
      )
    expect((await calCom(created, 'wrong')).status).toBe(401)
    expect((await calCom(created, null)).status).toBe(401)
    expect((await calCom({ triggerEvent: 'PING', payload: created.payload })).body.meetingId).toBeNull()
    const { meetingId } = (await calCom(created)).body
    expect((await calCom(created)).body.meetingId).toBe(meetingId)
    const moved = {
      triggerEvent: 'BOOKING_RESCHEDULED',
      payload: { ...created.payload, uid: 'u2', rescheduleUid: 'u1', startTime: '2031-05-05T08:10:00Z' },
    }
    expect((await calCom(moved)).body.meetingId).toBe(meetingId)
    expect((await call('GET', `/v2/meetings/${meetingId}`)).body).toMatchObject({
      status: 'rescheduled',
      source: 'cal_com',
      timezone: 'Europe/Paris',
      leadId: lead.leadId,
    })
    expect((await calCom({ triggerEvent: 'BOOKING_CANCELLED', payload: { ...moved.payload } })).body.meetingId).toBe(
      meetingId,
    )
    expect((await call('GET', `/v2/meetings/${meetingId}`)).body.status).toBe('canceled')

    const other = await makeLead()
    const invitee = {
      event: 'invitee.created',
      payload: {
        uri: 'https://api.calendly.com/i/1',
        email: other.email,
        name: 'O',
        timezone: 'UTC',
        scheduled_event: {
          name: 'Call',
          start_time: '2031-05-07T08:00:00Z',
          end_time: '2031-05-07T08:30:00Z',
          location: { join_url: 'https://meet.example.com/1' },
        },
      },
    }
    const calendly = (hook: { event: string; payload: object }, timestampS: number) =>
      server.call(
        'POST',
        `/hooks/calendly/${accountId}`,
        calendlyWebhook(hook.event, hook.payload, { secret: 'calendly key', sentAt: new Date(timestampS * 1000) }),
      )
    const nowS = Math.floor(server.app.clock.now().getTime() / 1000)
    expect((await calendly(invitee, nowS - 3600)).status).toBe(401)
    const second = (await calendly(invitee, nowS)).body.meetingId
    expect((await call('GET', `/v2/meetings/${second}`)).body).toMatchObject({
      source: 'calendly',
      joinUrl: 'https://meet.example.com/1',
      leadId: other.leadId,
    })
    expect((await leadRow(other.leadId)).interest).toBe('meeting_booked')
  })
})
