import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ApiError, ConnectionError, Overture, TimeoutError } from '@overture/sdk'
import { startAnswerProxy, type AnswerProxy } from '@overture/testing/server/answer-proxy.server.ts'
import type { TestServer } from '@overture/testing/server.ts'
import { startWholeServer } from '@overture/testing/server/whole-server.ts'

let server: TestServer
let proxy: AnswerProxy
let client: Overture

beforeAll(async () => {
  server = await startWholeServer()
  proxy = await startAnswerProxy(server.url)
  client = new Overture({ apiKey: server.keys.test, baseUrl: proxy.url })
})
beforeEach(() => {
  proxy.fates.length = 0
  proxy.seen.length = 0
})
afterAll(async () => {
  await proxy.stop()
  await server.stop()
})

const namesOf = async () => (await client.campaigns.list().toArray()).map(({ name }) => name)

describe('a lost response', () => {
  test.each(['lost', 'cut', 'half', 'twice', { status: 502 }, { status: 504 }] as const)(
    '(%j): the request is done once and its result returned',
    async (fate) => {
      const name = `Once, though ${JSON.stringify(fate)}`
      proxy.fates.push(fate, fate)
      const campaign = await client.campaigns.create({ name })
      expect(campaign.name).toBe(name)
      expect((await namesOf()).filter((one) => one === name)).toHaveLength(1)
      const posts = proxy.seen.filter(({ method }) => method === 'POST')
      expect(new Set(posts.map(({ key }) => key)).size).toBe(1)
      expect(posts[0]?.key).toMatch(/^ovt-[0-9a-f-]{36}$/)
    },
  )

  test("is reported after the last retry, with the server's URL", async () => {
    proxy.fates.push('lost', 'lost', 'lost')
    const error = await client.account.get().catch((one: unknown) => one)
    expect(ConnectionError.is(error)).toBe(true)
    expect((error as Error).message).toContain(proxy.url)
    expect(proxy.seen).toHaveLength(3)
  })

  test('after a timeout is retried as often as the caller allows', async () => {
    proxy.fates.push({ delayMs: 1_000 }, { delayMs: 1_000 })
    const error = await client.account.get({ timeoutMs: 100, retries: 1 }).catch((one: unknown) => one)
    expect(TimeoutError.is(error)).toBe(true)
    expect(proxy.seen).toHaveLength(2)
    proxy.fates.push({ delayMs: 1_000 })
    expect((await client.account.get({ timeoutMs: 500 })).id).toBe(server.tenant.accountId)
  })

  test('after an abort of the caller ends at once with its reason', async () => {
    proxy.fates.push({ delayMs: 5_000 })
    const leaving = new AbortController()
    const reason = new Error('never mind')
    setTimeout(() => leaving.abort(reason), 50)
    await expect(client.account.get({ signal: leaving.signal })).rejects.toBe(reason)
    expect(proxy.seen).toHaveLength(1)
    const before = new AbortController()
    before.abort(reason)
    await expect(client.account.get({ signal: before.signal })).rejects.toBe(reason)
    expect(proxy.seen).toHaveLength(1)
  })

  test('in the middle of a list loses and repeats no item', async () => {
    const { id } = await client.campaigns.create({ name: 'Walked' })
    const rows = Array.from({ length: 25 }, (_, index) => ({ email: `walk${index}@prospects.test` }))
    await client.campaigns.leads.addAll(id, rows)
    proxy.fates.push('pass', 'half', 'pass', 'cut')
    const found: string[] = []
    for await (const lead of client.campaigns.leads.list(id, { limit: 10 })) found.push(lead.email)
    expect(found.toSorted()).toEqual(rows.map(({ email }) => email).toSorted())
    expect(await client.campaigns.leads.list(id, { limit: 10 }).toArray({ max: 13 })).toHaveLength(13)
  })

  test('to a launch leaves one campaign with its leads added once', async () => {
    const sender = await client.sendingAccounts.create({
      email: 'once@example.com',
      fromName: 'Once',
      provider: 'sandbox',
    })
    proxy.fates.push('cut', 'half')
    const launched = await client.campaigns
      .launch({
        name: 'Launched once',
        steps: [{ variants: [{ subject: 'Hello', body: 'Hello' }] }],
        sendingAccountIds: [sender.id],
        leads: [{ email: 'launched@prospects.test' }],
      })
      .withMeta()
    expect(launched).toMatchObject({ replayed: true, status: 201, data: { leadResults: { added: 1 } } })
    expect((await namesOf()).filter((name) => name === 'Launched once')).toHaveLength(1)
  })
})

describe('adding many leads', () => {
  test('repeated with the same run key adds no lead twice, and reports each result', async () => {
    const { id } = await client.campaigns.create({ name: 'A run' })
    const rows = Array.from({ length: 2_300 }, (_, index) => ({ email: `run${index}@prospects.test` }))
    proxy.fates.push('pass', 'lost', 'lost', 'lost')
    await expect(client.campaigns.leads.addAll(id, rows, { runKey: 'crm-42' })).rejects.toThrow(/No answer/)
    proxy.fates.length = 0
    const indexes: number[] = []
    const total = await client.campaigns.leads.addAll(id, rows, {
      runKey: 'crm-42',
      onResult: ({ index, outcome }, { email }) => {
        expect([outcome, email]).toEqual(['added', `run${index}@prospects.test`])
        indexes.push(index)
      },
    })
    expect(total).toEqual({ added: 2_300, updated: 0, skipped: 0, invalid: 0 })
    expect(indexes).toEqual(rows.map((_, index) => index))
    expect((await client.campaigns.get(id)).leadCount).toBe(2_300)
    const sent = proxy.seen.filter(({ path, method }) => method === 'POST' && path.endsWith('/leads'))
    expect(new Set(sent.map(({ key }) => key))).toEqual(new Set(['crm-42:0', 'crm-42:1', 'crm-42:2']))
  })

  test("is divided into calls within the server's limits, also by bytes", async () => {
    const { id } = await client.campaigns.create({ name: 'Heavy' })
    const note = 'x'.repeat(9_900)
    async function* heavy() {
      for (let index = 0; index < 700; index++)
        yield { email: `heavy${index}@prospects.test`, customVariables: { a: note, b: note } }
    }
    expect(await client.campaigns.leads.addAll(id, heavy())).toMatchObject({ added: 700 })
  })
})

describe('rate limits', () => {
  test('are waited for as long as the server says, and then the call succeeds', async () => {
    await server.setLimits({ requestsPerMinute: 1_000_000, burstPerSecond: 2 })
    try {
      proxy.seen.length = 0
      const patient = new Overture({ apiKey: server.keys.test, baseUrl: proxy.url, retries: 8 })
      const answers = await Promise.all(Array.from({ length: 5 }, () => patient.account.get().withMeta()))
      expect(answers.every(({ rateLimit }) => rateLimit !== null)).toBe(true)
      const limited = proxy.seen.filter(({ status }) => status === 429)
      expect(limited.length).toBeGreaterThan(0)
      // Sends one request after the other, so that each wait is visible.
      proxy.seen.length = 0
      for (let index = 0; index < 5; index++) await patient.account.get()
      for (const [index, { status, atMs }] of proxy.seen.entries())
        if (status === 429) expect(proxy.seen[index + 1]!.atMs - atMs).toBeGreaterThanOrEqual(1_000)
    } finally {
      await server.setLimits({ requestsPerMinute: 1_000_000, burstPerSecond: 1_000_000 })
    }
  })

  test('that last longer than allowed are thrown with the wait', async () => {
    await server.setLimits({ requestsPerMinute: 1_000_000, burstPerSecond: 1 })
    try {
      const hasty = new Overture({ apiKey: server.keys.test, baseUrl: server.url, retryAfterMsMax: 500 })
      const errors = await Promise.allSettled([hasty.account.get(), hasty.account.get(), hasty.account.get()])
      const reasons = errors.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []))
      expect(reasons.length).toBeGreaterThan(0)
      for (const reason of reasons) {
        expect(ApiError.is(reason, 'RATE_LIMIT_EXCEEDED')).toBe(true)
        expect((reason as ApiError).retryAfterSeconds).toBe(1)
      }
    } finally {
      await server.setLimits({ requestsPerMinute: 1_000_000, burstPerSecond: 1_000_000 })
    }
  })
})
