import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '@overture/testing/database.ts'
import { until } from '@overture/testing/server/until.ts'
import { createLogger } from '../log.shell.ts'
import type { Connection } from './connections/connections.client.ts'
import { createGrowth } from './growth.client.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
  for (const name of ['loaded', 'followed', 'undone', 'walled'])
    await database.db.execute(`create table ${name} (account_id text, n integer) with (autovacuum_enabled = off)`)
  await database.db.execute(`create table parted (account_id text, environment text, campaign_id text, id integer,
    place serial) with (autovacuum_enabled = off)`)
})
afterAll(() => database.drop())

async function known(table: string): Promise<number> {
  const rows = await database.db.query<{ reltuples: number }>('select reltuples from pg_class where relname = $1', [
    table,
  ])
  return rows[0]?.reltuples ?? Number.NaN
}

const load = (table: string) => `insert into ${table} select 'acc_a', generate_series(1, $1::int)`

test('a loaded table is analysed soon, and again each time it has doubled', async () => {
  const { db } = database
  await db.execute(load('loaded'), [999])
  expect(await known('loaded')).toBe(-1)
  await db.execute(load('loaded'), [1])
  // A bulk load has at least a hundred rows; single rows are not counted.
  expect(await known('loaded')).toBe(-1)
  await db.execute(load('loaded'), [500])
  expect(
    await until(
      () => known('loaded'),
      (rows) => rows > 0,
    ),
  ).toBe(1_500)
  for (let go = 0; go < 3; go++) await db.execute(load('loaded'), [499])
  expect(await known('loaded')).toBe(1_500)
  await db.execute(load('loaded'), [200])
  expect(
    await until(
      () => known('loaded'),
      (rows) => rows > 1_500,
    ),
  ).toBeGreaterThan(3_000)
})

test("rows of sub-statements are counted, rolled back ones aren't, also under row-level security", async () => {
  const { db } = database
  const both = `with added as (${load('loaded')} returning n) insert into followed select 'acc_a', n from added`
  await db.transaction((tx) => tx.execute(both, [2_000]))
  await until(
    () => known('followed'),
    (rows) => rows === 2_000,
  )
  await expect(
    db.transaction(async (tx) => {
      await tx.execute(load('undone'), [5_000])
      throw new Error('no')
    }),
  ).rejects.toThrow('no')
  await db.execute('grant insert on walled to overture_request')
  await db.within('acc_a').execute(load('walled'), [2_000])
  await until(
    () => known('walled'),
    (rows) => rows === 2_000,
  )
  expect(await known('undone')).toBe(-1)
})

const loadPart = `insert into parted (account_id, environment, campaign_id, id)
  select $1, $2, $3, generate_series(1, $4::int)`

/** The number of rows that PostgreSQL expects for a part. */
async function expected(accountId: string, campaignId: string): Promise<number> {
  const [row] = await database.db.query<Record<string, [{ Plan: { 'Plan Rows': number } }]>>(
    'explain (format json) select from parted where account_id = $1 and environment = $2 and campaign_id = $3',
    [accountId, 'live', campaignId],
  )
  return Object.values(row!)[0]![0].Plan['Plan Rows']
}

test('a new part of a large table is analysed soon, for any account and in any pieces', async () => {
  const { db } = database
  const load = (account: string, campaign: string, rows: number) =>
    db.execute(loadPart, [account, 'live', campaign, rows])
  for (let campaign = 0; campaign < 5; campaign++) await load('acc_known', `cmp_known${campaign}`, 20_000)
  await until(
    () => known('parted'),
    // Analysed when it had doubled, at 80,000 or 100,000 rows. The size of such a large table is an estimate from a sample.
    (rows) => rows >= 75_000,
  )
  // Waits for a running analysis.
  await db.execute('analyze parted')
  for (const [name, account, pieces] of [
    ['one', 'acc_known', [2_000]],
    ['two', 'acc_new', [4_000]],
    ['three', 'acc_known', Array.from({ length: 30 }, () => 100)],
    ['four', 'acc_newer', [300, 200, 100, 999]],
  ] as const) {
    // PostgreSQL expects one row for a value that it has never seen.
    expect(await expected(account, `cmp_${name}`)).toBe(1)
    for (const rows of pieces) await load(account, `cmp_${name}`, rows)
    expect(
      await until(
        () => expected(account, `cmp_${name}`),
        (rows) => rows > 1,
      ),
    ).toBeGreaterThan(1)
  }
})

test('a part is checked each time it is four times as large, and its table is analysed if needed', async () => {
  const statements: string[] = []
  let taken = 0
  const client = {
    query: (text: string) =>
      Promise.resolve(statements.push(text)).then(() => ({ rows: [{ rows: 1e9, taken, columns: 2 }] })),
    escapeIdentifier: (name: string) => `"${name}"`,
  }
  const connection = { client, ask: <Answer>(answer: Promise<Answer>) => answer, release: () => {} }
  const growth = createGrowth(() => Promise.resolve(connection as unknown as Connection), createLogger('silent'))
  const write = async (campaign: string, times: number) => {
    statements.length = 0
    for (let time = 0; time < times; time++) {
      growth.note({ text: loadPart, values: ['acc_a', 'live', campaign], rows: 500 })
      await growth.settle()
    }
    return {
      asked: statements.filter((text) => text.includes('pg_stats')).length,
      looks: statements.filter((text) => text.startsWith('analyze')).length,
    }
  }
  // Checked at 1,000, 4,000, 16,000 and 64,000 rows.
  expect(await write('cmp_unknown', 128)).toEqual({ asked: 4, looks: 4 })
  taken = 1e6
  expect(await write('cmp_known', 128)).toEqual({ asked: 4, looks: 0 })
  expect(await write('cmp_small', 1)).toEqual({ asked: 0, looks: 0 })
})

test('a table with short-lived rows is checked less and less often', async () => {
  const statements: string[] = []
  const client = {
    query: (text: string) => Promise.resolve(statements.push(text)).then(() => ({ rows: [{ rows: 0 }] })),
    escapeIdentifier: (name: string) => `"${name}"`,
  }
  const connection = { client, ask: <Answer>(answer: Promise<Answer>) => answer, release: () => {} }
  const growth = createGrowth(() => Promise.resolve(connection as unknown as Connection), createLogger('silent'))
  const rounds = 64
  for (let round = 0; round < rounds; round++) {
    growth.note({ text: 'insert into passing values (1)', rows: 1_000 })
    await growth.settle()
  }
  const looks = statements.filter((text) => text.startsWith('analyze'))
  expect(looks.length).toBeGreaterThan(1)
  expect(looks.length).toBeLessThanOrEqual(Math.log2(rounds) + 1)
})
