import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { Webhook } from 'standardwebhooks'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { publicOnly } from '@overture/testing/mail/reach.ts'
import { appendEvents } from '../platform/events/events.sql.ts'
import type { Worker } from '../platform/lifecycle/worker.ts'
import { startTestServer, type TestServer } from '@overture/testing/server.ts'
import { claimDueWebhook, listDueWebhooksAcrossAccounts, listDueDeliveries, recordAttempts } from './dispatch.sql.ts'
import { createWebhookWorker, webhookRoutes } from './index.ts'
import { postWebhook } from './post.client.ts'

interface Received {
  path: string
  headers: IncomingHttpHeaders
  body: string
}
type Answer = (response: ServerResponse, received: Received) => void

let server: TestServer
let receiver: Server
let receiverUrl: string
let received: Received[] = []
const answers = new Map<string, Answer>()
let worker: Worker | null = null

beforeAll(async () => {
  server = await startTestServer({
    routes: () => webhookRoutes(),
    environment: { OVERTURE_ALLOW_PRIVATE_TARGETS: '1' },
  })
  receiver = createServer((request, response) => {
    void text(request).then((body) => {
      const one = { path: request.url ?? '', headers: request.headers, body }
      received.push(one)
      const answer = answers.get(one.path) ?? ((to) => to.writeHead(204).end())
      answer(response, one)
    })
  })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  receiverUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`
})
afterEach(async () => {
  await worker?.stop()
  worker = null
  answers.clear()
  received = []
  await server.app.db.execute('delete from webhooks')
})
afterAll(async () => {
  receiver.closeAllConnections()
  receiver.close()
  await server.stop()
})

const call = (method: string, path: string, body?: unknown) =>
  server.call(method, path, { key: server.keys.live, body })

async function makeWebhook(path: string, events?: string[]): Promise<{ id: string; secret: string }> {
  const answer = await call('POST', '/v2/webhooks', { url: `${receiverUrl}${path}`, ...(events && { events }) })
  expect(answer.status, answer.text).toBe(201)
  return answer.body
}

async function startWorker(): Promise<void> {
  worker = createWebhookWorker(server.app)
  await worker.start()
}

const append = (count: number, tenant = server.tenant) =>
  server.app.db.transaction((tx) =>
    appendEvents(
      tx,
      tenant,
      Array.from({ length: count }, () => ({
        type: 'message.sent' as const,
        occurredAt: new Date('2026-03-01'),
        data: { kind: 'campaign' as const, first: true },
      })),
    ),
  )

/** Makes every retry due now instead of waiting for it. */
async function hurry(): Promise<void> {
  await server.app.db.execute(`update webhook_deliveries set next_attempt_at = now() where status = 'pending'`)
  await server.app.db.execute(`update webhooks set next_attempt_at = now()`)
}

const at = (path: string) => received.filter((one) => one.path === path)
const idsAt = (path: string) => at(path).map((one) => one.headers['webhook-id'])
const until = (test: () => boolean | Promise<boolean>) =>
  expect.poll(test, { timeout: 50_000, interval: 30 }).toBe(true)
const deliveries = async (id: string) => (await call('GET', `/v2/webhooks/${id}/deliveries`)).body.results

describe('webhooks', () => {
  test('have a warning for an http URL of another machine', async () => {
    const warningOf = async (url: string) => (await call('POST', '/v2/webhooks', { url })).body.warning
    expect(await warningOf('http://192.0.2.7/in')).toContain('without encryption')
    for (const url of ['https://192.0.2.7/in', `${receiverUrl}/in`]) expect(await warningOf(url)).toBeNull()
    const { results } = (await call('GET', '/v2/webhooks')).body
    expect(results.map(({ warning }: { warning: string | null }) => warning !== null)).toEqual([true, false, false])
  })

  test('deliver every event once, in order, with a signature that standardwebhooks accepts', async () => {
    const { secret } = await makeWebhook('/order')
    await startWorker()
    const ids = [...(await append(20)), ...(await append(20))]
    await until(() => at('/order').length >= 40)
    expect(idsAt('/order')).toEqual(ids)
    for (const { body, headers } of at('/order')) {
      const verified = new Webhook(secret).verify(body, headers as Record<string, string>) as { id: string }
      expect(verified).toMatchObject({ id: headers['webhook-id'], type: 'message.sent', environment: 'live' })
      expect(verified).toHaveProperty('data.leadEmail', null)
    }
    expect(() =>
      new Webhook(secret).verify(`${at('/order')[0]!.body} `, at('/order')[0]!.headers as Record<string, string>),
    ).toThrow()
  })

  test('deliver only their types, of their environment, from their creation on', async () => {
    await append(1)
    await makeWebhook('/types', ['campaign.created', 'message.sent'])
    await startWorker()
    await server.app.db.transaction((tx) =>
      appendEvents(tx, server.tenant, [{ type: 'lead.added', occurredAt: new Date(0) }]),
    )
    await append(1, server.testTenant)
    const ids = await append(1)
    await until(() => at('/types').length > 0)
    expect(idsAt('/types')).toEqual(ids)
  })

  test("deliver only their campaigns' events until the filter is removed", async () => {
    const url = `${receiverUrl}/campaigns`
    const made = await call('POST', '/v2/webhooks', { url, campaignIds: ['cmp_a', 'cmp_b'] })
    expect(made.body.campaignIds).toEqual(['cmp_a', 'cmp_b'])
    await startWorker()
    const write = (campaignId?: string) =>
      server.app.db.transaction((tx) =>
        appendEvents(tx, server.tenant, [{ type: 'campaign.started', occurredAt: new Date('2026-03-01'), campaignId }]),
      )
    const ours = [...(await write('cmp_a')), ...(await write('cmp_b'))]
    await write('cmp_c')
    await write()
    ours.push(...(await write('cmp_a')))
    await until(() => at('/campaigns').length === ours.length)
    expect(idsAt('/campaigns')).toEqual(ours)
    const changed = await call('PUT', `/v2/webhooks/${made.body.id}`, { campaignIds: [] })
    expect(changed.body).toMatchObject({ campaignIds: [], events: ['*'] })
    const [other] = await write('cmp_c')
    await until(() => at('/campaigns').length > ours.length)
    expect(idsAt('/campaigns').at(-1)).toBe(other)
  })

  test("don't wait for another receiver that is dead", async () => {
    answers.set('/dead', () => undefined)
    await makeWebhook('/dead')
    await makeWebhook('/alive')
    await startWorker()
    await append(30)
    await until(() => at('/alive').length === 30)
    expect(at('/dead').length).toBe(1)
    receiver.closeAllConnections()
  })

  test('retry a failure with the same id, keep the order, and record every attempt', async () => {
    let failures = 1
    answers.set('/blip', (response) =>
      failures-- > 0 ? response.writeHead(500).end('out of order') : response.writeHead(200).end('fine'),
    )
    const { id } = await makeWebhook('/blip')
    await startWorker()
    const ids = await append(3)
    await until(async () => (await deliveries(id)).some((one: { attempts: number }) => one.attempts === 1))
    const [first] = (await deliveries(id)).filter((one: { eventId: string }) => one.eventId === ids[0])
    expect(first).toMatchObject({
      status: 'pending',
      responseStatus: 500,
      responseExcerpt: 'out of order',
      error: 'Answered 500.',
    })
    const waitMs = Date.parse(first.nextAttemptAt) - Date.parse(first.lastAttemptAt)
    expect(waitMs).toBeGreaterThan(4_900)
    expect(waitMs).toBeLessThan(6_000)
    expect((await call('GET', `/v2/webhooks/${id}`)).body.status).toBe('failing')
    await hurry()
    await until(() => at('/blip').length === 4)
    expect(idsAt('/blip')).toEqual([ids[0], ...ids])
    await until(async () => (await deliveries(id)).every((one: { status: string }) => one.status === 'succeeded'))
    const [done] = (await deliveries(id)).filter((one: { eventId: string }) => one.eventId === ids[0])
    expect(done.attemptLog.map((attempt: { responseStatus: number }) => attempt.responseStatus)).toEqual([500, 200])
    expect((await call('GET', `/v2/webhooks/${id}`)).body).toMatchObject({ status: 'active', failingSince: null })
  })

  test('follow no redirects, obey Retry-After, and stop after ten attempts until requested', async () => {
    answers.set('/moved', (response) =>
      response.writeHead(302, { location: `${receiverUrl}/elsewhere`, 'retry-after': '7200' }).end(),
    )
    const { id } = await makeWebhook('/moved')
    await startWorker()
    await append(1)
    await until(async () => (await deliveries(id))[0]?.attempts === 1)
    const [moved] = await deliveries(id)
    expect(moved).toMatchObject({ error: 'Redirects are not followed.', responseStatus: 302 })
    expect(Date.parse(moved.nextAttemptAt) - Date.parse(moved.lastAttemptAt)).toBeGreaterThan(7_100_000)
    for (let attempt = 2; attempt <= 10; attempt++) {
      await hurry()
      await until(async () => (await deliveries(id))[0].attempts === attempt)
    }
    expect((await deliveries(id))[0]).toMatchObject({ status: 'failed', nextAttemptAt: null })
    expect(at('/elsewhere')).toEqual([])
    answers.clear()
    const again = await call('POST', `/v2/webhooks/${id}/deliveries/${moved.id}/redeliver`)
    expect(again.status).toBe(202)
    await until(async () => (await deliveries(id))[0].status === 'succeeded')
    expect(new Set(idsAt('/moved')).size).toBe(1)
  })

  test('are disabled after a 410 or five days of failures, with an event', async () => {
    answers.set('/gone', (response) => response.writeHead(410).end())
    answers.set('/broken', (response) => response.writeHead(503).end())
    const gone = await makeWebhook('/gone', ['message.sent'])
    const broken = await makeWebhook('/broken', ['message.sent'])
    await makeWebhook('/watch', ['webhook.disabled'])
    await startWorker()
    await append(1)
    await until(async () => (await call('GET', `/v2/webhooks/${broken.id}`)).body.status === 'failing')
    await server.app.db.execute(`update webhooks set failing_since = now() - interval '5 days' where id = $1`, [
      broken.id,
    ])
    await hurry()
    await until(() => at('/watch').length === 2)
    expect((await call('GET', `/v2/webhooks/${gone.id}`)).body).toMatchObject({
      enabled: false,
      status: 'disabled',
      statusReason: 'gone',
    })
    expect((await call('GET', `/v2/webhooks/${broken.id}`)).body).toMatchObject({
      status: 'disabled',
      statusReason: 'failing_for_five_days',
    })
    expect((await call('POST', `/v2/webhooks/${gone.id}/test`)).status).toBe(409)
    const enabled = await call('PUT', `/v2/webhooks/${gone.id}`, { enabled: true })
    expect(enabled.body).toMatchObject({ enabled: true, status: 'active', statusReason: null })
  })

  test("are not disabled and forget nothing if one machine's clock jumps", async () => {
    answers.set('/jump', (response) => response.writeHead(500).end())
    const { id } = await makeWebhook('/jump')
    const jumped = (days: number) => ({ now: () => new Date(Date.now() + days * 86_400_000) })
    for (const days of [400, -400]) {
      worker = createWebhookWorker({ ...server.app, clock: jumped(days) })
      await worker.start()
      const before = at('/jump').length
      await append(1)
      await until(() => at('/jump').length > before)
      await until(async () => (await deliveries(id)).every((one: { attempts: number }) => one.attempts > 0))
      await worker.stop()
      expect((await call('GET', `/v2/webhooks/${id}`)).body).toMatchObject({ enabled: true, status: 'failing' })
    }
    expect(await deliveries(id)).toHaveLength(2)
    // Waits are computed with the database's clock too, so none is 400 days.
    for (const one of await deliveries(id)) {
      expect(Math.abs(Date.parse(one.nextAttemptAt) - Date.now())).toBeLessThan(600_000)
    }
  })

  test('lose nothing if a worker dies: the same ids are sent after its lease', async () => {
    await makeWebhook('/crash')
    const ids = await append(3)
    worker = createWebhookWorker(server.app)
    await worker.start()
    await until(() => at('/crash').length === 3)
    await worker.stop()
    const more = await append(3)
    const { fanOutAll } = await import('./webhooks.worker.ts')
    await fanOutAll(server.app)
    // A killed worker leaves a claim, and a request that the receiver may have seen.
    const [due] = await listDueWebhooksAcrossAccounts(server.app.db, { failingToo: true, limit: 10 })
    const dead = await claimDueWebhook(server.app.db, due!, {
      leaseToken: crypto.randomUUID(),
      leaseMs: 60_000,
      failingToo: true,
    })
    expect(dead).not.toBeNull()
    const [taken] = await listDueDeliveries(server.app.db, dead!, 1)
    await startWorker()
    await server.app.db.execute(`update webhooks set lease_until = now() - interval '1 second'`)
    await until(() => at('/crash').length === 6)
    expect(idsAt('/crash')).toEqual([...ids, ...more])
    const late = {
      deliveryId: taken!.deliveryId,
      status: 'failed',
      delayMs: null,
      responseStatus: null,
      excerpt: null,
      error: 'late',
      durationMs: 1,
      at: new Date(0),
    } as const
    expect(await recordAttempts(server.app.db, dead!, [late])).toBe(0)
  })

  test('are signed with both secrets after a rotation, and show a secret once', async () => {
    const { id, secret } = await makeWebhook('/rotate')
    const rotated = await call('POST', `/v2/webhooks/${id}/rotate-secret`)
    expect(rotated.body.secret).toMatch(/^whsec_/)
    expect(rotated.body.secret).not.toBe(secret)
    const [until24] = await server.app.db.query<{ hours: number }>(
      `select extract(epoch from previous_secret_until - now()) / 3600 as hours from webhooks where id = $1`,
      [id],
    )
    expect(Number(until24!.hours)).toBeGreaterThan(23.9)
    expect(Number(until24!.hours)).toBeLessThanOrEqual(24)
    await startWorker()
    expect((await call('POST', `/v2/webhooks/${id}/test`, { type: 'meeting.booked' })).status).toBe(202)
    await until(() => at('/rotate').length === 1)
    const [{ body, headers }] = at('/rotate') as [Received]
    for (const one of [secret, rotated.body.secret]) new Webhook(one).verify(body, headers as Record<string, string>)
    expect(JSON.parse(body)).toMatchObject({ type: 'meeting.booked', data: { test: true } })
    expect((await call('GET', `/v2/webhooks/${id}`)).text).not.toContain('whsec_')
    await server.app.db.execute(`update webhooks set previous_secret_until = now() - interval '1 second'`)
    await call('POST', `/v2/webhooks/${id}/test`)
    await until(() => at('/rotate').length === 2)
    expect(at('/rotate')[1]!.headers['webhook-signature']).not.toContain(' ')
  })

  test('use real time, whatever the test clock says', async () => {
    const ahead = new Date('2031-05-01T10:00:00.000Z')
    const accountId = server.testTenant.accountId
    await server.app.db.execute('insert into sandbox_clocks (account_id, frozen_at) values ($1, $2)', [
      accountId,
      ahead,
    ])
    const inTest = (method: string, path: string, body?: unknown) =>
      server.call(method, `/v2/webhooks${path}`, { key: server.keys.test, body })
    const { id } = (await inTest('POST', '', { url: receiverUrl })).body
    const answers = [await inTest('PUT', `/${id}`, { enabled: false }), await inTest('POST', `/${id}/rotate-secret`)]
    for (const { body } of answers) {
      expect([body.createdAt < ahead.toISOString(), body.updatedAt < ahead.toISOString()]).toEqual([true, true])
      expect(body.updatedAt >= body.createdAt).toBe(true)
    }
    await server.app.db.execute('delete from sandbox_clocks where account_id = $1', [accountId])
  })

  test('refuse invalid targets: other schemes, passwords, unknown types, foreign ids', async () => {
    for (const url of ['ftp://example.com/', 'example.com', 'http://user:pass@127.0.0.1/']) {
      const answer = await call('POST', '/v2/webhooks', { url })
      expect([answer.status, answer.body.error.details.issues[0].path]).toEqual([400, 'url'])
    }
    expect((await call('POST', '/v2/webhooks', { url: receiverUrl, events: ['message.read'] })).status).toBe(400)
    const { id } = await makeWebhook('/mine')
    const foreign = await server.call('GET', `/v2/webhooks/${id}`, { key: server.other.keys.live })
    expect(foreign.status).toBe(404)
    const got = (await call('GET', `/v2/webhooks/${id}`)).body
    expect((await call('PUT', `/v2/webhooks/${id}`, got)).status).toBe(200)
    expect((await call('PUT', `/v2/webhooks/${id}`, { status: 'failing' })).status).toBe(400)
    expect((await call('DELETE', `/v2/webhooks/${id}`)).body).toEqual({ id, deleted: true })
  })
})

describe('private targets', () => {
  test('are refused when an endpoint is created and when it is called', async () => {
    const guarded = await startTestServer({ routes: () => webhookRoutes() })
    try {
      for (const url of [
        'http://127.0.0.1:1/',
        'http://[::1]/',
        'http://169.254.169.254/latest',
        'https://10.1.2.3/',
        'http://localhost/',
      ]) {
        const answer = await guarded.call('POST', '/v2/webhooks', { key: guarded.keys.live, body: { url } })
        expect([url, answer.status]).toEqual([url, 400])
      }
    } finally {
      await guarded.stop()
    }
    const result = await postWebhook({
      url: `${receiverUrl.replace('127.0.0.1', 'localhost')}/rebound`,
      headers: {},
      body: '',
      reach: publicOnly,
    })
    expect(result).toMatchObject({ kind: 'failed', error: expect.stringContaining('private or loopback') })
    expect(at('/rebound')).toEqual([])
  })
})
