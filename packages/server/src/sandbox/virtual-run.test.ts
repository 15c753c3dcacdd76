import { campaignTools } from '@overture/testing/campaign-tools.ts'
import { sumAiCost } from '../ai/index.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { analyticsRoutes } from '../analytics/index.ts'
import { campaignJobs, campaignRoutes } from '../campaigns/index.ts'
import { readBalance } from '../credits/index.ts'
import { deliveryJobs, deliveryRoutes, noFaults, type DeliveryTools } from '../delivery/index.ts'
import { meetingJobs } from '../meetings/index.ts'
import type { App } from '../platform/app.ts'
import type { JobHandler } from '../platform/jobs/job.ts'
import { startTestServer, type TestServer } from '@overture/testing/server.ts'
import { testRenderer } from '@overture/testing/renderer.ts'
import { sendingAccountsRoutes } from '../sending-accounts/index.ts'
import { createSandbox, createSandboxTransport, sandboxJobs, sandboxRoutes } from './index.ts'
import type { SandboxTools } from './virtual-world.ts'

let server: TestServer

function compose(app: App): SandboxTools {
  const transport = createSandboxTransport(app)
  const delivery: DeliveryTools = {
    app,
    renderer: testRenderer,
    transportFor: () => transport,
    faults: noFaults,
    sentFolder: null,
  }
  const meetings = { app, queueMail: () => Promise.resolve() }
  const jobs: JobHandler[] = []
  const tools = createSandbox({ delivery, meetings, jobs: () => jobs })
  jobs.push(...campaignJobs(), ...deliveryJobs(delivery), ...meetingJobs(meetings), ...sandboxJobs(tools))
  return tools
}

const noReactions = { senderChanged: () => Promise.resolve() }

beforeAll(async () => {
  server = await startTestServer({
    routes: ({ app }) => [
      ...sandboxRoutes(compose(app)),
      ...campaignRoutes(campaignTools),
      ...sendingAccountsRoutes(noReactions as never),
      ...deliveryRoutes(campaignTools),
      ...analyticsRoutes({ readBalance, sumAiCost }),
    ],
  })
  const clock = await post('/v2/sandbox/clock', { frozen: true })
  expect(clock.status).toBe(200)
  await post('/v2/sandbox/clock/advance', { to: '2027-02-01T07:00:00.000Z' })
})
afterAll(() => server.stop())

const post = (path: string, body: unknown) => server.call('POST', path, { key: server.keys.test, body })
const get = (path: string) => server.call('GET', path, { key: server.keys.test })

async function makeSender(email: string, fields: object = {}): Promise<string> {
  const made = await post('/v2/sending-accounts', {
    email,
    fromName: 'Mara Vogel',
    provider: 'sandbox',
    timezone: 'Europe/Berlin',
    dailyLimit: 100,
    minGapSeconds: 60,
    maxGapSeconds: 240,
    ...fields,
  })
  expect([made.status, made.body]).toEqual([201, expect.anything()])
  return made.body.id
}

const step = (days: number, body: string) => ({
  waitBefore: { value: days, unit: 'days' },
  variants: [{ subject: days === 0 ? 'Hello {{ firstName }}' : '', body }],
})

function campaignOf(senderIds: string[], fields: object = {}) {
  return {
    name: 'Run',
    sendingAccountIds: senderIds,
    schedule: {
      timezone: 'Europe/Berlin',
      windows: [{ days: ['mon', 'tue', 'wed', 'thu', 'fri'], from: '09:00', to: '17:00' }],
    },
    settings: { openTracking: true, linkTracking: true },
    steps: [
      step(0, '<p>Hi {{ firstName }}, <a href="https://example.com/page">look</a></p>'),
      step(3, '<p>Two</p>'),
      step(4, '<p>Three</p>'),
      step(5, '<p>Four</p>'),
    ],
    ...fields,
  }
}

const leadsOf = (count: number, name: string, tag = '') =>
  Array.from({ length: count }, (_, index) => ({
    email: `${name}${index}${tag}@prospects.test`,
    firstName: `N${index}`,
  }))

describe('the engine under the virtual clock', () => {
  test('60 leads with 4 steps have 21 days as forecast', async () => {
    const senders = [await makeSender('a@run.test'), await makeSender('b@run.test'), await makeSender('c@run.test')]
    const launched = await post('/v2/campaigns/launch', { ...campaignOf(senders), leads: leadsOf(60, 'quiet') })
    expect([launched.status, launched.body.status]).toEqual([201, 'active'])
    const forecast = (await get(`/v2/campaigns/${launched.body.id}/forecast`)).body
    const happened = await post('/v2/sandbox/clock/advance', { by: '21d' })
    expect(happened.status).toBe(200)
    expect(happened.body).toMatchObject({ sent: 240, delivered: 240, bounced: 0, opened: 0, replied: 0 })
    const planned = forecast.days.map((day: { date: string; first: number; followUp: number }) => [
      day.date,
      day.first + day.followUp,
    ])
    expect(happened.body.byDay.map((day: { date: string; sent: number }) => [day.date, day.sent])).toEqual(planned)
    expect(forecast.unscheduled).toEqual([])
    expect((await get(`/v2/campaigns/${launched.body.id}`)).body.status).toBe('completed')
  })

  test('prospects open, click, opt out and book by their tags', async () => {
    const sender = await makeSender('d@run.test', { dailyLimit: 1000, minGapSeconds: 0, maxGapSeconds: 0 })
    const leads = [
      ...leadsOf(8, 'opener', '+open'),
      ...leadsOf(4, 'clicker', '+click'),
      ...leadsOf(2, 'leaver', '+unsubscribe'),
      ...leadsOf(2, 'booker', '+book'),
    ]
    const launched = await post('/v2/campaigns/launch', { ...campaignOf([sender]), leads })
    const happened = (await post('/v2/sandbox/clock/advance', { by: '3w' })).body
    const stats = (await get(`/v2/campaigns/${launched.body.id}/stats`)).body
    expect(stats).toMatchObject({
      contacted: 16,
      uniqueOpened: 12,
      uniqueClicked: 4,
      unsubscribed: 2,
      meetingsBooked: 2,
      replied: 0,
    })
    expect(stats.machineOpened).toBeGreaterThan(0)
    expect(happened).toMatchObject({ unsubscribed: 2, meetingsBooked: 2, sent: 12 * 4 + 4 })
  })

  test('prospects reply, bounce and are away through the real inbox', async () => {
    const sender = await makeSender('e@run.test', { dailyLimit: 1000, minGapSeconds: 0, maxGapSeconds: 0 })
    const settings = { bounceProtection: { enabled: false } }
    const leads = [
      ...leadsOf(3, 'answerer', '+reply'),
      ...leadsOf(3, 'keen', '+interested'),
      ...leadsOf(3, 'away', '+ooo'),
      ...leadsOf(3, 'gone', '+bounce'),
      ...leadsOf(3, 'full', '+softbounce'),
    ]
    const launched = await post('/v2/campaigns/launch', { ...campaignOf([sender]), settings, leads })
    const happened = (await post('/v2/sandbox/clock/advance', { by: '4w' })).body
    expect(happened).toMatchObject({ replied: 6, interested: 3, autoReplied: 3, bounced: 6, sent: 3 + 3 + 12 + 3 + 12 })
    const stats = (await get(`/v2/campaigns/${launched.body.id}/stats`)).body
    expect(stats).toMatchObject({ uniqueReplied: 6, interested: 3, autoReplied: 3, bounced: 6, unsubscribed: 0 })
    const byStatus = async (status: string) =>
      (await get(`/v2/campaigns/${launched.body.id}/leads?status=${status}`)).body.pagination.totalCount
    expect([await byStatus('replied'), await byStatus('bounced'), await byStatus('completed')]).toEqual([6, 3, 6])
    expect((await get(`/v2/campaigns/${launched.body.id}`)).body.status).toBe('completed')
  })

  test('a simulated reply stops the sequence', async () => {
    const sender = await makeSender('f@run.test', { minGapSeconds: 0, maxGapSeconds: 0 })
    const launched = await post('/v2/campaigns/launch', { ...campaignOf([sender]), leads: leadsOf(2, 'asked') })
    const early = (await get(`/v2/campaigns/${launched.body.id}/leads`)).body.results
    const tooSoon = await post('/v2/sandbox/inbound', { leadId: early[0].id, kind: 'reply', text: 'Hello?' })
    expect([tooSoon.status, tooSoon.body.error.code]).toEqual([409, 'CONFLICT'])
    await post('/v2/sandbox/clock/advance', { by: '3d' })
    const answered = await post('/v2/sandbox/inbound', {
      leadId: early[0].id,
      kind: 'reply',
      text: 'Call me on Monday.',
    })
    expect([answered.status, answered.body.leadId]).toEqual([200, early[0].id])
    const lead = (await get(`/v2/campaigns/${launched.body.id}/leads?status=replied`)).body.results
    expect(lead.map((one: { id: string }) => one.id)).toEqual([early[0].id])
  })

  test("a prospect's message is available as raw and rendered", async () => {
    const list = await get('/v2/sandbox/messages?limit=1&direction=to_prospect')
    expect(list.body.results).toHaveLength(1)
    const message = (await get(`/v2/sandbox/messages/${list.body.results[0].id}`)).body
    expect(message.raw).toContain('\r\nList-Unsubscribe-Post: List-Unsubscribe=One-Click\r\n')
    expect(message.html).toContain('<')
    expect(message.headers.map((header: { name: string }) => header.name)).toContain('Message-ID')
  })
})
