import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '@overture/testing/database.ts'
import {
  insertTestAccount,
  insertTestCampaign,
  insertTestLeads,
  insertTestSender,
} from '@overture/testing/delivery/delivery-fixtures.sql.ts'
import { until } from '@overture/testing/server/until.ts'
import { completeFinishedCampaigns } from './lead-moves.commands.ts'

const now = new Date('2026-03-02T09:00:00Z')
let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

test('a campaign that gets leads while its last one ends is not completed', async () => {
  const { db } = database
  const tenant = await insertTestAccount(db)
  const sender = await insertTestSender(db, tenant, { port: 25 })
  const { id } = await insertTestCampaign(db, tenant, { senderIds: [sender] })
  const key = [tenant.accountId, tenant.environment, id]
  const endAll = () =>
    db.execute(
      `update lead_progress set status = 'completed' where account_id = $1 and environment = $2 and campaign_id = $3`,
      key,
    )
  const complete = () => db.transaction((tx) => completeFinishedCampaigns(tx, tenant, [id], now))
  await insertTestLeads(db, tenant, { campaignId: id, count: 1, dueAt: now })
  await endAll()
  const completed = await db.transaction(async (tx) => {
    await tx.query(`select from campaigns where account_id = $1 and environment = $2 and id = $3 for update`, key)
    const waiting = complete()
    await until(
      () =>
        db.query<{ text: string }>(`select query as text from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`),
      (waits) => waits.length === 1,
    )
    await insertTestLeads(tx, tenant, { campaignId: id, count: 10, dueAt: now, prefix: 'late' })
    return { waiting }
  })
  expect(await completed.waiting).toBe(0)
  await endAll()
  expect(await complete()).toBe(1)
})
