import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp } from '@overture/testing/app.ts'
import { createTestDatabase, type TestDatabase } from '@overture/testing/database.ts'
import { forgetAnswers, secretRotation } from './workers.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

test('one round deletes all expired responses, in any number, and no others', async () => {
  const { db } = database
  await db.execute(`insert into accounts (account_id, name, plan, created_at) values ('acc_a', 'A', 'trial', now())`)
  await db.execute(
    `insert into idempotency_keys (account_id, environment, route, key, body_digest, expires_at)
     select 'acc_a', 'live', 'POST /v2/x', n::text, 'x', now() + case when n <= 7 then interval '1 day' else interval '-1 second' end
     from generate_series(1, 25000) n`,
  )
  const app = createTestApp(database)
  await forgetAnswers.run(app, app.clock.now())
  expect(await db.query('select count(*)::int as left from idempotency_keys')).toEqual([{ left: 7 }])
})

test.each([
  ['reads no table with a single key', '', 0],
  ['searches for values of another key while there are two', 'a first key of a test run,a second key of a test run', 1],
])('the rotation of secrets %s', async (_name, keys, least) => {
  let statements = 0
  const db = Object.assign(Object.create(database.db) as typeof database.db, {
    query<Row>(text: string, values?: readonly unknown[], name?: string) {
      statements++
      return database.db.query<Row>(text, values, name)
    },
  })
  const app = createTestApp({ db, url: database.url }, { environment: { OVERTURE_ENCRYPTION_KEY: keys } })
  await secretRotation.run(app, app.clock.now())
  expect(statements > 0).toBe(least > 0)
})
