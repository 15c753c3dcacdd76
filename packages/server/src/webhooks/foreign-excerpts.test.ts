import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { startTestServer, type TestServer } from '@overture/testing/server.ts'
import { appendEvents } from '../platform/events/events.sql.ts'
import type { Worker } from '../platform/lifecycle/worker.ts'
import { createWebhookWorker, webhookRoutes } from './index.ts'

// A test delivers hundreds of events.
vi.setConfig({ testTimeout: 300_000 })

let server: TestServer
let receiver: Server
let worker: Worker
let url: string
/** The response to each request in order, and the number of requests. */
let answers: { status: number; body: Buffer }[] = []
let requests = 0

beforeAll(async () => {
  server = await startTestServer({
    routes: () => webhookRoutes(),
    environment: { OVERTURE_ALLOW_PRIVATE_TARGETS: '1' },
  })
  receiver = createServer((request, response) => {
    request.resume()
    const { status, body } = answers[requests++] ?? { status: 204, body: Buffer.alloc(0) }
    response.writeHead(status, { 'retry-after': 'soon\u00ff' }).end(body)
  })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`
  worker = createWebhookWorker(server.app)
  await worker.start()
})
afterAll(async () => {
  await worker.stop()
  receiver.closeAllConnections()
  receiver.close()
  await server.stop()
})

async function webhook(): Promise<string> {
  const made = await server.call('POST', '/v2/webhooks', { key: server.keys.live, body: { url } })
  expect(made.status, made.text).toBe(201)
  return made.body.id
}

const append = (count: number) =>
  server.app.db.transaction((tx) =>
    appendEvents(
      tx,
      server.tenant,
      Array.from({ length: count }, () => ({ type: 'lead.added' as const, occurredAt: new Date('2026-03-01') })),
    ),
  )

interface Attempted {
  attempts: number
  status: string
  responseStatus: number | null
  responseExcerpt: string | null
}

async function attempted(webhookId: string, count: number): Promise<Attempted[]> {
  const rows = () =>
    server.app.db.query<Attempted>(
      `select attempts, status, response_status, response_excerpt from webhook_deliveries
       where webhook_id = $1 and attempts > 0 order by tx_id, position`,
      [webhookId],
    )
  await expect.poll(async () => (await rows()).length, { timeout: 60_000, interval: 20 }).toBe(count)
  return rows()
}

const body = fc.oneof(
  fc.uint8Array({ maxLength: 50 }).map((bytes) => Buffer.from(bytes)),
  // A surrogate pair that is cut by the limit of the excerpt, at both positions.
  fc.integer({ min: 990, max: 1_005 }).map((length) => Buffer.from(`${'x'.repeat(length)}😀😀`)),
)

test('each delivery is sent once and recorded, whatever the receiver responds', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(body, { minLength: 5, maxLength: 5 }), async (bodies) => {
      answers = bodies.map((said) => ({ status: 200, body: said }))
      requests = 0
      const id = await webhook()
      await append(bodies.length)
      const rows = await attempted(id, bodies.length)
      expect(requests).toBe(bodies.length)
      for (const row of rows) {
        expect(row).toMatchObject({ attempts: 1, status: 'succeeded', responseStatus: 200 })
        expect(row.responseExcerpt?.replaceAll(/[\t\n]/g, '')).not.toMatch(/\p{Cc}/u)
        expect(row.responseExcerpt?.length).toBeLessThanOrEqual(1_000)
      }
      await server.call('DELETE', `/v2/webhooks/${id}`, { key: server.keys.live })
    }),
    { numRuns: 15 },
  )
})

test.each([200, 500])(
  'text that the database refuses in a response (%i) is left out, and the rest stored',
  async (status) => {
    await server.app.db.execute(`create function refuse_word() returns trigger language plpgsql as $$ begin
    if new.response_excerpt like '%unheard%' then raise exception 'never' using errcode = '22P05'; end if; return new; end $$`)
    await server.app.db.execute(
      `create trigger refuse_word before update on webhook_deliveries for each row execute function refuse_word()`,
    )
    answers = [{ status, body: Buffer.from('an unheard of answer') }]
    requests = 0
    const id = await webhook()
    try {
      await append(1)
      const [row] = await attempted(id, 1)
      expect(row).toMatchObject({ attempts: 1, responseStatus: status, responseExcerpt: null })
      expect(requests).toBe(1)
    } finally {
      await server.app.db.execute('drop function refuse_word cascade')
      await server.call('DELETE', `/v2/webhooks/${id}`, { key: server.keys.live })
    }
  },
)
