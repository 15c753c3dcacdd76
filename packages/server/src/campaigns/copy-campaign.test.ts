import type { TestServer } from '@overture/testing/server.ts'
import { startWholeServer } from '@overture/testing/server/whole-server.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

let server: TestServer
beforeAll(async () => {
  server = await startWholeServer()
})
afterAll(() => server.stop())

const call = (method: string, path: string, body?: unknown, key = server.keys.test) =>
  server.call(method, path, { key, body })

test('a copy is a draft that sends the same, with ids of its own and no leads', async () => {
  const sender = { email: 'sender@example.com', fromName: 'Grace', provider: 'sandbox' }
  const senderId = (await call('POST', '/v2/sending-accounts', sender)).body.id
  const steps = [
    {
      variants: [
        { subject: 'A', body: 'a' },
        { subject: 'B', body: 'b', weight: 3, enabled: false },
      ],
    },
    { waitBefore: { value: 2, unit: 'business_days' }, variants: [{ body: 'again' }] },
  ]
  const schedule = { startDate: '2020-01-01', endDate: '2099-12-31', timezone: 'Asia/Tokyo' }
  const settings = { dailyLimit: 7, stopOnReply: false }
  const input = { name: 'n'.repeat(200), steps, schedule, settings, sendingAccountIds: [senderId] }
  const made = await call('POST', '/v2/campaigns', input)
  expect(made.status).toBe(201)
  const original = made.body
  await call('POST', `/v2/campaigns/${original.id}/leads`, { leads: [{ email: 'a@prospects.test' }] })
  const copy = await call('POST', `/v2/campaigns/${original.id}/copy`, {})
  expect(copy.status).toBe(201)
  const { id, name, leadCount, status, schedule: copied } = copy.body
  expect([leadCount, status, name.length, name.endsWith('(copy)')]).toEqual([0, 'draft', 200, true])
  expect(copied).toEqual({ ...original.schedule, startDate: null })
  expect(copy.body.settings).toEqual(original.settings)
  expect(copy.body.sendingAccountIds).toEqual([senderId])
  const withoutIds = (list: { variants: object[] }[]) =>
    list.map((step) => ({ ...step, id: null, variants: step.variants.map((variant) => ({ ...variant, id: null })) }))
  expect(withoutIds(copy.body.steps)).toEqual(withoutIds(original.steps))
  const idsOf = (one: { steps: { id: string; variants: { id: string }[] }[] }) =>
    one.steps.flatMap((step) => [step.id, ...step.variants.map((variant) => variant.id)])
  expect(idsOf(copy.body).filter((one) => idsOf(original).includes(one))).toEqual([])

  const named = await call('POST', `/v2/campaigns/${id}/copy`, { name: 'Autumn' })
  expect([named.status, named.body.name]).toEqual([201, 'Autumn'])
  expect((await call('GET', `/v2/campaigns/${original.id}`)).body).toMatchObject({
    leadCount: 1,
    steps: original.steps,
  })
  expect((await call('POST', `/v2/campaigns/${original.id}/copy`, {}, server.other.keys.test)).status).toBe(404)
})
