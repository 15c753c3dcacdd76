import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '@overture/testing/database.ts'
import { explained } from '@overture/testing/explained.ts'
import { deleteCampaignRemains } from './purge.sql.ts'

const tenant = { accountId: 'acc_new', environment: 'live' } as const
const leads = 20_000
const batch = 1_000
const now = new Date('2026-03-02T09:00:00Z')
let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase()
  for (const table of ['lead_profiles', 'lead_progress', 'import_rows']) {
    await database.db.execute(`alter table ${table} set (autovacuum_enabled = false)`)
  }
})
afterAll(() => database.drop())

async function fill(accountId: string, campaignId: string, count: number): Promise<void> {
  const id = `$2 || lpad(n::text, 5, '0')`
  await database.db.execute(
    `insert into lead_profiles (account_id, environment, campaign_id, id, email, email_given, email_domain, custom_variables,
       created_at, updated_at)
     select $1, 'live', $2, ${id}, ${id} || '@p.test', ${id} || '@p.test', 'p.test', '{}'::jsonb, $3, $3
     from generate_series(1, $4::int) n`,
    [accountId, campaignId, now, count],
  )
  await database.db.execute(
    `insert into lead_progress (account_id, environment, campaign_id, lead_id, status, updated_at)
     select $1, 'live', $2, ${id}, 'pending', $3 from generate_series(1, $4::int) n`,
    [accountId, campaignId, now, count],
  )
}

test('each batch of a deleted campaign reads only the rows it deletes, even without statistics', async () => {
  await fill(tenant.accountId, 'camp_b', 60)
  for (const table of ['lead_profiles', 'lead_progress']) await database.db.execute(`analyze ${table}`)
  await fill(tenant.accountId, 'camp_a', leads)
  const { explaining, visited } = explained(database.db)
  let gone = 0
  for (let more = batch; more > 0; gone += more) more = await deleteCampaignRemains(explaining, tenant, 'camp_a', batch)
  expect(gone).toBe(leads * 2)
  expect(Math.max(...visited)).toBeLessThan(batch * 20)
  const left = await database.db.query('select 1 from lead_profiles where campaign_id <> $1', ['camp_a'])
  expect(left).toHaveLength(60)
})
