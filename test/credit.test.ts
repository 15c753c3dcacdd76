import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Analytics, Stats } from '@overture/contract/analytics/analytics.ts'
import type { TestServer } from '@overture/testing/server.ts'
import { startWholeServer } from '@overture/testing/server/whole-server.ts'

let server: TestServer
let campaign: { id: string; steps: { id: string; variants: { id: string }[] }[] }
let ids: Record<string, string>

const call = async (method: 'GET' | 'POST' | 'PUT', path: string, body?: unknown) => {
  const answer = await server.call(method, path, { key: server.keys.test, body })
  expect([path, answer.status < 300, answer.text]).toEqual([path, true, expect.anything()])
  return answer.body
}
const statsOf = (): Promise<Stats> => call('GET', `/v2/campaigns/${campaign.id}/stats`)
const label = (name: string, interest: string | null) =>
  call('PUT', `/v2/campaigns/${campaign.id}/leads/${ids[name]}`, { interest })

beforeAll(async () => {
  server = await startWholeServer()
  await call('POST', '/v2/sandbox/clock', { frozen: true })
  await call('POST', '/v2/sandbox/clock/advance', { to: '2027-02-01T08:00:00.000Z' })
  const sender = await call('POST', '/v2/sending-accounts', {
    email: 'mara@outreach.test',
    fromName: 'Mara',
    provider: 'sandbox',
  })
  const names = ['ada+interested', 'ben+unsubscribe', 'cleo+book', 'dora']
  campaign = await call('POST', '/v2/campaigns/launch', {
    name: 'Credit',
    sendingAccountIds: [sender.id],
    steps: [
      { variants: [{ subject: 'One', body: 'First. {{ meetingUrl }}' }] },
      { waitBefore: { value: 2, unit: 'days' }, variants: [{ subject: '', body: 'Second.' }] },
    ],
    leads: names.map((name) => ({ email: `${name}@prospects.test` })),
  })
  await call('POST', '/v2/sandbox/clock/advance', { by: '1w' })
  const { results } = await call('GET', `/v2/campaigns/${campaign.id}/leads`)
  ids = Object.fromEntries(results.map(({ id, email }: { id: string; email: string }) => [email.split(/[+@]/)[0]!, id]))
})
afterAll(() => server.stop())

test("a lead's act counts for the step, variant and sender of its last message", async () => {
  await label('dora', 'interested')
  const analytics: Analytics = await call('GET', `/v2/campaigns/${campaign.id}/analytics`)
  const counts = (lines: Stats[]) =>
    lines.map(({ interested, unsubscribed, meetingsBooked }) => [interested, unsubscribed, meetingsBooked])
  expect(counts(analytics.steps.toSorted((a, b) => a.position! - b.position!))).toEqual([
    [1, 1, 1],
    [1, 0, 0],
  ])
  const variantOf = (step: number) => campaign.steps[step]!.variants[0]!.id
  const ofStep = (step: number) => analytics.variants.filter(({ variantId }) => variantId === variantOf(step))
  expect(counts([...ofStep(0), ...ofStep(1)])).toEqual([
    [1, 1, 1],
    [1, 0, 0],
  ])
  expect(counts(analytics.senders)).toEqual([[2, 1, 1]])
  expect(counts([await statsOf()])).toEqual([[2, 1, 1]])
  expect([...ofStep(0), ...ofStep(1)].map(({ rates }) => rates.positiveReply)).toEqual([0.25, 1])
})

test('a lead counts as interested once, and a removed label is subtracted where it was added', async () => {
  await label('ada', 'meeting_booked')
  await label('ada', 'interested')
  expect((await statsOf()).interested).toBe(2)
  await label('ada', 'not_interested')
  await label('dora', null)
  expect((await statsOf()).interested).toBe(0)
  const { steps, senders }: Analytics = await call('GET', `/v2/campaigns/${campaign.id}/analytics`)
  expect([...steps, ...senders].map(({ interested }) => interested)).toEqual([0, 0, 0])
  await label('ada', 'interested')
  expect((await statsOf()).interested).toBe(1)
})
