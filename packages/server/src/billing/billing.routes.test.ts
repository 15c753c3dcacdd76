import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestPerson } from '@overture/testing/server/people.ts'
import { startTestServer, type TestServer } from '@overture/testing/server.ts'
import { readServiceRequest, sendAnswer } from '@overture/testing/services/service-request.ts'
import { StripeKeys, stripe as stripeService } from '@overture/testing/services/stripe-service.ts'
import { stripeWebhook } from '@overture/testing/services/webhook-senders.ts'
import { billingPublicRoutes, billingRoutes } from './index.ts'

const webhookSecret = 'whsec_test_secret'
const stripeKeys = new StripeKeys()
/** Refusals of requests that the real service would not accept. */
const refusals: unknown[] = []
let sessions = 0
let stub: Server
let server: TestServer
let unconfigured: TestServer
const checkouts: URLSearchParams[] = []
let isDown = false

beforeAll(async () => {
  stub = createServer((request, response) => {
    void readServiceRequest(request).then((received) => {
      checkouts.push(new URLSearchParams(received.body))
      const refusal = stripeService.toRefusal(received, 'sk_test_nothing')
      if (refusal !== null) refusals.push(refusal)
      const down = { status: 400, body: { error: { type: 'invalid_request_error', message: 'no' } } }
      const created = () => ({
        status: 200,
        body: {
          id: `cs_test_${(sessions += 1)}`,
          object: 'checkout.session',
          url: `https://checkout.example.com/cs_test_${sessions}`,
          expires_at: 1_800_000_000,
        },
      })
      sendAnswer(request, response, refusal ?? (isDown ? down : stripeKeys.answer(received, created)))
    })
  })
  await new Promise<void>((resolve) => stub.listen(0, '127.0.0.1', resolve))
  const port = (stub.address() as AddressInfo).port
  const routes = () => billingRoutes()
  server = await startTestServer({
    routes,
    publicRoutes: ({ app }) => billingPublicRoutes(app),
    environment: {
      STRIPE_SECRET_KEY: 'sk_test_nothing',
      STRIPE_WEBHOOK_SECRET: webhookSecret,
      STRIPE_BASE_URL: `http://127.0.0.1:${port}`,
    },
  })
  unconfigured = await startTestServer({ routes, publicRoutes: ({ app }) => billingPublicRoutes(app) })
})

afterAll(async () => {
  await server.stop()
  await unconfigured.stop()
  await new Promise((resolve) => stub.close(resolve))
})

const get = (path: string, key = server.keys.live) => server.call('GET', path, { key })

async function deliver(event: object, secret = webhookSecret, sentAt = new Date()) {
  return server.call('POST', '/hooks/stripe', stripeWebhook(event, { secrets: [secret], sentAt }))
}

function completed(eventId: string, session: object) {
  return {
    id: eventId,
    object: 'event',
    type: 'checkout.session.completed',
    api_version: '2020-01-01',
    created: 1,
    data: {
      object: {
        object: 'checkout.session',
        payment_status: 'paid',
        customer: null,
        subscription: null,
        client_reference_id: server.tenant.accountId,
        ...session,
      },
    },
  }
}

describe('billing', () => {
  test('shows plan, balance, ledger, prices and plans', async () => {
    const billing = await get('/v2/billing')
    expect(billing.body).toMatchObject({ plan: 'self_hosted', balance: 10_000, trial: null })
    expect((await get('/v2/billing', server.keys.test)).body.balance).toBe(1000)
    const ledger = await get('/v2/billing/ledger')
    expect(ledger.body.results[0]).toMatchObject({ type: 'grant', amount: 10_000, balanceAfter: 10_000 })
    const prices = (await get('/v2/billing/prices')).body
    expect(prices.reveal).toEqual({ email: 1, mobile: 10 })
    expect(prices.packs).toContainEqual(expect.objectContaining({ id: 'credits_500', credits: 500 }))
    const plans = (await get('/v2/billing/plans')).body.results
    expect(plans.filter((plan: { current: boolean }) => plan.current).map((plan: { id: string }) => plan.id)).toEqual([
      'self_hosted',
    ])
  })

  test('names no packs on a server without payment', async () => {
    const { body } = await unconfigured.call('GET', '/v2/billing/prices', { key: unconfigured.keys.live })
    expect([body.packs, body.reveal]).toEqual([[], { email: 1, mobile: 10 }])
  })

  test('returns 503 for a checkout without configuration, in test, and if Stripe fails', async () => {
    const body = { pack: 'credits_500' }
    const bare = await unconfigured.call('POST', '/v2/billing/checkout', { key: unconfigured.keys.live, body })
    expect([bare.status, bare.body.error.code]).toEqual([503, 'SERVICE_UNAVAILABLE'])
    const inTest = await (await createTestPerson(server)).call('POST', '/v2/billing/checkout', { body })
    expect([inTest.status, inTest.body.error.code]).toEqual([503, 'SERVICE_UNAVAILABLE'])
    isDown = true
    expect((await server.call('POST', '/v2/billing/checkout', { key: server.keys.live, body })).status).toBe(503)
    isDown = false
    expect((await unconfigured.call('POST', '/hooks/stripe', { body: '{}' })).status).toBe(503)
  })

  test("starts a checkout for a pack with the account's id", async () => {
    const answer = await server.call('POST', '/v2/billing/checkout', {
      key: server.keys.live,
      body: { pack: 'credits_500' },
    })
    expect(answer.status).toBe(201)
    expect(answer.body).toEqual({
      id: 'cs_test_1',
      url: 'https://checkout.example.com/cs_test_1',
      expiresAt: '2027-01-15T08:00:00.000Z',
    })
    const sent = checkouts.at(-1)!
    expect(sent.get('mode')).toBe('payment')
    expect(sent.get('client_reference_id')).toBe(server.tenant.accountId)
    expect(sent.get('line_items[0][price_data][unit_amount]')).toBe('2900')
    expect((await server.call('POST', '/v2/billing/checkout', { key: server.keys.live, body: {} })).status).toBe(400)
  })

  test('creates one session per idempotency key, in a request that Stripe accepts', async () => {
    const ask = (pack: string) =>
      server.call('POST', '/v2/billing/checkout', {
        key: server.keys.live,
        body: { pack },
        headers: { 'idempotency-key': 'buy-once' },
      })
    const [first, again] = [await ask('credits_500'), await ask('credits_500')]
    expect([first.status, again.body]).toEqual([201, first.body])
    const plan = { key: server.keys.live, body: { plan: 'starter' } }
    expect((await server.call('POST', '/v2/billing/checkout', plan)).status).toBe(201)
    expect(refusals).toEqual([])
  })

  test('accepts an event only within five minutes, by any of its signatures', async () => {
    const event = completed('evt_late', { id: 'cs_late', payment_status: 'unpaid' })
    const at = (ageMs: number) => new Date(Date.now() - ageMs)
    expect((await deliver(event, webhookSecret, at(302_000))).status).toBe(400)
    expect((await deliver(event, webhookSecret, at(290_000))).status).toBe(200)
    const rotated = stripeWebhook(event, { secrets: ['whsec_next', webhookSecret], sentAt: new Date() })
    expect((await server.call('POST', '/hooks/stripe', rotated)).status).toBe(200)
    const onlyTest = {
      ...rotated.headers,
      'stripe-signature': rotated.headers['stripe-signature']!.replaceAll('v1=', 'v0='),
    }
    expect((await server.call('POST', '/hooks/stripe', { ...rotated, headers: onlyTest })).status).toBe(400)
    expect((await server.call('POST', '/hooks/stripe', { ...rotated, body: `${rotated.body} ` })).status).toBe(400)
  })

  test('refuses an event with a wrong signature', async () => {
    expect(
      (await deliver(completed('evt_forged', { id: 'cs_forged', metadata: { pack: 'credits_500' } }), 'whsec_other'))
        .status,
    ).toBe(400)
    expect((await get('/v2/billing')).body.balance).toBe(10_000)
  })

  test('books a purchase once, for any number of events', async () => {
    const session = { id: 'cs_1', metadata: { accountId: server.tenant.accountId, pack: 'credits_500' } }
    const answers = await Promise.all([1, 2, 3].map(() => deliver(completed('evt_1', session))))
    expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200])
    await deliver(completed('evt_2', session))
    expect((await get('/v2/billing')).body.balance).toBe(10_500)
    await deliver(completed('evt_3', { ...session, id: 'cs_2', payment_status: 'unpaid' }))
    expect((await get('/v2/billing')).body.balance).toBe(10_500)
  })

  test('starts a paid plan and ends it with the subscription, keeping bought credits', async () => {
    await deliver(
      completed('evt_4', {
        id: 'cs_3',
        customer: 'cus_1',
        subscription: 'sub_1',
        metadata: { accountId: server.tenant.accountId, plan: 'growth' },
      }),
    )
    const paid = await get('/v2/billing')
    expect(paid.body).toMatchObject({ plan: 'growth', balance: 15_500 })
    await deliver({
      id: 'evt_5',
      object: 'event',
      type: 'customer.subscription.deleted',
      data: { object: { id: 'sub_1', object: 'subscription' } },
    })
    expect((await get('/v2/billing')).body.balance).toBe(10_500)
  })

  const subscribe = (eventId: string, sessionId: string, subscription: string) =>
    deliver(
      completed(eventId, {
        id: sessionId,
        customer: 'cus_1',
        subscription,
        metadata: { accountId: server.tenant.accountId, plan: 'growth' },
      }),
    )
  const end = (eventId: string, subscription: string) =>
    deliver({
      id: eventId,
      object: 'event',
      type: 'customer.subscription.deleted',
      data: { object: { id: subscription, object: 'subscription' } },
    })

  test('payments are recorded once in the audit log, by the system', async () => {
    const entries = await server.app.db.query<{ action: string; changes: { path: string; after: unknown }[] }>(
      `select action, changes from audit_entries where account_id = $1 and actor_type = 'system' order by position`,
      [server.tenant.accountId],
    )
    expect(
      entries.map(({ action, changes }) => [action, ...changes.map(({ path, after }) => `${path} ${String(after)}`)]),
    ).toEqual([['system.credits.purchase', 'credits 500'], ['system.plans.start', 'plan growth'], ['system.plans.end']])
  })

  test('grants credits again when a plan is bought again, and once per session', async () => {
    const before = (await get('/v2/billing')).body.balance
    await subscribe('evt_6', 'cs_4', 'sub_2')
    expect((await get('/v2/billing')).body).toMatchObject({ plan: 'growth', balance: before + 5000 })
    await Promise.all(['evt_7', 'evt_8', 'evt_9'].map((id) => subscribe(id, 'cs_4', 'sub_2')))
    expect((await get('/v2/billing')).body.balance).toBe(before + 5000)
    await end('evt_10', 'sub_2')
    expect((await get('/v2/billing')).body.balance).toBe(before)
  })

  test('ignores a subscription whose end arrives before its start', async () => {
    const before = (await get('/v2/billing')).body.balance
    expect((await end('evt_11', 'sub_3')).status).toBe(200)
    expect((await subscribe('evt_12', 'cs_5', 'sub_3')).status).toBe(200)
    expect((await get('/v2/billing')).body.balance).toBe(before)
    // The end of a subscription that was replaced by another changes nothing.
    await subscribe('evt_13', 'cs_6', 'sub_4')
    await subscribe('evt_14', 'cs_7', 'sub_5')
    await end('evt_15', 'sub_4')
    expect((await get('/v2/billing')).body.balance).toBe(before + 5000)
  })

  test('leaves no plan when start and end arrive at once', async () => {
    const before = (await get('/v2/billing')).body.balance
    await end('evt_16', 'sub_5')
    const kept = (await get('/v2/billing')).body.balance
    expect(kept).toBe(before - 5000)
    for (let round = 0; round < 8; round++) {
      const events = [
        () => subscribe(`evt_begin_${round}`, `cs_race_${round}`, `sub_race_${round}`),
        () => end(`evt_end_${round}`, `sub_race_${round}`),
      ]
      const answers = await Promise.all((round % 2 ? events.toReversed() : events).map((tell) => tell()))
      expect(answers.map((answer) => answer.status)).toEqual([200, 200])
      expect((await get('/v2/billing')).body.balance).toBe(kept)
    }
  })

  test('walks the ledger by cursor, newest first, with a sum equal to the balance', async () => {
    const amounts: number[] = []
    let cursor: string | null = null
    do {
      const page = await get(`/v2/billing/ledger?limit=2${cursor ? `&cursor=${cursor}` : ''}`)
      amounts.push(...page.body.results.map((entry: { amount: number }) => entry.amount))
      cursor = page.body.nextCursor
    } while (cursor)
    expect(amounts.length).toBe((await get('/v2/billing/ledger')).body.pagination.totalCount)
    expect(amounts.reduce((sum, amount) => sum + amount, 0)).toBe((await get('/v2/billing')).body.balance)
  })
})
