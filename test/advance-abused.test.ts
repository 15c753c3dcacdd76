import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startRunningServer, type RunningProduct } from '@overture/testing/server/running-server.ts'

/** A Monday. */
const startsAt = '2027-02-01T07:00:00.000Z'

let server: RunningProduct
let receiver: Server
const received: { type: string; occurredAt: string; campaignId: string | null }[] = []

beforeAll(async () => {
  server = await startRunningServer({ OVERTURE_ALLOW_PRIVATE_TARGETS: '1' })
  receiver = createServer((request, response) => {
    void text(request).then((body) => {
      const { type, occurredAt, data } = JSON.parse(body)
      received.push({ type, occurredAt, campaignId: data.campaignId })
      response.end()
    })
  })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  await server.test('POST', '/v2/sandbox/clock', { frozen: true })
  await advance({ to: startsAt })
})
afterAll(async () => {
  receiver.close()
  await server.stop()
})

const advance = (body: object) => server.test('POST', '/v2/sandbox/clock/advance', body)
const clock = async () => (await server.test('GET', '/v2/sandbox/clock')).body.now as string
interface Happened {
  type: string
  occurredAt: string
  data: { campaignId: string | null; leadId: string; stepId: string; leadEmail: string }
}

async function eventsOf(campaignId: string, type: string): Promise<Happened[]> {
  const all: Happened[] = []
  for (let cursor = ''; ;) {
    const { body } = await server.test('GET', `/v2/events?type=${type}&limit=100${cursor}`)
    all.push(...body.results)
    if (body.nextCursor === null) return all.filter(({ data }) => data.campaignId === campaignId)
    cursor = `&cursor=${encodeURIComponent(body.nextCursor)}`
  }
}

async function launch(name: string, leads: number, tag = '') {
  const sender = await server.test('POST', '/v2/sending-accounts', {
    email: `${name}@sender.test`,
    fromName: name,
    provider: 'sandbox',
    timezone: 'UTC',
    minGapSeconds: 60,
    maxGapSeconds: 120,
    dailyLimit: 200,
  })
  const launched = await server.test('POST', '/v2/campaigns/launch', {
    name,
    sendingAccountIds: [sender.body.id],
    schedule: { timezone: 'UTC', windows: [{ days: ['mon', 'tue', 'wed', 'thu', 'fri'], from: '09:00', to: '17:00' }] },
    steps: [0, 3, 3].map((days) => ({
      waitBefore: { value: days, unit: 'days' },
      variants: [{ subject: days === 0 ? 'Hi {{ firstName }}' : '', body: '<p>Hello</p>' }],
    })),
    leads: Array.from({ length: leads }, (_, index) => ({
      email: `${name}${index}${tag}@prospects.test`,
      firstName: 'A',
    })),
  })
  expect([launched.status, launched.body.error ?? launched.body.status]).toEqual([201, 'active'])
  return { id: launched.body.id as string, senderId: sender.body.id as string }
}

describe('while the test clock moves', () => {
  test('other requests are done in turn, no lead is emailed twice, and webhooks are in order', async () => {
    const { port } = receiver.address() as AddressInfo
    const hook = await server.test('POST', '/v2/webhooks', {
      url: `http://127.0.0.1:${port}/`,
      events: ['message.sent'],
    })
    expect(hook.status).toBe(201)
    // Enough leads to keep the clock moving while the requests below are sent.
    const paused = await launch('paused', 200)
    const changed = await launch('changed', 200, '+open')
    const before = await clock()
    const running = advance({ by: '3w' })
    await expect.poll(clock, { timeout: 60_000, interval: 20 }).not.toBe(before)
    const second = await advance({ by: '1d' })
    expect(second).toMatchObject({
      status: 409,
      body: { error: { code: 'CONFLICT', details: { currentStatus: 'advancing', allowedActions: [] } } },
    })
    const { body: known } = await server.test('GET', `/v2/campaigns/${changed.id}/leads?limit=1`)
    const added = Array.from({ length: 10 }, (_, index) => ({ email: `late${index}@prospects.test`, firstName: 'L' }))
    const responses = await Promise.all([
      server.test('POST', `/v2/campaigns/${paused.id}/pause`),
      server.test('PUT', `/v2/sending-accounts/${changed.senderId}`, { dailyLimit: 150 }),
      server.test('POST', `/v2/campaigns/${changed.id}/leads`, { leads: added }),
      server.test('POST', '/v2/suppressions', { email: known.results[0].email }),
    ])
    expect(responses.map(({ status }) => status).filter((status) => status >= 300)).toEqual([])
    expect((await server.test('DELETE', `/v2/campaigns/${changed.id}`)).status).toBe(409)
    expect((await server.test('DELETE', `/v2/campaigns/${paused.id}`)).status).toBeLessThan(300)
    expect((await running).status).toBe(200)
    expect((await server.test('GET', '/v2/sandbox/clock')).body.frozen).toBe(true)

    const sent = await eventsOf(changed.id, 'message.sent')
    const steps = sent.map(({ data }) => `${data.leadId} ${data.stepId}`)
    expect(new Set(steps).size).toBe(steps.length)
    const late = sent.filter(({ data }) => data.leadEmail.startsWith('late'))
    expect(late.length).toBeGreaterThanOrEqual(20)
    expect((await server.test('GET', `/v2/campaigns/${changed.id}`)).body.status).toBe('completed')
    const stoppedAt = (await eventsOf(paused.id, 'campaign.paused'))[0]?.occurredAt ?? ''
    for (const { occurredAt } of await eventsOf(paused.id, 'message.sent')) expect(occurredAt <= stoppedAt).toBe(true)

    const own = () => received.filter(({ campaignId }) => campaignId === changed.id).map(({ occurredAt }) => occurredAt)
    await expect.poll(() => own().length, { timeout: 60_000 }).toBe(sent.length)
    expect(own()).toEqual([...own()].sort())
    expect(own()).toEqual(sent.map(({ occurredAt }) => occurredAt).sort())
  })

  test('hostile text from a prospect stays text', async () => {
    const campaign = await launch('hostile', 1)
    await advance({ by: '3d' })
    const [lead] = (await server.test('GET', `/v2/campaigns/${campaign.id}/leads`)).body.results
    const words = [
      'Hi\r\nBcc: victim@example.com\r\n\r\nInjected body',
      '.\r\nQUIT\r\n',
      '--=_alt_boundary--\r\nContent-Type: text/html\r\n\r\n<script>alert(1)</script>',
      '\u2028\u2029\u202e <img src=x onerror=alert(1)>',
      '> '.repeat(2000),
    ]
    for (const text of words) {
      const answer = await server.test('POST', '/v2/sandbox/inbound', { leadId: lead.id, kind: 'reply', text: text })
      expect([text.slice(0, 10), answer.status]).toEqual([text.slice(0, 10), 200])
      const mail = (await server.test('GET', `/v2/sandbox/messages/${answer.body.id}`)).body
      expect(mail.headers.map(({ name }: { name: string }) => name.toLowerCase())).not.toContain('bcc')
      expect(mail.to).toEqual(['hostile@sender.test'])
      expect(mail.text.replaceAll('\r\n', '\n')).toContain(text.replaceAll('\r\n', '\n').trimEnd().slice(0, 500))
      expect(mail.html).not.toMatch(/<(script|img)/)
    }
    for (const bad of ['x'.repeat(2_000_000), 5, null, { a: 1 }, '\u0000\ud800']) {
      const answer = await server.test('POST', '/v2/sandbox/inbound', { leadId: lead.id, kind: 'reply', text: bad })
      expect(answer.status).toBeLessThan(500)
    }
    const other = await server.live('POST', '/v2/sandbox/inbound', { leadId: lead.id, kind: 'reply', text: 'x' })
    expect(other.status).toBe(404)
    const { body } = await server.test('GET', `/v2/campaigns/${campaign.id}/leads/${lead.id}`)
    expect(body.status).toBe('replied')
  })
})
