import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createTestDatabase, type TestDatabase } from '@overture/testing/database.ts'
import {
  insertTestAccount,
  insertTestCampaign,
  insertTestLeads,
  insertTestSender,
} from '@overture/testing/delivery/delivery-fixtures.sql.ts'
import { countNotSent } from './analytics-facts.sql.ts'

const now = new Date('2026-03-02T10:00:00.000Z')
const queued = 3_000
const ended = 7
const others = 9

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(async () => {
  await database.drop()
})

test('unsent leads are counted without reading their rows', async () => {
  const { db } = database
  const tenant = await insertTestAccount(db)
  const senderId = await insertTestSender(db, tenant, { port: 1 })
  const { id } = await insertTestCampaign(db, tenant, { senderIds: [senderId] })
  await insertTestLeads(db, tenant, { campaignId: id, count: queued, dueAt: now })
  for (let at = 0; at < others; at++) {
    const other = await insertTestCampaign(db, tenant, { senderIds: [senderId] })
    await insertTestLeads(db, tenant, { campaignId: other.id, count: queued, dueAt: now, prefix: `other${at}x` })
  }
  const some = `lead_id in (select lead_id from lead_progress where campaign_id = $1 order by lead_id limit $2)`
  await db.execute(`update lead_progress set status = 'stopped', attempt_at = null where ${some}`, [id, ended])
  await vi.waitFor(async () => {
    // VACUUM keeps rows that another session may still see, so it is repeated.
    await db.execute('vacuum analyze lead_progress')
    await db.transaction(async (tx) => {
      expect(await countNotSent(tx, tenant, { campaignId: id, now })).toEqual({ due: queued - ended, stopped: ended })
      const [read] = await tx.query<{ whole: number; rows: number }>(
        `select seq_scan::int as whole, idx_tup_fetch::int as rows from pg_stat_xact_user_tables where relname = 'lead_progress'`,
      )
      expect(read?.whole).toBe(0)
      expect(read?.rows).toBeLessThan(queued / 10)
    })
  }, 60_000)
})

test("a lead isn't counted after its first step, and is counted again when it returns to it", async () => {
  const { db } = database
  const tenant = await insertTestAccount(db)
  const senderId = await insertTestSender(db, tenant, { port: 1 })
  const { id } = await insertTestCampaign(db, tenant, { senderIds: [senderId] })
  await insertTestLeads(db, tenant, { campaignId: id, count: 3, dueAt: now })
  const counts: Record<string, number>[] = []
  for (const step of [0, 1, 0]) {
    await db.execute('update lead_progress set current_step = $2 where campaign_id = $1', [id, step])
    counts.push(await countNotSent(db, tenant, { campaignId: id, now }))
  }
  expect(counts).toEqual([{ due: 3 }, {}, { due: 3 }])
})
