import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTestApp } from '@overture/testing/app.ts'
import { createTestDatabase, type TestDatabase } from '@overture/testing/database.ts'
import {
  insertTestAccount,
  insertTestCampaign,
  insertTestLeads,
  insertTestSender,
  listTestMessages,
} from '@overture/testing/delivery/delivery-fixtures.sql.ts'
import { startSmtpDouble, type SmtpDouble } from '@overture/testing/mail/smtp-double.server.ts'
import { testRenderer } from '@overture/testing/renderer.ts'
import { createSmtpPool, type SmtpPool } from '../../platform/mail/smtp-pool.client.ts'
import type { Tenant } from '../../platform/tenant.ts'
import type { DeliveryTools } from '../delivery.shell.ts'
import { createSmtpTransport, deliverClaimed, noFaults, recoverExpired, runPlanning } from '../index.ts'
import { claimPlanning, listDueTenantsAcrossAccounts } from './lease.sql.ts'

const minuteMs = 60_000
const environment = { OVERTURE_ALLOW_PRIVATE_TARGETS: '1' }

let database: TestDatabase
let double: SmtpDouble
let pool: SmtpPool
let tenant: Tenant
beforeAll(async () => {
  database = await createTestDatabase()
  double = await startSmtpDouble()
  pool = createSmtpPool()
})
afterAll(async () => {
  await pool.close()
  await double.stop()
  await database.drop()
})

/** A node whose clock is ahead of the database's by this much. */
function nodeAhead(aheadMs: number): DeliveryTools {
  const clock = { now: () => new Date(Date.now() + aheadMs) }
  const app = createTestApp(database, { environment, clock })
  const transport = createSmtpTransport({ app, pool, faultsArmed: false })
  return { app, renderer: testRenderer, transportFor: () => transport, faults: noFaults, sentFolder: null }
}

beforeEach(async () => {
  const { db } = database
  await db.execute(`delete from claims`)
  await db.execute(`delete from planning`)
  tenant = await insertTestAccount(db)
  const senderId = await insertTestSender(db, tenant, { port: double.port })
  const campaign = await insertTestCampaign(db, tenant, { senderIds: [senderId] })
  const dueAt = new Date(Date.now() - 10 * minuteMs)
  await insertTestLeads(db, tenant, {
    campaignId: campaign.id,
    count: 2,
    dueAt,
    prefix: `n${tenant.accountId.slice(-6)}`,
  })
})

const claim = (node: DeliveryTools) => runPlanning(node, tenant, new Date())
const endLeases = () => database.db.execute(`update claims set lease_until = now() - interval '1 second'`)
const leftMs = async () => {
  const rows = await database.db.query<{ ms: number }>(
    `select (extract(epoch from lease_until - clock_timestamp()) * 1000)::int as ms from claims`,
  )
  return rows.map(({ ms }) => ms)
}

describe.each([
  ['a minute behind', -minuteMs],
  ['two minutes ahead', 2 * minuteMs],
])('a node whose clock is %s', (_name, aheadMs) => {
  test("takes another node's claims only after their lease has expired", async () => {
    const [right, wrong] = [nodeAhead(0), nodeAhead(aheadMs)]
    expect((await claim(right)).claimed).toBeGreaterThan(0)
    expect(await recoverExpired(wrong.app)).toBe(0)
    await endLeases()
    expect(await recoverExpired(wrong.app)).toBeGreaterThan(0)
  })

  test('leases claims as long as other nodes, and sends them without losing any', async () => {
    const [right, wrong] = [nodeAhead(0), nodeAhead(aheadMs)]
    const { token, claimed } = await claim(wrong)
    expect(claimed).toBeGreaterThan(0)
    for (const ms of await leftMs()) expect(ms > 0 && ms <= minuteMs).toBe(true)
    expect(await recoverExpired(right.app)).toBe(0)
    const before = double.accepted.length
    await deliverClaimed(wrong, tenant, { now: new Date(), token })
    expect(double.accepted.length - before).toBe(claimed)
    expect((await listTestMessages(database.db, tenant)).map(({ status }) => status)).toEqual(
      Array(claimed).fill('sent'),
    )
  })

  test('passes no gate after the lease has expired', async () => {
    const wrong = nodeAhead(aheadMs)
    const { token } = await claim(wrong)
    await endLeases()
    const before = double.accepted.length
    await deliverClaimed(wrong, tenant, { now: new Date(), token })
    expect(double.accepted.length).toBe(before)
  })

  test("plans no tenant under another node's lease, and takes it over when the lease expires", async () => {
    const { db } = database
    const wrong = nodeAhead(aheadMs)
    const lease = { leaseMs: minuteMs, held: false }
    const due = async () =>
      (await listDueTenantsAcrossAccounts(db, { realNow: wrong.app.clock.now(), limit: 10 })).length
    expect(await claimPlanning(db, tenant, { token: randomUUID(), ...lease })).toBe(true)
    expect([await due(), await claimPlanning(db, tenant, { token: randomUUID(), ...lease })]).toEqual([0, false])
    await db.execute(`update planning set lease_until = now() - interval '1 second'`)
    expect([await due(), await claimPlanning(db, tenant, { token: randomUUID(), ...lease })]).toEqual([1, true])
  })
})
