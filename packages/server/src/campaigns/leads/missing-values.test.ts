import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestServer } from '@overture/testing/server.ts'
import { startWholeServer } from '@overture/testing/server/whole-server.ts'

let server: TestServer
let senderId: string
beforeAll(async () => {
  server = await startWholeServer()
  await ask('POST', '/v2/sandbox/clock', { frozen: true })
  const gap = { minGapSeconds: 0, maxGapSeconds: 0 }
  const sender = { email: 'a@example.com', fromName: 'A', provider: 'sandbox', ...gap }
  senderId = (await ask('POST', '/v2/sending-accounts', sender)).id
})
afterAll(() => server.stop())

const ask = async (method: string, path: string, body?: unknown) => {
  const answer = await server.call(method, path, { key: server.keys.test, body })
  expect([path, answer.status < 300, answer.body.error?.message]).toEqual([path, true, undefined])
  return answer.body
}

const everyDay = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']
let count = 0
/** A campaign that was launched with a misspelt name, and completed without a message. */
async function launchMisspelt(): Promise<{ id: string; steps: object[]; email: string }> {
  const { id, steps } = await ask('POST', '/v2/campaigns', {
    name: 'Misspelt',
    sendingAccountIds: [senderId],
    steps: [{ variants: [{ subject: 'Hello {{ compnay }}', body: 'A question.' }] }],
    schedule: { timezone: 'UTC', windows: [{ days: everyDay, from: '00:00', to: '24:00' }] },
  })
  const email = `person${++count}@prospects.test`
  await ask('POST', `/v2/campaigns/${id}/leads`, { leads: [{ email, company: 'ACME' }] })
  await ask('POST', `/v2/campaigns/${id}/start`, {})
  expect(await sentAfterAnHour(id)).toEqual({ status: 'completed', sent: 0 })
  return { id, steps, email }
}

async function sentAfterAnHour(id: string): Promise<{ status: string; sent: number }> {
  await ask('POST', '/v2/sandbox/clock/advance', { by: '1h' })
  const { status } = await ask('GET', `/v2/campaigns/${id}`)
  const { sent } = await ask('GET', `/v2/campaigns/${id}/stats`)
  return { status, sent }
}

test('a corrected text is sent to the leads that lacked a value, and reopens the campaign', async () => {
  const { id, steps } = await launchMisspelt()
  const [step] = steps as { variants: object[] }[]
  const variants = step!.variants.map((variant) => ({ ...variant, subject: 'Hello {{ company }}' }))
  expect((await ask('PUT', `/v2/campaigns/${id}`, { steps: [{ ...step, variants }] })).status).toBe('active')
  expect(await sentAfterAnHour(id)).toEqual({ status: 'completed', sent: 1 })
})

test('a change of other fields than texts does not reopen the campaign', async () => {
  const { id, steps } = await launchMisspelt()
  expect((await ask('PUT', `/v2/campaigns/${id}`, { name: 'Renamed', steps })).status).toBe('completed')
})

test('an import that adds the value reopens the campaign', async () => {
  const { id, email } = await launchMisspelt()
  const leads = [{ email, customVariables: { compnay: 'ACME' } }]
  await ask('POST', `/v2/campaigns/${id}/leads`, { leads, onDuplicate: 'update' })
  expect(await sentAfterAnHour(id)).toEqual({ status: 'completed', sent: 1 })
})

test('the account summary lists campaigns with leads that lack a value', async () => {
  const { id } = await launchMisspelt()
  const { missingValues } = await ask('GET', '/v2/campaigns/summary')
  expect(missingValues).toContainEqual({ campaignId: id, name: 'Misspelt', leads: 1 })
})
