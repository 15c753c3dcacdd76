import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '@overture/testing/server.ts'

const limits = { requestsPerMinute: 500, burstPerSecond: null, monthlyRequests: 1_000, maxApiKeys: 20 }
let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ limits })
})
afterAll(() => server.stop())

const account = (key = server.keys.live) => server.call('GET', '/v2/account', { key })

test('shows limits and usage, including the current request', async () => {
  const first = (await account()).body
  const second = (await account(server.keys.test)).body
  expect(first.limits).toEqual({ requestsPerMinute: 500, burstPerSecond: 10, monthlyRequests: 1_000, maxApiKeys: 20 })
  expect(second.usage.monthlyRequests).toBe(first.usage.monthlyRequests + 1)
  expect(second.usage.monthlyRequestsRemaining).toBe(1_000 - second.usage.monthlyRequests)
  expect(first.usage.activeApiKeys).toBe(6)
  expect([first.environment, second.environment]).toEqual(['live', 'test'])
  expect([first.credits.balance, second.credits.balance, first.trial]).toEqual([10_000, 1_000, null])
  expect(first.usage.periodStart).toMatch(/-01T00:00:00.000Z$/)
})

test('the account can be read, edited and put back; other read-only values are refused', async () => {
  const { call, keys } = server
  const shown = (await account()).body
  const put = await call('PUT', '/v2/account', {
    key: keys.live,
    body: { ...shown, name: 'New name', postalAddress: '1 High Street', defaultTimezone: 'Europe/Berlin' },
  })
  expect(put.status).toBe(200)
  expect(put.body).toMatchObject({
    id: shown.id,
    name: 'New name',
    postalAddress: '1 High Street',
    defaultTimezone: 'Europe/Berlin',
  })
  expect(
    (await call('PUT', '/v2/account', { key: keys.live, body: { postalAddress: null } })).body.postalAddress,
  ).toBeNull()
  const refused = await call('PUT', '/v2/account', {
    key: keys.live,
    body: {
      id: 'acc_x',
      plan: 'scale',
      limits: { ...shown.limits, maxApiKeys: 99 },
      usage: { ...shown.usage, monthlyRequests: 0 },
      x: 1,
      defaultTimezone: 'Mars/One',
    },
  })
  expect(refused.body.error.details.issues.map((issue: { path: string }) => issue.path).sort()).toEqual([
    'defaultTimezone',
    'x',
  ])
  const changed = await call('PUT', '/v2/account', {
    key: keys.live,
    body: {
      id: 'acc_x',
      plan: 'scale',
      limits: { ...shown.limits, maxApiKeys: 99 },
      usage: { ...shown.usage, monthlyRequests: 0 },
      credits: { balance: shown.credits.balance + 1 },
      trial: { endsAt: '2030-01-01T00:00:00.000Z', leadCreditCap: 50, leadCreditsUsed: 0 },
    },
  })
  expect(changed.body.error.details.issues.map((issue: { path: string }) => issue.path)).toEqual([
    'id',
    'plan',
    'limits',
    'credits',
    'trial',
    'usage',
  ])
  expect((await account()).body.name).toBe('New name')
})

test('over the burst it is 429 with a correct Retry-After, and every response has the headers', async () => {
  let now = Date.now()
  const own = await startTestServer({ limits, clock: { now: () => new Date(now) } })
  const { call, keys } = own
  const key = keys.live
  const answers = await Promise.all(Array.from({ length: 25 }, () => call('GET', '/v2/account', { key })))
  const refused = answers.filter((answer) => answer.status === 429)
  expect(answers.filter((answer) => answer.status === 200)).toHaveLength(10)
  for (const answer of refused) {
    expect(answer.body.error.code).toBe('RATE_LIMIT_EXCEEDED')
    expect(answer.headers.get('x-ratelimit-limit')).toBe('500')
    expect(answer.headers.get('x-ratelimit-remaining')).toBe('0')
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
  }
  now += Number(refused.at(-1)!.headers.get('retry-after')) * 1000
  const after = await call('GET', '/v2/account', { key })
  expect(after.status).toBe(200)
  expect(Number(after.headers.get('x-ratelimit-remaining'))).toBe(500 - 26)
  await own.stop()
})

test('without API access it is 403 before the scope check; over the quota it is 429 QUOTA_EXCEEDED', async () => {
  const { call, keys } = server
  await server.setLimits({ apiAccessEnabled: false })
  const off = await call('PUT', '/v2/account', { key: keys.liveRead, body: {} })
  expect([off.status, off.body.error.code]).toEqual([403, 'API_ACCESS_DISABLED'])
  expect(off.headers.get('x-ratelimit-limit')).toBe('500')
  await server.setLimits({ apiAccessEnabled: true })
  const used = (await account(keys.testRead)).body.usage.monthlyRequests
  await server.setLimits({ monthlyRequests: used + 2 })
  expect((await account(keys.testRead)).status).toBe(200)
  expect((await account(keys.testRead)).body.usage.monthlyRequestsRemaining).toBe(0)
  const over = await call('PUT', '/v2/account', { key: keys.liveRead, body: {} })
  expect([over.status, over.body.error.code, over.headers.get('retry-after')]).toEqual([429, 'QUOTA_EXCEEDED', null])
  await server.setLimits({ monthlyRequests: used + 10 })
  expect((await account(keys.testRead)).body.usage.monthlyRequests).toBe(used + 3)
})

test("a test key can't change the account, even with the stored values", async () => {
  const { call, keys } = server
  await server.setLimits({ requestsPerMinute: 100_000, burstPerSecond: 100_000, monthlyRequests: 100_000 })
  await call('PUT', '/v2/account', { key: keys.live, body: { postalAddress: '1 High Street' } })
  const before = (await account()).body
  const shown = (await call('GET', '/v2/account', { key: keys.test })).body
  const edits = [{ postalAddress: null }, { name: 'Theirs' }, { defaultTimezone: 'Asia/Tokyo' }, {}, shown]
  for (const body of edits) {
    const answer = await call('PUT', '/v2/account', { key: keys.test, body })
    expect([body, answer.status, answer.body.error.code]).toEqual([body, 403, 'INSUFFICIENT_SCOPE'])
  }
  const { name, postalAddress, defaultTimezone } = (await account()).body
  expect({ name, postalAddress, defaultTimezone }).toEqual({
    name: before.name,
    postalAddress: '1 High Street',
    defaultTimezone: before.defaultTimezone,
  })
})
