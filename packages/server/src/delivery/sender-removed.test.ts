import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import type { App } from '../platform/app.ts'
import { createSmtpPool, type SmtpPool } from '../platform/mail/smtp-pool.client.ts'
import type { Tenant } from '../platform/tenant.ts'
import { createTestApp } from '@overture/testing/app.ts'
import { testRenderer } from '@overture/testing/renderer.ts'
import { createTestDatabase, type TestDatabase } from '@overture/testing/database.ts'
import { startSmtpDouble, type SmtpDouble } from '@overture/testing/mail/smtp-double.server.ts'
import {
  insertTestAccount,
  insertTestCampaign,
  insertTestLeads,
  insertTestSender,
  listTestLeads,
} from '@overture/testing/delivery/delivery-fixtures.sql.ts'
import { createSmtpTransport, deliverClaimed, noFaults, runPlanning, type DeliveryTools } from './index.ts'

const start = new Date('2026-03-02T10:00:00.000Z')
const secondStepAt = new Date('2026-03-06T10:00:00.000Z')

let database: TestDatabase
let app: App
let double: SmtpDouble
let pool: SmtpPool
let tools: DeliveryTools
let tenant: Tenant
let removed: string
let replacement: string

beforeAll(async () => {
  database = await createTestDatabase()
  app = createTestApp(database, { environment: { OVERTURE_ALLOW_PRIVATE_TARGETS: '1' } })
})
afterAll(() => database.drop())

beforeEach(async () => {
  double = await startSmtpDouble()
  pool = createSmtpPool()
  const smtp = createSmtpTransport({ app, pool, faultsArmed: false })
  tools = { app, renderer: testRenderer, transportFor: () => smtp, faults: noFaults, sentFolder: null }
  tenant = await insertTestAccount(app.db)
  removed = await insertTestSender(app.db, tenant, { port: double.port })
  const campaign = await insertTestCampaign(app.db, tenant, { senderIds: [removed] })
  await insertTestLeads(app.db, tenant, { campaignId: campaign.id, count: 1, dueAt: start })
  await work(start)
  replacement = await insertTestSender(app.db, tenant, { port: double.port })
})
afterEach(async () => {
  await pool.close()
  await double.stop()
})

async function work(now: Date): Promise<void> {
  const { claimed, token } = await runPlanning(tools, tenant, now)
  if (claimed > 0) await deliverClaimed(tools, tenant, { now, token })
}

test('a plan that was made while its sender was being deleted claims nothing for it', async () => {
  let planning: Promise<void> = Promise.resolve()
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
  expect(double.accepted.map((mail) => mail.from)).toEqual([`${removed}@sender.test`, `${replacement}@sender.test`])
  expect((await listTestLeads(app.db, tenant))[0]?.status).toBe('completed')
})

test('a lead whose sender is gone for good goes on from another one', async () => {
  await app.db.execute('update campaigns set sending_account_ids = array[$2] where $1 = any(sending_account_ids)', [
    removed,
    replacement,
  ])
  await app.db.execute('delete from sending_accounts where id = $1', [removed])
  await work(secondStepAt)
  expect(double.accepted.map((mail) => mail.from)).toEqual([`${removed}@sender.test`, `${replacement}@sender.test`])
})
