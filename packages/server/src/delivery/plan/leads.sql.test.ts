import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp } from '@overture/testing/app.ts'
import { createTestDatabase, type TestDatabase } from '@overture/testing/database.ts'
import {
  insertTestAccount,
  insertTestCampaign,
  insertTestLeads,
  insertTestSender,
} from '@overture/testing/delivery/delivery-fixtures.sql.ts'
import { createDatabase } from '../../platform/db/pool.client.ts'
import type { Database } from '../../platform/db/database.ts'
import { listCandidates } from './leads.sql.ts'

const now = new Date('2026-03-02T10:00:00.000Z')
const others = 40
const queued = 2_000
const wanted = 3
/** The number of claims in flight of the first leads in the queue, and of other leads of the account. */
const underWay = { first: 5, others: 400 }

let database: TestDatabase
let engine: Database & { close(): Promise<void> }

beforeAll(async () => {
  database = await createTestDatabase()
  const app = createTestApp(database)
  engine = createDatabase({ url: database.url, log: app.log, connectionsMax: 1, plans: 'generic' })
  // Autovacuum, which could choose the statistics of the tables, is switched off.
  for (const table of ['claims', 'lead_progress', 'lead_profiles'])
    await app.db.execute(`alter table ${table} set (autovacuum_enabled = false)`)
})
afterAll(async () => {
  await engine.close()
  await database.drop()
})

test('the first leads of a long queue are read without reading other leads or claims, with any statistics', async () => {
  for (let at = 0; at < others; at++) {
    const tenant = await insertTestAccount(database.db)
    const senderId = await insertTestSender(database.db, tenant, { port: 1 })
    const { id } = await insertTestCampaign(database.db, tenant, { senderIds: [senderId] })
    await insertTestLeads(database.db, tenant, { campaignId: id, count: 2, dueAt: now })
  }
  const tenant = await insertTestAccount(database.db)
  const senderId = await insertTestSender(database.db, tenant, { port: 1 })
  const { id } = await insertTestCampaign(database.db, tenant, { senderIds: [senderId] })
  const claim = (others: number) =>
    database.db.execute(
      `insert into claims (account_id, environment, message_id, kind, campaign_id, lead_id, step_id, sending_account_id, claimed_at,
         lease_token, lease_until)
       select $1, $2, 'msg_' || l.id, 'campaign', $3, l.id, 'stp_1', $4, $5::timestamptz, gen_random_uuid(), $5::timestamptz
       from (
         (select lead_id from lead_progress where account_id = $1 and campaign_id = $3 order by attempt_at, lead_id limit $6)
         union all
         select 'led_' || n from generate_series(1, $7) n) l (id)`,
      [tenant.accountId, tenant.environment, id, senderId, now, underWay.first, others],
    )
  // PostgreSQL has no statistics about a long queue, and all claims have just ended.
  await database.db.execute('vacuum analyze')
  await claim(4_000)
  await database.db.execute('delete from claims')
  await database.db.execute('analyze claims')
  await insertTestLeads(database.db, tenant, { campaignId: id, count: queued, dueAt: now })
  await claim(underWay.others)
  const { found, read } = await engine.transaction(async (tx) => {
    const pages = { campaignIds: [], senderIds: [], limits: [], poolCampaignIds: [id], poolLimits: [wanted], now }
    const rows = await listCandidates(tx, tenant, pages)
    const read = await tx.query(
      `select relname as of, seq_scan::int as whole, idx_tup_fetch::int as rows from pg_stat_xact_user_tables
       where relname in ('claims', 'lead_progress') order by 1`,
    )
    return { found: rows.length, read }
  })
  expect(found).toBe(wanted)
  expect(read).toEqual([
    { of: 'claims', whole: 0, rows: underWay.first },
    { of: 'lead_progress', whole: 0, rows: underWay.first + wanted },
  ])
})
