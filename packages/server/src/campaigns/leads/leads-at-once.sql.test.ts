import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '@overture/testing/database.ts'
import { explained } from '@overture/testing/explained.ts'
import { countLeadsWithout } from './leads-at-once.sql.ts'

const leads = 600
const now = new Date('2026-03-02T09:00:00Z')
let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase()
  for (const table of ['lead_profiles', 'lead_progress']) {
    await database.db.execute(`alter table ${table} set (autovacuum_enabled = false)`)
  }
})
afterAll(() => database.drop())

/** Inserts leads of a campaign. Every third lead has no first name, every tenth has ended. */
async function fill(accountId: string, campaignId: string, count: number): Promise<void> {
  const id = `$2 || lpad(n::text, 5, '0')`
  await database.db.execute(
    `insert into lead_profiles (account_id, environment, campaign_id, id, email, email_given, email_domain, first_name,
       custom_variables, created_at, updated_at)
     select $1, 'live', $2, ${id}, ${id} || '@p.test', ${id} || '@p.test', 'p.test', case when n % 3 > 0 then 'Ada' end,
       case when n % 2 > 0 then '{"plan": "pro"}' else '{"plan": "  "}' end::jsonb, $3, $3
     from generate_series(1, $4::int) n`,
    [accountId, campaignId, now, count],
  )
  await database.db.execute(
    `insert into lead_progress (account_id, environment, campaign_id, lead_id, status, updated_at)
     select $1, 'live', $2, ${id}, case when n % 10 > 0 then 'pending' else 'stopped' end, $3 from generate_series(1, $4::int) n`,
    [accountId, campaignId, now, count],
  )
}

test('leads without a value are counted with one read per lead, even without statistics', async () => {
  // Statistics of another account only, as after an import and before the tables are analyzed again.
  await fill('acc_known', 'camp_known', 60)
  for (const table of ['lead_profiles', 'lead_progress']) await database.db.execute(`analyze ${table}`)
  const campaigns = ['camp_a', 'camp_b', 'camp_c']
  for (const campaignId of campaigns) await fill('acc_new', campaignId, leads)
  const names = ['firstName', 'customVariables.plan', 'nobody', 'customVariables.none']
  for (const campaignId of campaigns) {
    const tenant = { accountId: 'acc_new', environment: 'live' } as const
    const open = leads - leads / 10
    const counted = await countLeadsWithout(database.db, tenant, { campaignId, names })
    expect(counted).toEqual({ of: open, without: [open / 3, open / 2 - leads / 10 / 2, open, open].map(Math.round) })
    const { explaining, visited } = explained(database.db)
    await countLeadsWithout(explaining, tenant, { campaignId, names })
    expect(visited).toHaveLength(1)
    expect(visited[0]).toBeLessThan(leads * 20)
  }
})

test('counts a custom variable that has the name of a field that texts cannot use', async () => {
  const tenant = { accountId: 'acc_records', environment: 'live' } as const
  await fill('acc_records', 'cmp_records', 10)
  await database.db.execute(
    `update lead_profiles set data_source = 'Register', custom_variables = '{"trackingConsent": "pro"}'
     where account_id = 'acc_records'`,
  )
  const names = ['dataSource', 'trackingConsent']
  expect(await countLeadsWithout(database.db, tenant, { campaignId: 'cmp_records', names })).toEqual({
    of: 9,
    without: [9, 0],
  })
})
