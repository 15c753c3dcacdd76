import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import type { App } from '../../platform/app.ts'
import type { Tenant } from '../../platform/tenant.ts'
import { createTestApp } from '@overture/testing/app.ts'
import { createTestDatabase, type TestDatabase } from '@overture/testing/database.ts'
import { deliverDue, startDelivery, type DeliveryByHand } from '@overture/testing/delivery/delivery-by-hand.ts'
import {
  insertTestAccount,
  insertTestCampaign,
  insertTestLeads,
  insertTestSender,
  listTestLeads,
} from '@overture/testing/delivery/delivery-fixtures.sql.ts'

const start = new Date('2026-03-02T10:00:00.000Z')
const secondStepAt = new Date('2026-03-06T10:00:00.000Z')

let database: TestDatabase
let app: App
let delivery: DeliveryByHand
let tenant: Tenant
let removed: string
let replacement: string

beforeAll(async () => {
  database = await createTestDatabase()
  app = createTestApp(database, { environment: { OVERTURE_ALLOW_PRIVATE_TARGETS: '1' } })
})
afterAll(() => database.drop())

beforeEach(async () => {
  delivery = await startDelivery(app)
  tenant = await insertTestAccount(app.db)
  removed = await insertTestSender(app.db, tenant, { port: delivery.smtp.port })
  const campaign = await insertTestCampaign(app.db, tenant, { senderIds: [removed] })
  await insertTestLeads(app.db, tenant, { campaignId: campaign.id, count: 1, dueAt: start })
  await work(start)
  replacement = await insertTestSender(app.db, tenant, { port: delivery.smtp.port })
})
afterEach(() => delivery.stop())

const work = (now: Date): Promise<number> => deliverDue(delivery.tools, tenant, now)

test('a plan made while its sender is being deleted claims nothing for it', async () => {
  let planning: Promise<unknown> = Promise.resolve()
  await app.db.transaction(async (tx) => {
    await tx.execute('select from sending_accounts where id = $1 for update', [removed])
    planning = work(secondStepAt)
    await vi.waitFor(async () => {
      const [row] = await app.db.query<{ waiting: number }>(
        `select count(*)::int as waiting from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      )
      expect(row?.waiting).toBe(1)
    })
    await tx.execute('update campaigns set sending_account_ids = array[$2] where $1 = any(sending_account_ids)', [
      removed,
      replacement,
    ])
    await tx.execute('update lead_progress set sending_account_id = $2 where sending_account_id = $1', [
      removed,
      replacement,
    ])
    await tx.execute('delete from sending_accounts where id = $1', [removed])
  })
  await planning
  await work(secondStepAt)
  expect(delivery.smtp.accepted.map((mail) => mail.from)).toEqual([
    `${removed}@sender.test`,
    `${replacement}@sender.test`,
  ])
  expect((await listTestLeads(app.db, tenant))[0]?.status).toBe('completed')
})

test("continues from another sender if the lead's sender was deleted", async () => {
  await app.db.execute('update campaigns set sending_account_ids = array[$2] where $1 = any(sending_account_ids)', [
    removed,
    replacement,
  ])
  await app.db.execute('delete from sending_accounts where id = $1', [removed])
  await work(secondStepAt)
  expect(delivery.smtp.accepted.map((mail) => mail.from)).toEqual([
    `${removed}@sender.test`,
    `${replacement}@sender.test`,
  ])
})
