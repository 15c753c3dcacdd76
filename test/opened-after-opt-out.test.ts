import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { anyTime } from '@overture/testing/schedules.ts'
import type { TestServer } from '@overture/testing/server.ts'
import { startWholeServer } from '@overture/testing/server/whole-server.ts'

// Each test plays days of whole campaigns.
vi.setConfig({ testTimeout: 300_000 })

let server: TestServer
beforeAll(async () => {
  server = await startWholeServer()
})
afterAll(() => server.stop())

const ask = (method: string, path: string, body?: unknown) =>
  server.call(method, path, { key: server.keys.test, ...(body !== undefined && { body }) })
const post = async (path: string, body: unknown) => {
  const answer = await ask('POST', path, body)
  expect([path, answer.status < 300 ? null : answer.text]).toEqual([path, null])
  return answer.body
}

test('simulated opens and clicks count until the lead opts out', async () => {
  await post('/v2/sandbox/clock', { frozen: true })
  const sender = await post('/v2/sending-accounts', {
    email: 'mara@sender.example.com',
    fromName: 'Mara',
    provider: 'sandbox',
    timezone: 'UTC',
  })
  const campaign = await post('/v2/campaigns', {
    name: 'Tracked',
    schedule: { timezone: 'UTC', ...anyTime },
    sendingAccountIds: [sender.id],
    settings: { openTracking: true, linkTracking: true },
    steps: [{ variants: [{ subject: 'Hello', body: '<a href="https://example.com/a">Read</a>' }] }],
  })
  await post(`/v2/campaigns/${campaign.id}/leads`, { leads: [{ email: 'ann@example.com' }] })
  await post(`/v2/campaigns/${campaign.id}/start`, {})
  await post('/v2/sandbox/clock/advance', { by: '1d' })
  const [lead] = (await ask('GET', `/v2/campaigns/${campaign.id}/leads`)).body.results
  const look = async () => {
    for (const kind of ['open', 'click']) await post('/v2/sandbox/inbound', { leadId: lead.id, kind })
    await post('/v2/sandbox/clock/advance', { by: '1h' })
    const { openCount, clickCount } = (await ask('GET', `/v2/campaigns/${campaign.id}/leads/${lead.id}`)).body
    return [openCount, clickCount]
  }
  const countOf = async (type: string) => (await ask('GET', `/v2/events?type=${type}`)).body.results.length
  const listed = async () => [await countOf('message.opened'), await countOf('message.clicked')]
  expect(await look()).toEqual([1, 1])
  expect(await listed()).toEqual([1, 1])
  await post('/v2/sandbox/inbound', { leadId: lead.id, kind: 'unsubscribe' })
  await post('/v2/sandbox/clock/advance', { by: '1h' })
  expect(await look()).toEqual([1, 1])
  expect(await listed()).toEqual([1, 1])
})
