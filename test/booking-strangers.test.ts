import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestServer } from '@overture/testing/server.ts'
import { startWholeServer } from '@overture/testing/server/whole-server.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs

let server: TestServer
let senderId: string
let page: string

const call = (method: string, path: string, body?: unknown) =>
  server.call(method, path, { key: server.keys.test, body })
const succeed = async (method: string, path: string, body?: unknown) => {
  const answer = await call(method, path, body)
  expect([path, answer.status < 300, answer.text]).toEqual([path, true, expect.anything()])
  return answer.body
}

const everyDay = { days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'], from: '00:00', to: '24:00' }

beforeAll(async () => {
  server = await startWholeServer()
  await succeed('POST', '/v2/sandbox/clock', { frozen: true })
  await succeed('POST', '/v2/sandbox/clock/advance', { to: '2027-02-01T07:00:00.000Z' })
  const sender = { email: 'mara@run.test', fromName: 'Mara Vogel', provider: 'sandbox', timezone: 'UTC' }
  const pace = { dailyLimit: 10_000, minGapSeconds: 0, maxGapSeconds: 0 }
  senderId = (await succeed('POST', '/v2/sending-accounts', { ...sender, ...pace })).id
  const times = { windows: [everyDay], minNoticeMinutes: 0, slotStepMinutes: 5, durationMinutes: 5, maxDaysAhead: 30 }
  const set = await succeed('PUT', '/v2/meetings/availability', { ...times, slug: 'mara-vogel', reminderMinutes: [] })
  page = new URL(set.bookingUrl).pathname
})
afterAll(() => server.stop())

let visitors = 0
const form = (path: string, fields: Record<string, string>) =>
  server.call('POST', path, {
    body: new URLSearchParams(fields).toString(),
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'x-forwarded-for': `2001:db8:${(++visitors).toString(16)}::1`,
    },
  })

interface Mail {
  id: string
  at: number
  subject: string
  link: string | null
}

/** The messages that an address received, oldest first. */
async function mailsTo(email: string): Promise<Mail[]> {
  const mails: Mail[] = []
  for (let number = 1; ; number++) {
    const { results, pagination } = await succeed('GET', `/v2/sandbox/messages?limit=100&page=${number}`)
    for (const { id, to, at } of results as { id: string; to: string[]; at: string }[]) {
      if (!to.includes(email)) continue
      const { subject, text } = await succeed('GET', `/v2/sandbox/messages/${id}`)
      const url = /https?:\/\/\S+\/b\/\S+/.exec(text)?.[0]
      mails.push({ id, at: Date.parse(at), subject, link: url === undefined ? null : new URL(url).pathname })
    }
    if (number >= pagination.totalPages) return mails.toSorted((a, b) => a.at - b.at)
  }
}

/** The largest number of messages within any 24 hours. */
function mostPerDay(mails: readonly Mail[]): number {
  return Math.max(0, ...mails.map(({ at }) => mails.filter((one) => one.at <= at && at - one.at < dayMs).length))
}

async function startAtIn(minutes: number): Promise<string> {
  const { now } = await succeed('GET', '/v2/sandbox/clock')
  return new Date(Math.ceil(Date.parse(now) / 300_000) * 300_000 + minutes * 60_000).toISOString()
}

let people = 0
const someone = (name: string) => `${name}${++people}@prospects.test`

test('no stranger can send others more than three emails a day or stop their sequences', async () => {
  const act = fc.constantFrom('ask_victim', 'ask_lead', 'ask_self', 'confirm', 'move', 'cancel', 'wait', 'wait')
  await fc.assert(
    fc.asyncProperty(fc.array(act, { minLength: 5, maxLength: 25 }), async (acts) => {
      const [victim, lead, self] = [someone('victim'), someone('lead'), someone('stranger')]
      const campaign = await succeed('POST', '/v2/campaigns/launch', {
        name: 'Spring',
        sendingAccountIds: [senderId],
        schedule: { timezone: 'UTC', windows: [everyDay] },
        steps: [
          { variants: [{ subject: 'Hello', body: 'Hello' }] },
          { waitBefore: { value: 60, unit: 'days' }, variants: [{ body: 'Again' }] },
        ],
        leads: [{ email: lead }],
      })
      await succeed('POST', '/v2/sandbox/clock/advance', { by: '10m' })
      let minutes = 60
      const ask = async (email: string) => {
        minutes += 5
        await form(page, { startAt: await startAtIn(minutes), timezone: 'UTC', name: 'Eve', email })
      }
      const own = async () => (await mailsTo(self)).findLast((mail) => mail.link !== null)?.link ?? page
      for (const one of acts) {
        if (one === 'ask_victim') await ask(victim)
        else if (one === 'ask_lead') await ask(lead.toUpperCase())
        else if (one === 'ask_self') await ask(self)
        else if (one === 'confirm') await form(await own(), {})
        else if (one === 'move') {
          minutes += 5
          await form(await own(), { startAt: await startAtIn(minutes), timezone: 'UTC' })
        } else if (one === 'cancel') await form(await own(), { action: 'cancel' })
        else await succeed('POST', '/v2/sandbox/clock/advance', { by: '20m' })
      }
      await succeed('POST', '/v2/sandbox/clock/advance', { by: '20m' })
      const toLead = (await mailsTo(lead.toUpperCase()))
        .concat(await mailsTo(lead))
        .filter((mail) => mail.subject !== 'Hello')
      for (const mails of [await mailsTo(victim), toLead]) {
        expect(mails.every((mail) => mail.subject.startsWith('Please confirm'))).toBe(true)
        expect(mostPerDay(mails)).toBeLessThanOrEqual(3)
      }
      expect(mostPerDay(await mailsTo(self))).toBeLessThanOrEqual(10)
      const { results } = await succeed('GET', `/v2/campaigns/${campaign.id}/leads`)
      expect(results).toMatchObject([{ email: lead, status: 'active', interest: null }])
      const meetings = await succeed('GET', '/v2/meetings?limit=100')
      const attendees = meetings.results.flatMap((one: { attendees: { email: string }[] }) => one.attendees)
      expect(attendees.filter(({ email }: { email: string }) => [victim, lead].includes(email.toLowerCase()))).toEqual(
        [],
      )
    }),
    { numRuns: 8 },
  )
})

test('a suppressed address gets no confirmation and no mail about a meeting', async () => {
  const [gone, guest] = [someone('gone'), someone('guest')]
  await succeed('POST', '/v2/suppressions', { email: gone })
  await succeed('POST', '/v2/sandbox/clock/advance', { by: '2h' })
  for (const [index, email] of [gone, guest].entries()) {
    const submitted = await form(page, { startAt: await startAtIn(600 + index * 5), timezone: 'UTC', name: 'V', email })
    // Both get the same response, so that a visitor can't find out whether an address is suppressed.
    expect([submitted.status, submitted.text.includes(`We are sending an email to ${email}`)]).toEqual([202, true])
  }
  await succeed('POST', '/v2/sandbox/clock/advance', { by: '10m' })
  expect(await mailsTo(gone)).toEqual([])
  const [question] = await mailsTo(guest)
  const booked = await form(question!.link!, {})
  expect(booked.status).toBe(303)
  await succeed('POST', '/v2/sandbox/clock/advance', { by: '10m' })
  expect((await mailsTo(guest)).map((mail) => mail.subject.split(':')[0])).toEqual(['Please confirm', 'Invitation'])
  await succeed('POST', '/v2/suppressions', { email: guest })
  const manage = booked.headers.get('location')!
  expect((await form(manage, { startAt: await startAtIn(900), timezone: 'UTC' })).status).toBe(303)
  await succeed('POST', '/v2/sandbox/clock/advance', { by: '10m' })
  expect(await mailsTo(guest)).toHaveLength(2)
  const kept = await server.app.db.query<{ status: string; failure: object }>(
    `select status, failure from messages where kind = 'notification' and to_addresses->0->>'email' = any($1) and status <> 'sent'`,
    [[gone, guest]],
  )
  expect(kept).toMatchObject([1, 2].map(() => ({ status: 'failed', failure: { type: 'suppressed' } })))
})
