import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '@overture/testing/database.ts'
import {
  insertTestAccount,
  insertTestCampaign,
  insertTestLeads,
} from '@overture/testing/delivery/delivery-fixtures.sql.ts'
import { explained } from '@overture/testing/explained.ts'
import { listLeadRows } from './leads.sql.ts'

const leads = 20_000
const limit = 100
const others = 40
/** Rows that a page may read, counted over all nodes of its plan. */
const rowsMax = 10 * limit
const now = new Date('2026-03-02T09:00:00Z')
let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

test('a page of any part of a large campaign reads only its rows', async () => {
  const { db } = database
  const tenant = await insertTestAccount(db)
  const { id: campaignId } = await insertTestCampaign(db, tenant, { senderIds: [] })
  await insertTestLeads(db, tenant, { campaignId, count: leads, dueAt: now })
  // The statistics are those of an analysis without concurrent writes: of all rows, and with index-only scans possible.
  for (const table of ['lead_profiles', 'lead_progress']) await db.execute(`vacuum analyze ${table}`)
  const ids = await db.query<{ id: string }>('select id from lead_profiles where account_id = $1 order by id', [
    tenant.accountId,
  ])
  for (const part of [0, 0.1, 0.3, 0.5, 0.7, 0.9, 0.99]) {
    const place = Math.floor(part * leads)
    const range = { limit, offset: 0, after: place === 0 ? null : ids[place - 1]!.id }
    const page = await listLeadRows(db, tenant, { campaignId, now }, range)
    expect(page.map(({ id }) => id)).toEqual(ids.slice(place, place + limit).map(({ id }) => id))
    for (const filter of [{}, { status: 'pending' }]) {
      const { explaining, visited } = explained(db)
      await listLeadRows(explaining, tenant, { campaignId, now, ...filter }, range)
      expect(visited[0], `at ${part} of the campaign, ${JSON.stringify(filter)}`).toBeLessThan(rowsMax)
    }
  }
})

test('a page reads only its rows even if the statistics show a small campaign', async () => {
  const { db } = database
  for (const table of ['lead_profiles', 'lead_progress']) {
    await db.execute(`truncate ${table}`)
    await db.execute(`alter table ${table} set (autovacuum_enabled = false)`)
  }
  const tenant = await insertTestAccount(db)
  for (let other = 0; other < others; other++) {
    const { id } = await insertTestCampaign(db, tenant, { senderIds: [] })
    await insertTestLeads(db, tenant, { campaignId: id, count: 50, dueAt: now, prefix: `other${other}` })
  }
  for (const table of ['lead_profiles', 'lead_progress']) await db.execute(`vacuum analyze ${table}`)
  const { id: campaignId } = await insertTestCampaign(db, tenant, { senderIds: [] })
  await insertTestLeads(db, tenant, { campaignId, count: leads / 4, dueAt: now })
  for (const filter of [{}, { status: 'pending' }]) {
    const { explaining, visited } = explained(db)
    await listLeadRows(explaining, tenant, { campaignId, now, ...filter }, { limit, offset: 0, after: null })
    expect(visited[0], JSON.stringify(filter)).toBeLessThan(rowsMax)
  }
})
