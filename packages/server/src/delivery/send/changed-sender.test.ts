import { minuteMs } from '@overture/ground/time/spans.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp } from '@overture/testing/app.ts'
import { createTestDatabase, type TestDatabase } from '@overture/testing/database.ts'
import {
  insertTestAccount,
  insertTestCampaign,
  insertTestLeads,
} from '@overture/testing/delivery/delivery-fixtures.sql.ts'
import { deliverDue, smtpOver, toolsOver } from '@overture/testing/delivery/delivery-by-hand.ts'
import { startSmtpDouble, type SmtpDouble } from '@overture/testing/mail/smtp-double.server.ts'
import type { App } from '../../platform/app.ts'
import { createSmtpPool, type SmtpPool } from '../../platform/mail/smtp-pool.client.ts'
import type { Tenant } from '../../platform/tenant.ts'
import { createSender, updateSender } from '../../sending-accounts/sending-accounts.commands.ts'
import { smtpLane, type DeliveryTools } from '../index.ts'

const start = new Date('2026-03-02T10:00:00.000Z')
const user = 'eve@sender.test'

let database: TestDatabase
let app: App
let pool: SmtpPool
let tools: DeliveryTools
let before: SmtpDouble
let after: SmtpDouble

beforeAll(async () => {
  database = await createTestDatabase()
  app = createTestApp(database, { environment: { OVERTURE_ALLOW_PRIVATE_TARGETS: '1' } })
  // The pool closes no idle connections in this test, so a closed connection was closed because of the change.
  pool = createSmtpPool({ connectionsMax: 4, messagesPerConnectionMax: 100, idleCloseMs: 3_600_000 })
  tools = toolsOver(app, smtpOver(app, pool))
  before = await startSmtpDouble({ users: { [user]: 'old secret' } })
  after = await startSmtpDouble({ users: { [user]: 'new secret' } })
})
afterAll(async () => {
  await pool.close()
  await Promise.all([before.stop(), after.stop()])
  await database.drop()
})

async function makeSender(tenant: Tenant): Promise<string> {
  const smtp = {
    host: '127.0.0.1',
    port: before.port,
    security: 'none' as const,
    username: user,
    password: 'old secret',
  }
  const input = { email: user, provider: 'smtp' as const, smtp, dailyLimit: 1000, minGapSeconds: 0, maxGapSeconds: 0 }
  return (await app.db.transaction((tx) => createSender(app, tx, tenant, { input, now: start }))).id
}

async function send(tenant: Tenant, senderId: string, at: Date): Promise<void> {
  const campaign = await insertTestCampaign(app.db, tenant, { senderIds: [senderId] })
  const prefix = `p${at.getTime()}x`
  await insertTestLeads(app.db, tenant, { campaignId: campaign.id, count: 3, dueAt: at, prefix })
  await deliverDue(tools, tenant, at)
}

test('after a change of the server no message uses a connection to the old one', async () => {
  const tenant = await insertTestAccount(app.db)
  const id = await makeSender(tenant)
  await send(tenant, id, start)
  expect(before.accepted).toHaveLength(3)
  expect(before.openConnections).toBeGreaterThan(0)
  const later = new Date(start.getTime() + minuteMs)
  const input = { smtp: { host: '127.0.0.1', port: after.port, password: 'new secret' } }
  await app.db.transaction((tx) => updateSender(app, tx, tenant, { id, input, now: later }))
  await send(tenant, id, later)
  expect([before.accepted.length, after.accepted.length]).toEqual([3, 3])
  expect(after.accepted.every((mail) => mail.user === user)).toBe(true)
  await expect.poll(() => before.openConnections, { interval: 5 }).toBe(0)
})

test('a change unrelated to the server keeps the open connections', async () => {
  const tenant = await insertTestAccount(app.db)
  const id = await makeSender(tenant)
  await send(tenant, id, start)
  const connections = before.connectionCount
  const later = new Date(start.getTime() + minuteMs)
  await app.db.transaction((tx) => updateSender(app, tx, tenant, { id, input: { fromName: 'Eve' }, now: later }))
  await send(tenant, id, later)
  expect(before.connectionCount).toBe(connections)
  pool.forget(smtpLane(tenant, id))
  await expect.poll(() => before.openConnections, { interval: 5 }).toBe(0)
})
