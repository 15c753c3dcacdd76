import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { startRunningServer, type RunningProduct } from '@overture/testing/server/running-server.ts'
import { until } from '@overture/testing/server/until.ts'
import { anyTime } from '@overture/testing/schedules.ts'

// Each test plays days of whole campaigns.
vi.setConfig({ testTimeout: 300_000 })

let server: RunningProduct
beforeAll(async () => {
  server = await startRunningServer()
})
afterAll(() => server.stop())

test('messages sent while the clock is frozen have the frozen time', async () => {
  await server.test('POST', '/v2/sandbox/clock', { frozen: true })
  const { now } = (await server.test('GET', '/v2/sandbox/clock')).body
  const sender = { email: 'mara@sender.example.com', fromName: 'Mara', provider: 'sandbox' }
  const launched = await server.test('POST', '/v2/campaigns/launch', {
    name: 'Frozen',
    sendingAccountIds: [
      (await server.test('POST', '/v2/sending-accounts', { ...sender, minGapSeconds: 0, maxGapSeconds: 0 })).body.id,
    ],
    schedule: {
      ...anyTime,
    },
    steps: [{ variants: [{ subject: 'Hello', body: 'Hi' }] }],
    leads: Array.from({ length: 30 }, (_, index) => ({ email: `p${index}@prospects.test` })),
  })
  expect(launched.status).toBe(201)
  const leads = async () =>
    (await server.test('GET', `/v2/campaigns/${launched.body.id}/leads?limit=100`)).body.results as {
      status: string
      lastContactedAt: string
    }[]
  const sent = await until(leads, (all) => all.every((lead) => lead.status === 'completed'))
  expect(new Set(sent.map((lead) => lead.lastContactedAt))).toEqual(new Set([now]))
  expect((await server.test('GET', '/v2/sandbox/clock')).body).toEqual({ now, frozen: true })
})
