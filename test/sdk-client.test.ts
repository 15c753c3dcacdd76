import { afterAll, beforeAll, describe, expect, expectTypeOf, test } from 'vitest'
import { ApiError, Overture, OvertureError, version, type Campaign, type Event, type UnknownEvent } from '@overture/sdk'
import { inbox, prospect, testClock } from '@overture/sdk/testing'
import { startRunningServer, type RunningProduct } from '@overture/testing/server/running-server.ts'
import { version as productVersion } from '../packages/server/src/platform/version.ts'
import { anyTime } from '@overture/testing/schedules.ts'

let product: RunningProduct
let client: Overture
beforeAll(async () => {
  product = await startRunningServer()
  client = new Overture({ apiKey: product.keys.test, baseUrl: `${product.url}/v2/` })
})
afterAll(() => product.stop())

describe('invalid input is refused before a request', () => {
  const apiKey = 'ovt_test_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'
  test.each([
    ['no key', {}],
    ['an invalid key', { apiKey: 'sk_live_123' }],
    ['an invalid base URL', { apiKey, baseUrl: 'localhost' }],
    ['a base URL of another protocol', { apiKey, baseUrl: 'ftp://example.com' }],
    ['a base URL with a query', { apiKey, baseUrl: 'https://example.com/?a=1' }],
    ['less than no retries', { apiKey, retries: -1 }],
    ['a timeout that is no number', { apiKey, timeoutMs: Number.NaN }],
  ])('%s', (_name, options) => expect(() => new Overture(options)).toThrow(OvertureError))

  test.each(['', '.', '..'])('an id that would change the path: "%s"', (id) => {
    expect(() => client.campaigns.get(id)).toThrow(OvertureError)
  })

  test('a key in a browser page, unless allowed explicitly', () => {
    Object.assign(globalThis, { window: {}, document: {} })
    try {
      expect(() => new Overture({ apiKey })).toThrow(/browser/)
      expect(new Overture({ apiKey, dangerouslyAllowBrowser: true })).toBeInstanceOf(Overture)
    } finally {
      Reflect.deleteProperty(globalThis, 'window')
      Reflect.deleteProperty(globalThis, 'document')
    }
  })

  test('an API error has message, request id and field path', async () => {
    const body = { name: 'x', steps: [{ variants: [{ weight: -1 }] }] }
    const error = await client.campaigns.create(body).catch((one: unknown) => one)
    if (!ApiError.is(error, 'VALIDATION_ERROR')) throw error
    expectTypeOf(error.details.issues[0]!.path).toEqualTypeOf<string>()
    expect(error.details.issues.map(({ path }) => path)).toEqual(['steps[0].variants[0].weight'])
    expect(error.message).toContain('steps[0].variants[0].weight')
    expect(error.message).toContain(error.requestId!)
    expect(error.requestId).toMatch(/^req_/)
    const wrong = await new Overture({ apiKey, baseUrl: product.url }).account.get().catch((one: unknown) => one)
    expect(ApiError.is(wrong, 'UNAUTHORIZED')).toBe(true)
  })

  test("a conflict's error has the blockers", async () => {
    const { id } = await client.campaigns.create({ name: 'Empty' })
    const error = await client.campaigns.start(id).catch((one: unknown) => one)
    if (!ApiError.is(error, 'CONFLICT')) throw error
    expect(error.details.currentStatus).toBe('draft')
    expect(error.details.blockers?.map(({ code }) => code)).toContain('no_steps')
  })
})

test('a response is available with its meta or raw', async () => {
  const promise = client.campaigns.create({ name: 'With meta' })
  const { data, requestId, rateLimit, replayed, status, version: serverVersion } = await promise.withMeta()
  expectTypeOf(data).toEqualTypeOf<Campaign>()
  expect(await promise).toBe(data)
  expect(data.name).toBe('With meta')
  expect([status, replayed, serverVersion]).toEqual([201, false, productVersion])
  expect(requestId).toMatch(/^req_/)
  expect(rateLimit?.limit).toBeGreaterThan(0)
  const raw = await client.campaigns.get(data.id).raw()
  expect(raw).toBeInstanceOf(Response)
  expect(await raw.json()).toEqual(data)
  const search = await client.leadFinder.searchPeople({ jobTitle: 'engineer' }).withMeta()
  expect(search.credits?.charged).toBe(1)
  expect(version).toBe(productVersion)
})

test('a list is requested only when it is iterated', async () => {
  const requested: string[] = []
  const counting = new Overture({
    apiKey: product.keys.test,
    baseUrl: product.url,
    fetch: (url, init) => {
      requested.push(url)
      return fetch(url, init)
    },
  })
  const list = counting.campaigns.list({ limit: 1 })
  await Promise.resolve()
  expect(requested).toEqual([])
  const [first] = (await list.page()).results
  expect(first?.id).toBe((await list).results[0]?.id)
  expect(requested).toHaveLength(1)
  expect((await list.toArray()).length).toBe((await list).pagination.totalCount)
})

test('a streamed text ends with the same result as without streaming', async () => {
  const body = { modelId: 'builtin/drafter', prompt: 'Invite them to a demo.', lead: { firstName: 'Ada' } }
  let text = ''
  let result: { body: string } | null = null
  for await (const part of client.ai.generateEmail.stream(body)) {
    if (part.type === 'delta' && part.field === 'body') text += part.text
    if (part.type === 'restart') text = ''
    if (part.type === 'result') result = part.result
  }
  expect(text).toBe(result?.body)
  expect((await client.ai.generateEmail(body)).body.length).toBeGreaterThan(0)
  const failing = client.ai.generateEmail.stream({ modelId: 'nobody/nothing', prompt: 'x' })
  const error = await failing.next().catch((one: unknown) => one)
  expect(ApiError.is(error)).toBe(true)
})

test('a campaign can be tested in virtual time: replies, inbox and events', async () => {
  const clock = testClock(client)
  await clock.freeze()
  const followed: (Event | UnknownEvent)[] = []
  const leaving = new AbortController()
  const following = (async () => {
    for await (const event of client.events.follow({ types: ['reply.received'], signal: leaving.signal })) {
      followed.push(event)
      leaving.abort(new Error('seen'))
    }
  })()
  // The promise is awaited below, and may reject earlier.
  following.catch(() => undefined)
  const sender = await client.sendingAccounts.create({ email: 'sdk@example.com', fromName: 'Sdk', provider: 'sandbox' })
  const { id, leadResults } = await client.campaigns.launch({
    name: 'Tested',
    steps: [{ variants: [{ subject: 'Hello {{ firstName }}', body: 'A question.' }] }],
    schedule: anyTime,
    sendingAccountIds: [sender.id],
    leads: [
      { email: prospect('ada', 'interested'), firstName: 'Ada' },
      { email: prospect('bob'), firstName: 'Bob' },
    ],
  })
  const before = await clock.now()
  const happened = await clock.advance('2d')
  expect(happened).toMatchObject({ sent: 2, replied: 1, interested: 1 })
  expect((await clock.now()).getTime() - before.getTime()).toBe(2 * 86_400_000)
  const bob = inbox(client, leadResults.results[1]!.leadId!)
  expect((await bob.received()).map(({ subject }) => subject)).toEqual(['Hello Bob'])
  await bob.reply('Sounds good.')
  expect((await client.campaigns.stats(id)).uniqueReplied).toBe(2)
  await expect(following).rejects.toThrow('seen')
  expect(followed.map(({ type }) => type)).toEqual(['reply.received'])
  await clock.unfreeze()
})

test('events are polled if the server has no stream', async () => {
  const old = new Overture({
    apiKey: product.keys.test,
    baseUrl: product.url,
    fetch: (url, init) => fetch(url.replace('/events/stream', '/brook'), init),
  })
  const { id } = await client.campaigns.create({ name: 'Before' })
  const [newest] = await client.events.list({ order: 'desc', limit: 1 }).toArray({ max: 1 })
  const events = old.events.follow({ after: newest!.id })
  await client.campaigns.delete(id)
  const { value } = await events.next()
  expect(value).toMatchObject({ type: 'campaign.deleted', data: { campaignId: id } })
  await events.return()
})
