import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '@overture/testing/server.ts'
import { createReadingThreads, type ReadingThreads } from '../../inbox/index.ts'
import type { JobContext } from '../../platform/jobs/job.ts'
import { bookingPages, busyCalendarJob, meetingRoutes, type MeetingTools } from '../index.ts'

let server: TestServer
let threads: ReadingThreads
let host: Server
let answer: RequestListener

beforeAll(async () => {
  const tools = (app: MeetingTools['app']): MeetingTools => ({ app, queueMail: () => Promise.resolve(0) })
  server = await startTestServer({
    environment: { OVERTURE_ALLOW_PRIVATE_TARGETS: '1' },
    routes: ({ app }) => meetingRoutes(tools(app)),
    publicRoutes: ({ app }) => bookingPages(tools(app)),
  })
  threads = createReadingThreads({ log: server.app.log, ...server.app.config.inbox })
  host = createServer((request, response) => answer(request, response))
  await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve))
})
beforeEach(() => change({ calendarUrl: null, windows, minNoticeMinutes: 0, timezone: 'UTC', maxDaysAhead: 3 }))
afterAll(async () => {
  host.close()
  await threads.stop()
  await server.stop()
})

const windows = [{ days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'], from: '00:00', to: '24:00' }]
const path = '/v2/meetings/availability'
const change = (body: object) => server.call('PUT', path, { key: server.keys.live, body })
const shown = async () => (await server.call('GET', path, { key: server.keys.live })).body
const url = () => `http://127.0.0.1:${(host.address() as AddressInfo).port}/private-abc/basic.ics`
const waiting = () =>
  server.app.db.query<{ environment: string; clock: string }>(
    `select environment, clock from jobs where kind = 'meeting.read_calendar'`,
  )

function read(now: Date): Promise<void> {
  const context = { app: server.app, tenant: server.tenant, now, attempt: 1, signal: new AbortController().signal }
  return busyCalendarJob(threads).run(context as JobContext, {})
}

const compact = (at: Date) => at.toISOString().replaceAll(/[-:]|\.\d+/g, '')

function calendar(startAt: Date, endAt: Date): string {
  const event = ['BEGIN:VEVENT', 'UID:a', `DTSTART:${compact(startAt)}`, `DTEND:${compact(endAt)}`, 'END:VEVENT']
  return ['BEGIN:VCALENDAR', 'VERSION:2.0', ...event, 'END:VCALENDAR'].join('\r\n')
}

async function slots(): Promise<string[]> {
  const page = await server.call('GET', new URL((await shown()).bookingUrl).pathname)
  return [...page.text.matchAll(/value="(\d{4}-\d\d-\d\dT[\d:.]+Z)"/g)].map(([, at]) => at!)
}

test('times at which the calendar is busy are not offered, also while the calendar is away', async () => {
  const now = new Date()
  const tomorrow = new Date(new Date(now.getTime() + 86_400_000).setUTCHours(9, 0, 0, 0))
  const later = new Date(tomorrow.getTime() + 7_200_000)
  const taken = (all: string[]) => all.filter((at) => at >= tomorrow.toISOString() && at < later.toISOString())
  expect(taken(await slots()).length).toBeGreaterThan(0)

  answer = (_request, response) => response.end(calendar(tomorrow, later))
  const changed = await change({ calendarUrl: url() })
  const { host: name } = new URL(url())
  expect([changed.status, changed.body.busyCalendar]).toEqual([
    200,
    { configured: true, host: name, readAt: null, error: null, busyTimes: 0 },
  ])
  expect(changed.text).not.toContain('private-abc')
  expect(await waiting()).toEqual([{ environment: 'live', clock: 'real' }])

  await read(now)
  expect((await shown()).busyCalendar).toEqual({
    configured: true,
    host: name,
    readAt: now.toISOString(),
    error: null,
    busyTimes: 1,
  })
  expect(taken(await slots())).toEqual([])
  expect((await slots()).length).toBeGreaterThan(0)

  answer = (_request, response) => response.writeHead(404).end()
  await read(new Date(now.getTime() + 600_000))
  expect((await shown()).busyCalendar).toMatchObject({
    readAt: now.toISOString(),
    error: 'The server of the calendar answered 404. Copy the address from your calendar program again.',
    busyTimes: 1,
  })
  expect(taken(await slots())).toEqual([])

  await change({ calendarUrl: null })
  expect((await shown()).busyCalendar).toEqual({
    configured: false,
    host: null,
    readAt: null,
    error: null,
    busyTimes: 0,
  })
  expect(taken(await slots()).length).toBeGreaterThan(0)
})

test('a reading of an address that was replaced meanwhile changes nothing', async () => {
  const now = new Date()
  answer = (_request, response) => {
    void change({ calendarUrl: `${url()}?new` }).then(() =>
      response.end(calendar(now, new Date(now.getTime() + 86_400_000))),
    )
  }
  await change({ calendarUrl: url() })
  await read(now)
  expect((await shown()).busyCalendar).toMatchObject({ configured: true, readAt: null, busyTimes: 0 })
})

test.each([
  ['a page that asks to sign in', '<!doctype html><title>Sign in</title>', /shows no calendar/],
  [
    'a rule that no date fulfills',
    [
      'BEGIN:VCALENDAR\nBEGIN:VEVENT\nDTSTART:20260101T090000Z\nDURATION:PT1H',
      'RRULE:FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30\nEND:VEVENT\nEND:VCALENDAR',
    ].join('\n'),
    /a rule that no date fulfills/,
  ],
  ['more than 10 MB', 'x'.repeat(10_000_001), /too large/],
])('%s is told as an error', async (_what, content, error) => {
  answer = (_request, response) => response.end(content)
  await change({ calendarUrl: url() })
  await read(new Date())
  expect((await shown()).busyCalendar).toMatchObject({
    readAt: null,
    busyTimes: 0,
    error: expect.stringMatching(error),
  })
})

test('a redirect to a connection that others can read is not followed', async () => {
  answer = (_request, response) => response.writeHead(302, { location: 'ftp://127.0.0.1/x.ics' }).end()
  await change({ calendarUrl: url() })
  await read(new Date())
  expect((await shown()).busyCalendar.error).toBe('The calendar was moved to an address that is not safe.')
})

test('an address that is no web address is refused by name, and no calendar is read in the test environment', async () => {
  const refused = await change({ calendarUrl: 'file:///etc/passwd' })
  expect([refused.status, refused.body.error.details.issues[0].path]).toEqual([400, 'calendarUrl'])
  await change({ calendarUrl: null })
  await server.app.db.execute(`delete from jobs where kind = 'meeting.read_calendar'`)
  const test = await server.call('PUT', path, { key: server.keys.test, body: { calendarUrl: url() } })
  expect([test.status, test.body.busyCalendar.configured]).toEqual([200, true])
  expect(await waiting()).toEqual([])
})
