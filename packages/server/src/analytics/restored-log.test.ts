import { afterAll, beforeAll, expect, test } from 'vitest'
import { appendEvents } from '../platform/events/events.sql.ts'
import { adoptRestoredEvents } from '../platform/events/restored.sql.ts'
import { startTestServer, type TestServer } from '@overture/testing/server.ts'
import { fanOutAll } from '../webhooks/webhooks.worker.ts'
import { webhookRoutes } from '../webhooks/index.ts'
import { analyticsRoutes, rollUpAll } from './index.ts'

let server: TestServer
const noAi = { generations: 0, credits: 0, promptTokens: 0, completionTokens: 0 }

beforeAll(async () => {
  server = await startTestServer({
    routes: () => [
      ...analyticsRoutes({ readBalance: () => Promise.resolve(0), sumAiCost: () => Promise.resolve(noAi) }),
      ...webhookRoutes(),
    ],
    environment: { OVERTURE_ALLOW_PRIVATE_TARGETS: '1' },
  })
})
afterAll(() => server.stop())

const append = (count: number) =>
  server.app.db.transaction((tx) =>
    appendEvents(
      tx,
      server.tenant,
      Array.from({ length: count }, () => ({
        type: 'message.failed' as const,
        occurredAt: new Date(0),
        stepId: 'stp_1',
        data: { reason: 'no text' },
      })),
    ),
  )
const page = async (query: string) =>
  (await server.call('GET', `/v2/events?${query}`, { key: server.keys.live })).body as {
    results: { id: string }[]
    nextCursor: string | null
  }
const idsOf = (results: { id: string }[]) => results.map(({ id }) => id)
const failed = async () =>
  (await server.call('GET', '/v2/campaigns/summary', { key: server.keys.live })).body.totals.failed
const deliveredIds = async () =>
  (
    await server.app.db.query<{ eventId: string }>('select event_id from webhook_deliveries order by tx_id, position')
  ).map(({ eventId }) => eventId)
/** Simulates a dump of a server whose transaction ids were a billion ahead. */
const ahead = (column: string) => `(${column}::text::bigint + 1000000000)::text::xid8`

test('after restores on other servers every reader continues at its position', async () => {
  const made = await server.call('POST', '/v2/webhooks', {
    key: server.keys.live,
    body: { url: 'http://127.0.0.1:1/' },
  })
  expect(made.status).toBe(201)
  const written = [...(await append(3)), ...(await append(3))]
  const first = await page('limit=2')
  expect(idsOf(first.results)).toEqual(written.slice(0, 2))
  await rollUpAll(server.app)
  await fanOutAll(server.app)
  written.push(...(await append(2)))
  const { db } = server.app
  for (let restores = 0; restores < 2; restores++) {
    expect(await adoptRestoredEvents(db)).toBe(0)
    await db.execute(`update events set tx_id = ${ahead('tx_id')}`)
    await db.execute(`update event_looks set tx_id = ${ahead('tx_id')}`)
    await db.execute(`update event_places set tx_id = ${ahead('tx_id')}`)
    await db.execute(`update webhook_deliveries set tx_id = ${ahead('tx_id')}`)
    await db.execute(`update webhooks set since_tx = ${ahead('since_tx')}`)
    // Restored events stay hidden until they have their new position, so none is read in a wrong order.
    const hidden = idsOf((await page('limit=100')).results)
    expect(hidden).toEqual(written.slice(0, hidden.length))
    expect(hidden.length).toBeLessThan(written.length)
    // One event is appended before the restore is detected.
    written.push(...(await append(1)))
    expect(await adoptRestoredEvents(db)).toBe(written.length - 1)
    written.push(...(await append(2)))
    expect(idsOf((await page('limit=100')).results)).toEqual(written)
    expect(idsOf((await page('limit=100&order=desc')).results)).toEqual(written.toReversed())
    // An old cursor continues from its event, and so do the statistics and the webhooks: nothing is read twice.
    expect(idsOf((await page(`limit=100&cursor=${first.nextCursor}`)).results)).toEqual(written.slice(2))
    await rollUpAll(server.app)
    expect(await failed()).toBe(written.length)
    await fanOutAll(server.app)
    expect(await deliveredIds()).toEqual(written)
  }
})
