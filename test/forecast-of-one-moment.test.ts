import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Diagnosis } from '@overture/contract/delivery/diagnosis.ts'
import { anyTime } from '@overture/testing/schedules.ts'
import { until } from '@overture/testing/server/until.ts'
import { startRunningServer, type RunningProduct } from '@overture/testing/server/running-server.ts'

// Each test plays days of whole campaigns.
vi.setConfig({ testTimeout: 300_000 })

let server: RunningProduct
beforeAll(async () => {
  server = await startRunningServer()
  await ask('POST', '/v2/sandbox/clock', { frozen: true })
  await ask('POST', '/v2/sandbox/clock/advance', { to: '2027-01-04T09:00:00.000Z' })
})
afterAll(() => server.stop())

// Due messages are also sent while the clock is frozen, at real time intervals.
const ask = async (method: string, path: string, body?: unknown) => {
  const answer = await server.test(method, path, body)
  expect([path, answer.status < 300, answer.body.error?.message]).toEqual([path, true, undefined])
  return answer.body
}

const perDay = 100
const leads = 250

test("the forecast's end stays the same while messages are sent, and no lead in flight is held", async () => {
  const sender = await ask('POST', '/v2/sending-accounts', {
    email: 'one@example.com',
    fromName: 'One',
    provider: 'sandbox',
    timezone: 'UTC',
    minGapSeconds: 0,
    maxGapSeconds: 0,
    dailyLimit: 1000,
  })
  const { id } = await ask('POST', '/v2/campaigns', {
    name: 'Under way',
    steps: [{ variants: [{ subject: 'Hello', body: 'A question.' }] }],
    schedule: { timezone: 'UTC', ...anyTime },
    settings: { dailyLimit: perDay, bounceProtection: { enabled: false } },
    sendingAccountIds: [sender.id],
  })
  await ask('POST', `/v2/campaigns/${id}/leads`, {
    leads: Array.from({ length: leads }, (_, at) => ({ email: `lead${at}@prospects.test` })),
  })
  await ask('POST', `/v2/campaigns/${id}/start`, {})
  const diagnoses: Diagnosis[] = []
  await until(
    async () => {
      diagnoses.push(await ask('GET', `/v2/campaigns/${id}/diagnose`))
      return (await ask('GET', `/v2/campaigns/${id}/stats`)).sent
    },
    (sent) => sent === perDay,
  )
  expect(new Set(diagnoses.map(({ finishesOn }) => finishesOn))).toEqual(new Set(['2027-01-06']))
  const held = diagnoses.flatMap((one) => one.held)
  expect(held.filter(({ count }) => count > leads - perDay)).toEqual([])
})
