import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp } from '@overture/testing/app.ts'
import { createTestDatabase, type TestDatabase } from '@overture/testing/database.ts'
import { insertTestAccount } from '@overture/testing/delivery/delivery-fixtures.sql.ts'
import { retentionPeriodic, retentions } from './retention.worker.ts'

const now = new Date('2026-11-20T10:00:00.000Z')
const dayMs = 86_400_000

/** How a row of each table is made that began, ended or died at a time; `$1` the account, `$2` the time, `$3` its name. */
const rows: Record<string, { table: string; insert: string }[]> = {
  jobs: [
    {
      table: 'jobs',
      insert: `insert into jobs (account_id, environment, kind, key, run_at, dead_at) values ($1, 'live', 'some.kind', $3, $2, $2)`,
    },
  ],
  stripe_events: [
    { table: 'stripe_events', insert: `insert into stripe_events (id, type, received_at) values ($3 || $1, 'x', $2)` },
  ],
  days: [
    {
      table: 'sender_days',
      insert: `insert into sender_days (account_id, environment, sending_account_id, day, claimed)
         values ($1, 'live', $3, $2::timestamptz::date, 1)`,
    },
    {
      table: 'campaign_days',
      insert: `insert into campaign_days (account_id, environment, campaign_id, day, claimed, claimed_first)
        values ($1, 'live', $3, $2::timestamptz::date, 1, 1)`,
    },
    {
      table: 'campaign_domain_days',
      insert: `insert into campaign_domain_days (account_id, environment, campaign_id, day, domain, claimed)
        values ($1, 'live', $3, $2::timestamptz::date, 'a.test', 1)`,
    },
  ],
  import_rows: [
    {
      table: 'import_rows',
      insert: `with import as (
          insert into imports (account_id, environment, id, campaign_id, on_duplicate, header, status, created_at, completed_at)
          values ($1, 'live', $3, 'cmp_1', 'skip', '{}', 'completed', $2, $2))
        insert into import_rows (account_id, environment, import_id, row_number, fields, reason) values ($1, 'live', $3, 1, '{}', 'x')`,
    },
  ],
  generations: [
    {
      table: 'generations',
      insert: `insert into generations (account_id, environment, id, model_id, kind, subject, body, subject_options, prompt_tokens,
          completion_tokens, credits_charged, created_at)
        values ($1, 'live', $3, 'model', 'step', '', '', '{}', 1, 1, 1, $2)`,
    },
  ],
  api_keys: [
    {
      table: 'api_keys',
      insert: `insert into api_keys (account_id, id, environment, name, prefix, digest, scopes, created_at, revoked_at)
        values ($1, $3, 'live', 'K', 'p', convert_to($3, 'UTF8'), '{}', $2, $2)`,
    },
  ],
}

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

test('each table that is kept for a time has its row here', () => {
  expect(Object.keys(rows).sort()).toEqual(retentions.map(({ name }) => name).sort())
})

test.each(retentions)('$name are kept for $days days, however many there are', async ({ name, days }) => {
  const app = createTestApp(database, {})
  const { db } = app
  const { accountId } = await insertTestAccount(db)
  const ages = [days + 400, days + 2, days - 2, 0]
  for (const [at, age] of ages.entries())
    for (const { insert } of rows[name] ?? [])
      await db.execute(insert, [accountId, new Date(now.getTime() - age * dayMs), `row_${at}`])
  const task = retentionPeriodic.find((one) => one.name === `retention.${name}`)
  await task?.run(app, now)
  for (const { table } of rows[name] ?? []) {
    const left = await db.query(`select 1 from ${table} t where t::text like '%' || $1 || '%'`, [accountId])
    expect([table, left.length]).toEqual([table, 2])
  }
  // One statement takes as many as it is told, so that none goes on for long.
  const old = new Date(now.getTime() - (days + 2) * dayMs)
  for (const at of [1, 2, 3])
    for (const { insert } of rows[name] ?? []) await db.execute(insert, [accountId, old, `more_${at}`])
  const { forget } = retentions.find((one) => one.name === name)!
  const before = new Date(now.getTime() - days * dayMs)
  const gone = [await forget(db, before, 2), await forget(db, before, 2), await forget(db, before, 2)]
  // Of days there is one row for each sender and campaign.
  expect(gone).toEqual([2, 1, 0])
})

test('a key that ended is kept while a key that it made is there', async () => {
  const app = createTestApp(database, {})
  const { accountId } = await insertTestAccount(app.db)
  const old = new Date(now.getTime() - 500 * dayMs)
  for (const [id, parent, revoked] of [
    ['parent', null, old],
    ['child', 'parent', null],
  ])
    await app.db.execute(
      `insert into api_keys (account_id, id, environment, name, prefix, digest, scopes, created_at, revoked_at, parent_id)
       values ($1, $2, 'live', 'K', 'p', convert_to($1 || $2, 'UTF8'), '{}', $3, $4, $5)`,
      [accountId, id, old, revoked, parent],
    )
  await retentionPeriodic.find(({ name }) => name === 'retention.api_keys')?.run(app, now)
  expect(await app.db.query('select 1 from api_keys where account_id = $1', [accountId])).toHaveLength(2)
})
