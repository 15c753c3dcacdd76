import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createTestApp } from '@overture/testing/app.ts'
import { createTestDatabase, type TestDatabase } from '@overture/testing/database.ts'
import {
  insertTestAccount,
  insertTestCampaign,
  insertTestLeads,
  insertTestPolicy,
  insertTestSender,
} from '@overture/testing/delivery/delivery-fixtures.sql.ts'
import { testRenderer } from '@overture/testing/renderer.ts'
import { noContactPolicy } from '@overture/contract/contact-policy/contact-policy.ts'
import { wakePlanner } from '../../campaigns/index.ts'
import type { App } from '../../platform/app.ts'
import { runPlanning } from './plan-tenant.shell.ts'

const now = new Date('2026-03-02T10:00:00.000Z')
let database: TestDatabase
let app: App
beforeAll(async () => {
  database = await createTestDatabase()
  app = createTestApp(database, { environment: { OVERTURE_ALLOW_PRIVATE_TARGETS: '1' } })
})
afterAll(() => database.drop())

/** The app with a count of how often its transactions ran, also in vain. */
function countTransactions(): { app: App; ran: () => number } {
  let ran = 0
  const db = app.db.relaxed()
  const counting: App['db'] = {
    ...db,
    relaxed: () => counting,
    transaction: (run, options) =>
      db.transaction((tx) => {
        ran++
        return run(tx)
      }, options),
  }
  return { app: { ...app, db: counting }, ran: () => ran }
}

test('a plan and a request lock campaigns before the row of the planner, so neither is retried', async () => {
  const tenant = await insertTestAccount(app.db)
  // With a limit of the contact policy, a plan locks the row of the planner.
  await insertTestPolicy(app.db, tenant, { ...noContactPolicy, perPerson: { messages: 1, days: 7 } })
  const senderId = await insertTestSender(app.db, tenant, { port: 1 })
  const { id } = await insertTestCampaign(app.db, tenant, { senderIds: [senderId] })
  await insertTestLeads(app.db, tenant, { campaignId: id, count: 1, dueAt: now })
  const values = [tenant.accountId, tenant.environment]
  await app.db.transaction((tx) => Promise.resolve(wakePlanner(tx, tenant, new Date(now.getTime() + 1))))
  // The plan ends the hold, so it writes the campaigns.
  await app.db.execute('update campaigns set hold_until = now() where account_id = $1 and environment = $2', values)
  const counted = countTransactions()
  let [requests, planning] = [0, Promise.resolve<unknown>(null)]
  await app.db.transaction(async (tx) => {
    requests++
    wakePlanner(tx, tenant, now)
    await tx.execute('update campaigns set name = name where account_id = $1 and environment = $2', values)
    const free = 'select 1 from planning where account_id = $1 and environment = $2 for update nowait'
    expect(await app.db.query(free, values)).toHaveLength(1)
    planning = runPlanning({ app: counted.app, renderer: testRenderer }, tenant, now)
    const waiting = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    await vi.waitFor(async () => expect(await app.db.query(waiting)).toHaveLength(1), 30_000)
  })
  await planning
  expect([requests, counted.ran()]).toEqual([1, 1])
})
