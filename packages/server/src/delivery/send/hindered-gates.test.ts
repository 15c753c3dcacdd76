import pg from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createTestApp } from '@overture/testing/app.ts'
import { installCitusDouble, setOnNode } from '@overture/testing/distributed/citus-double.ts'
import { createTestDatabase, type TestDatabase } from '@overture/testing/database.ts'
import {
  insertTestAccount,
  insertTestCampaign,
  insertTestLeads,
  insertTestSender,
} from '@overture/testing/delivery/delivery-fixtures.sql.ts'
import { testRenderer } from '@overture/testing/renderer.ts'
import type { App } from '../../platform/app.ts'
import { findHindranceOfNodes } from '../../platform/distributed/look.shell.ts'
import { createDeliveryWorker, type DeliveryTools, noFaults, type Transport } from '../index.ts'

const patienceMs = 60_000
const workerNode = 3
let database: TestDatabase
let client: pg.Client
let app: App

beforeAll(async () => {
  database = await createTestDatabase()
  client = new pg.Client({ connectionString: database.url })
  await client.connect()
  await installCitusDouble(client)
  app = createTestApp(database, {
    environment: { OVERTURE_PUBLIC_URL: 'https://mail.example.com', OVERTURE_ALLOW_PRIVATE_TARGETS: '1' },
  })
})
afterAll(async () => {
  await client.end()
  await database.drop()
})

async function launch(count: number): Promise<void> {
  const tenant = await insertTestAccount(app.db)
  const senderId = await insertTestSender(app.db, tenant, { port: 1 })
  const steps = [{ subject: 'Hello', body: 'Hi', waitDays: 0 }]
  const { id } = await insertTestCampaign(app.db, tenant, { senderIds: [senderId], steps })
  const dueAt = app.clock.now()
  await insertTestLeads(app.db, tenant, { campaignId: id, count, dueAt, prefix: tenant.accountId.slice(-6) })
  await app.db.execute(
    `insert into planning (account_id, environment, next_plan_at) values ($1, $2, now())
     on conflict (account_id, environment) do update set next_plan_at = now()`,
    [tenant.accountId, tenant.environment],
  )
}

test('sending stops while synchronous_commit is off, reports why, and continues after it is on', async () => {
  let sent = 0
  const transport: Transport = {
    async send(request) {
      if (!(await request.gate())) return { kind: 'withheld', reason: 'withheld' }
      sent++
      return { kind: 'accepted', answer: '250 2.0.0 ok', refusedRecipients: [] }
    },
  }
  const errors = vi.spyOn(app.log, 'error')
  const reports = () =>
    errors.mock.calls.filter(([facts]) => /off on worker-2\.test/.test(JSON.stringify(facts))).length
  const findHindrance = () => findHindranceOfNodes(database.url)
  const made = { app, renderer: testRenderer, faults: noFaults, sentFolder: null }
  const tools: DeliveryTools = { ...made, transportFor: () => transport, findHindrance }
  const worker = createDeliveryWorker(tools, { pollMs: 10, hindranceEveryMs: 0 })
  await launch(3)
  await worker.start()
  try {
    await expect.poll(() => sent, { timeout: patienceMs }).toBe(3)
    await setOnNode(client, workerNode, 'synchronous_commit', 'off')
    await expect.poll(reports, { timeout: patienceMs }).toBeGreaterThan(0)
    await launch(3)
    const before = reports()
    await expect.poll(reports, { timeout: patienceMs }).toBeGreaterThan(before + 1)
    expect(sent).toBe(3)
    expect(app.heartbeats.areGatesHindered).toBe(true)
    await setOnNode(client, workerNode, 'synchronous_commit', 'on')
    await expect.poll(() => sent, { timeout: patienceMs }).toBe(6)
    expect(app.heartbeats.areGatesHindered).toBe(false)
  } finally {
    await worker.stop()
  }
})

test('nothing is sent if the check fails', async () => {
  let looks = 0
  const transport: Transport = { send: () => Promise.reject(new Error('nothing may be sent')) }
  const made = { app, renderer: testRenderer, faults: noFaults, sentFolder: null }
  const findHindrance = () => (looks++, Promise.reject(new Error('no reply')))
  const sends = vi.spyOn(transport, 'send')
  const worker = createDeliveryWorker({ ...made, transportFor: () => transport, findHindrance }, { pollMs: 10 })
  await launch(1)
  await worker.start()
  await expect.poll(() => looks, { timeout: patienceMs }).toBeGreaterThan(1)
  await worker.stop()
  expect(sends).not.toHaveBeenCalled()
})

test('with several servers, the server of the claims gets synchronous_commit before they change', async () => {
  const sent: string[] = []
  const commands: string[][] = []
  const watched: App = {
    ...app,
    config: { ...app.config, distributed: true },
    db: {
      ...app.db,
      transaction: (run, ...options) =>
        app.db.transaction(
          (tx) => {
            const texts: string[] = []
            commands.push(texts)
            return run({
              ...tx,
              query: (text, ...rest) => (texts.push(text), tx.query(text, ...rest)),
              execute: (text, ...rest) => (texts.push(text), tx.execute(text, ...rest)),
            })
          },
          ...options,
        ),
    },
  }
  const transport: Transport = {
    async send(request) {
      if (!(await request.gate())) return { kind: 'withheld', reason: 'withheld' }
      const gates = commands.filter((texts) => texts.some((text) => text.includes('set gated_at')))
      expect(gates.length).toBeGreaterThan(0)
      for (const texts of gates) expect(texts[0]).toBe('set local synchronous_commit = on')
      sent.push(request.messageId)
      return { kind: 'accepted', answer: '250 2.0.0 ok', refusedRecipients: [] }
    },
  }
  const worker = createDeliveryWorker(
    { app: watched, renderer: testRenderer, faults: noFaults, sentFolder: null, transportFor: () => transport },
    { pollMs: 10 },
  )
  await launch(3)
  await worker.start()
  try {
    await expect.poll(() => new Set(sent).size, { timeout: patienceMs }).toBeGreaterThanOrEqual(3)
  } finally {
    await worker.stop()
  }
})
