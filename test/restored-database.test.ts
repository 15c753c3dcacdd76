import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp } from '@overture/testing/app.ts'
import { createTestDatabase, type TestDatabase } from '@overture/testing/database.ts'
import { startDelivery, type DeliveryByHand } from '@overture/testing/delivery/delivery-by-hand.ts'
import {
  insertTestAccount,
  insertTestCampaign,
  insertTestLeads,
  insertTestSender,
  listTestLeads,
  listTestMessages,
} from '@overture/testing/delivery/delivery-fixtures.sql.ts'
import {
  deliverClaimed,
  recoverExpired,
  resumeAfterRestore,
  runPlanning,
} from '../packages/server/src/delivery/index.ts'
import type { App } from '../packages/server/src/platform/app.ts'
import { deleteSendingHold, findSendingHold } from '../packages/server/src/platform/db/history.sql.ts'
import { createDatabase } from '../packages/server/src/platform/db/pool.client.ts'
import { createLogger } from '../packages/server/src/platform/log.shell.ts'

let database: TestDatabase
let app: App
let delivery: DeliveryByHand
const log = createLogger('silent')

beforeAll(async () => {
  database = await createTestDatabase()
  app = createTestApp(database, { environment: { OVERTURE_ALLOW_PRIVATE_TARGETS: '1' } })
  delivery = await startDelivery(app)
})
afterAll(async () => {
  await delivery.stop()
  await database.drop()
})

/** Opens a new connection like a server, and returns whether sending is held. */
async function connect(): Promise<boolean> {
  const db = createDatabase({ url: database.url, log, connectionsMax: 1, watchHistory: true })
  try {
    return (await findSendingHold(db)) !== null
  } finally {
    await db.close()
  }
}

test('a connection to another cluster, database or timeline holds sending', async () => {
  const { db } = database
  expect([await connect(), await connect()]).toEqual([false, false])
  const [row] = await db.query<{ history: string }>(
    `select value #>> '{}' as history from settings where name = 'database_history'`,
  )
  const here = row!.history.split(' ')
  expect(here).toHaveLength(3)
  const other = fc.tuple(fc.bigInt({ min: 1n, max: 2n ** 63n }), fc.nat(), fc.integer({ min: 1, max: 255 }))
  const some = fc.tuple(other, fc.subarray([0, 1, 2]))
  await fc.assert(
    fc.asyncProperty(some, async ([[cluster, oid, timeline], changed]) => {
      const parts = [String(cluster), String(oid), timeline.toString(16).padStart(8, '0').toUpperCase()]
      const before = here.map((part, at) => (changed.includes(at as 0) ? parts[at]! : part)).join(' ')
      await db.execute(`update settings set value = to_jsonb($1::text) where name = 'database_history'`, [before])
      expect(await connect()).toBe(before !== here.join(' '))
      // The new history is stored now; the hold stays until the operator ends it.
      expect(await connect()).toBe(before !== here.join(' '))
      await db.transaction((tx) => deleteSendingHold(tx))
      expect(await connect()).toBe(false)
    }),
    { numRuns: 25 },
  )
})

test('while sending is held, live sends nothing, claims become uncertain, and the rest is sent later', async () => {
  const { db } = app
  const { smtp, tools } = delivery
  const tenant = await insertTestAccount(db)
  const senderId = await insertTestSender(db, tenant, { port: smtp.port })
  const begin = async (prefix: string) => {
    const campaign = await insertTestCampaign(db, tenant, { senderIds: [senderId] })
    await insertTestLeads(db, tenant, { campaignId: campaign.id, count: 1, dueAt: app.clock.now(), prefix })
    return (await runPlanning(tools, tenant, app.clock.now())).token
  }
  const statuses = async () => (await listTestMessages(db, tenant)).map(({ status }) => status).sort()

  // One worker stopped with the old database, the other continues with the restored one.
  await begin('dead')
  await db.execute(`update claims set lease_until = now() - interval '1 second'`)
  const alive = await begin('alive')
  await db.execute(`update settings set value = '"1 2 00000003"' where name = 'database_history'`)
  expect(await connect()).toBe(true)

  await deliverClaimed(tools, tenant, { now: app.clock.now(), token: alive })
  expect(smtp.accepted).toEqual([])
  await recoverExpired(app)
  expect(await statuses()).toContain('uncertain')
  const blocked = (await listTestLeads(db, tenant)).map(({ blockedReason }) => blockedReason)
  expect(blocked.filter((reason) => reason === 'delivery_uncertain')).toHaveLength(1)

  // Live accounts are not planned. The test environment is planned, since its mailboxes are simulated.
  const makeDue = () =>
    db.execute(
      `insert into planning (account_id, environment, next_plan_at) values ($1, 'live', '2020-01-01'), ($1, 'test', '2020-01-01')
     on conflict (account_id, environment) do update set next_plan_at = excluded.next_plan_at, lease_token = null, lease_until = null`,
      [tenant.accountId],
    )
  const due = async () => (await listDue()).map(({ environment }) => environment)
  await makeDue()
  expect(await due()).toEqual(['test'])

  // Direct planning still claims the new lead and the released one.
  await begin('claimed')
  expect(await db.transaction((tx) => resumeAfterRestore(tx, app.clock.now()))).toBe(2)
  expect(await findSendingHold(db)).toBeNull()
  expect(await db.transaction((tx) => resumeAfterRestore(tx, app.clock.now()))).toBeNull()
  await makeDue()
  expect((await due()).sort()).toEqual(['live', 'test'])

  const token = await begin('after')
  await deliverClaimed(tools, tenant, { now: app.clock.now(), token })
  const to = smtp.accepted.flatMap((mail) => mail.to)
  expect(to).toContain('after1@acme.test')
  // These messages are never sent again automatically.
  expect(to.filter((address) => /^(?:dead|alive|claimed)/.test(address))).toEqual([])

  async function listDue() {
    const { listDueTenantsAcrossAccounts } = await import('../packages/server/src/delivery/plan/lease.sql.ts')
    return listDueTenantsAcrossAccounts(db, { realNow: app.clock.now(), limit: 10 })
  }
})
