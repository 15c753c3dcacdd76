import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { appendEvents } from '../platform/events/events.sql.ts'
import type { Worker } from '../platform/lifecycle/worker.ts'
import type { Tenant } from '../platform/tenant.ts'
import { startTestServer, type TestServer } from '@overture/testing/server.ts'
import { createWebhookWorker, webhookRoutes } from './index.ts'

// Each test sends thousands of requests.
vi.setConfig({ testTimeout: 300_000 })

/** Longer than these tests run on the slowest machine, so that no request to a dead receiver times out. */
const attemptMs = 600_000
let server: TestServer
let receiver: Server
let url: string
let worker: Worker
/** The received ids by path, and the number of open requests to dead receivers. */
const received = new Map<string, string[]>()
let openDead = 0

beforeAll(async () => {
  server = await startTestServer({
    routes: () => webhookRoutes(),
    environment: { OVERTURE_ALLOW_PRIVATE_TARGETS: '1' },
  })
  receiver = createServer((request, response) => {
    const path = request.url ?? ''
    request.resume()
    received.set(path, [...(received.get(path) ?? []), String(request.headers['webhook-id'])])
    if (!path.startsWith('/dead')) return void response.writeHead(204).end()
    openDead++
    response.on('close', () => openDead--)
  })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`
})
afterEach(async () => {
  await worker.stop()
  await server.app.db.execute('delete from webhooks')
  received.clear()
})
afterAll(async () => {
  receiver.closeAllConnections()
  receiver.close()
  await server.stop()
})

const getKey = (tenant: Tenant) => (tenant.environment === 'live' ? server.keys.live : server.keys.test)
async function make(path: string, tenant: Tenant = server.tenant): Promise<void> {
  const answer = await server.call('POST', '/v2/webhooks', { key: getKey(tenant), body: { url: `${url}${path}` } })
  expect(answer.status, answer.text).toBe(201)
}
const append = (count: number, tenant: Tenant = server.tenant) =>
  server.app.db.transaction((tx) =>
    appendEvents(
      tx,
      tenant,
      Array.from({ length: count }, () => ({ type: 'lead.added' as const, occurredAt: new Date('2026-03-01') })),
    ),
  )
async function start(): Promise<void> {
  worker = createWebhookWorker(server.app, attemptMs)
  await worker.start()
}
const until = (test: () => boolean) => expect.poll(test, { timeout: 60_000, interval: 20 }).toBe(true)

describe('dead receivers', () => {
  test("more of them than slots don't delay later receivers", async () => {
    // 49 in each environment, so that these are claimed first.
    for (let index = 0; index < 49; index++) {
      await make(`/dead${index}`)
      await make(`/dead${index}`, server.testTenant)
    }
    await append(1)
    await append(1, server.testTenant)
    await start()
    // All 98 get their request at once, although 64 receivers are served at a time.
    await until(() => openDead === 98)
    await make('/alive')
    const ids = await append(200)
    await until(() => received.get('/alive')?.length === 200)
    expect(received.get('/alive')).toEqual(ids)
    // The dead receivers did not time out meanwhile: each still has its first request.
    expect(openDead).toBe(98)
    expect([...received].filter(([path]) => path.startsWith('/dead')).map(([, all]) => all.length)).toEqual(
      Array.from({ length: 49 }, () => 2),
    )
  })

  test("don't affect others: two of three receivers get every event in order while the third stalls", async () => {
    await make('/first')
    await make('/dead')
    await make('/second')
    const ids: string[] = []
    for (let batch = 0; batch < 2; batch++) ids.push(...(await append(800)))
    await start()
    await until(() => openDead === 1)
    await expect
      .poll(() => [received.get('/first')?.length, received.get('/second')?.length], {
        timeout: 300_000,
        interval: 100,
      })
      .toEqual([1_600, 1_600])
    expect(received.get('/first')).toEqual(ids)
    expect(received.get('/second')).toEqual(ids)
    // The third is still in its first attempt, and no other waited for it.
    expect(received.get('/dead')).toEqual(ids.slice(0, 1))
  })
})
