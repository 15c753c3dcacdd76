import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp } from '@overture/testing/app.ts'
import { createTestDatabase, type TestDatabase } from '@overture/testing/database.ts'
import {
  insertTestAccount,
  insertTestCampaign,
  insertTestLeads,
  insertTestSender,
} from '@overture/testing/delivery/delivery-fixtures.sql.ts'
import { testRenderer } from '@overture/testing/renderer.ts'
import type { App } from '../platform/app.ts'
import { systemClock } from '../platform/clock.ts'
import type { Tenant } from '../platform/tenant.ts'
import { createDeliveryWorker, noFaults, type Transport } from './index.ts'

const manyLeads = 1_200
let database: TestDatabase
let app: App

beforeAll(async () => {
  database = await createTestDatabase()
  app = createTestApp(database, {
    clock: systemClock,
    environment: { OVERTURE_PUBLIC_URL: 'https://mail.example.com', OVERTURE_ALLOW_PRIVATE_TARGETS: '1' },
  })
})
afterAll(() => database.drop())

async function launch(count: number): Promise<Tenant> {
  const tenant = await insertTestAccount(app.db)
  const senderId = await insertTestSender(app.db, tenant, { port: 1 })
  const steps = [{ subject: 'Hello', body: 'Hi', waitDays: 0 }]
  const { id } = await insertTestCampaign(app.db, tenant, { senderIds: [senderId], steps })
  await insertTestLeads(app.db, tenant, { campaignId: id, count, dueAt: app.clock.now() })
  await app.db.execute(
    `insert into planning (account_id, environment, next_plan_at) values ($1, $2, now())
     on conflict (account_id, environment) do update set next_plan_at = excluded.next_plan_at`,
    [tenant.accountId, tenant.environment],
  )
  return tenant
}

test("accounts with many messages take turns, so a later account doesn't wait for a whole campaign", async () => {
  const sent = new Map<string, number>()
  const whenLastBegan = new Map<string, number>()
  let lastId = ''
  const transport: Transport = {
    async send(request) {
      const { tenant } = request
      if (!(await request.gate())) return { kind: 'withheld', reason: 'withheld' }
      sent.set(tenant.accountId, (sent.get(tenant.accountId) ?? 0) + 1)
      if (tenant.accountId === lastId && whenLastBegan.size === 0)
        for (const [accountId, count] of sent) whenLastBegan.set(accountId, count)
      return { kind: 'accepted', answer: '250 2.0.0 ok', refusedRecipients: [] }
    },
  }
  const busy = [await launch(manyLeads), await launch(manyLeads)]
  // Autovacuum would do this within seconds on a running server.
  await app.db.execute('analyze')
  const tools = { app, renderer: testRenderer, transportFor: () => transport, faults: noFaults, sentFolder: null }
  const worker = createDeliveryWorker(tools, { pollMs: 10, tenantsMax: 2, turnMs: 0 })
  await worker.start()
  await expect.poll(() => busy.every(({ accountId }) => sent.has(accountId)), { timeout: 30_000 }).toBe(true)
  lastId = (await launch(3)).accountId
  await expect.poll(() => sent.get(lastId), { timeout: 60_000 }).toBe(3)
  await worker.stop()
  for (const { accountId } of busy) expect(whenLastBegan.get(accountId)).toBeLessThan(manyLeads)
})

/** A transport that holds the messages of some accounts until they are released. */
function holdingTransport(): {
  transport: Transport
  hold: (tenant: Tenant) => void
  letGo: () => void
  sent: (of: Tenant) => number
  waiting: () => number
} {
  const sent = new Map<string, number>()
  let held = ''
  let waiting: (() => void)[] = []
  return {
    transport: {
      async send(request) {
        const { accountId } = request.tenant
        if (accountId === held) await new Promise<void>((go) => waiting.push(go))
        if (!(await request.gate())) return { kind: 'withheld', reason: 'withheld' }
        sent.set(accountId, (sent.get(accountId) ?? 0) + 1)
        return { kind: 'accepted', answer: '250 2.0.0 ok', refusedRecipients: [] }
      },
    },
    hold: ({ accountId }) => void (held = accountId),
    letGo() {
      held = ''
      for (const go of waiting.splice(0)) go()
    },
    sent: ({ accountId }) => sent.get(accountId) ?? 0,
    waiting: () => waiting.length,
  }
}

const toolsWith = (transport: Transport) => ({
  app,
  renderer: testRenderer,
  transportFor: () => transport,
  faults: noFaults,
  sentFolder: null,
})

test('an account that waits for its mail server blocks no other account, and stop lets it finish', async () => {
  const { transport, hold, letGo, sent, waiting } = holdingTransport()
  const slow = await launch(5)
  hold(slow)
  const worker = createDeliveryWorker(toolsWith(transport), { pollMs: 10, tenantsMax: 1 })
  await worker.start()
  await expect.poll(waiting, { timeout: 30_000 }).toBe(5)
  const quick = [await launch(3), await launch(3)]
  await expect.poll(() => quick.map(sent), { timeout: 30_000 }).toEqual([3, 3])
  expect(sent(slow)).toBe(0)
  const stopped = worker.stop()
  letGo()
  await stopped
  expect(sent(slow)).toBe(5)
})

test('at most messagesMax messages are in flight, and more are planned when they are recorded', async () => {
  const { transport, hold, letGo, sent, waiting } = holdingTransport()
  const slow = await launch(5)
  hold(slow)
  let rounds = 0
  const findHindrance = () => (rounds++, Promise.resolve(null))
  const tools = { ...toolsWith(transport), findHindrance }
  const worker = createDeliveryWorker(tools, { pollMs: 10, hindranceEveryMs: 0, messagesMax: 5 })
  await worker.start()
  await expect.poll(waiting, { timeout: 30_000 }).toBe(5)
  const next = await launch(3)
  const before = rounds
  await expect.poll(() => rounds, { timeout: 30_000 }).toBeGreaterThan(before + 3)
  const claimed = await app.db.query('select from claims where account_id = $1', [next.accountId])
  expect(claimed).toEqual([])
  letGo()
  await expect.poll(() => sent(next), { timeout: 30_000 }).toBe(3)
  expect(sent(slow)).toBe(5)
  await worker.stop()
})
