import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '@overture/testing/database.ts'
import { describeSchema } from './describe-schema.sql.ts'
import { distributionColumn, placements } from '../distributed/placements.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

// schema.sql is written with PostgreSQL 18. Older versions print some definitions differently.
test('schema.sql matches the migrations (else: npm run schema)', async (context) => {
  const [server] = await database.db.query<{ major: number }>(
    `select current_setting('server_version_num')::int / 10000 as major`,
  )
  if (server?.major !== 18) context.skip()
  const written = await readFile(new URL('../../../schema.sql', import.meta.url), 'utf8')
  expect(await describeSchema(database.db)).toBe(written)
})

test('the schema text is the same in every month', async () => {
  const before = await describeSchema(database.db)
  await database.db.execute(`select create_events_month(now() + interval '9 months')`)
  expect(await describeSchema(database.db)).toBe(before)
  expect(before).not.toMatch(/create table events_/)
})

test("indexes in the log's order have full pages, in every month", async () => {
  await database.db.execute(`select create_events_month(now() + interval '10 months')`)
  const rows = await database.db.query<{ columns: string; fill: string[] | null; months: number }>(
    `select array_to_string(array(select pg_get_indexdef(i.indexrelid, n, true) from generate_series(1, i.indnkeyatts) n), ', ') as columns,
       c.reloptions as fill, count(*)::int as months
     from pg_inherits p join pg_index i on i.indrelid = p.inhrelid join pg_class c on c.oid = i.indexrelid
       join pg_am m on m.oid = c.relam and m.amname = 'btree'
     where p.inhparent = 'events'::regclass group by 1, 2 order by 1`,
  )
  const months = rows[0]?.months ?? 0
  const full = ['fillfactor=98']
  expect(months).toBeGreaterThan(5)
  expect(rows).toEqual([
    { columns: 'account_id, environment, campaign_id, occurred_at', fill: full, months },
    { columns: 'account_id, environment, tx_id, "position", recorded_at', fill: full, months },
    { columns: 'campaign_id, tx_id, "position"', fill: full, months },
    { columns: 'lead_id, "position"', fill: null, months },
    { columns: 'tx_id, "position"', fill: full, months },
  ])
})

// Decision 0018: a second version of a row then finds room in its page and changes no index.
test('no index of message_heads depends on a column that each message changes', async () => {
  const rows = await database.db.query<{ name: string }>(
    `select distinct a.attname as name from pg_index i
     join pg_depend d on d.classid = 'pg_class'::regclass and d.objid = i.indexrelid and d.refclassid = 'pg_class'::regclass
       and d.refobjid = i.indrelid
     join pg_attribute a on a.attrelid = i.indrelid and a.attnum = d.refobjsubid
     where i.indrelid = 'message_heads'::regclass`,
  )
  const names = rows.map(({ name }) => name)
  expect(names).toEqual(expect.arrayContaining(['thread_id', 'send_at', 'held_at']))
  for (const changed of ['status', 'attempts', 'first_attempt_at', 'gated_at', 'sent_at', 'smtp_answer', 'failure'])
    expect(names).not.toContain(changed)
})

test('every table, view and function has a comment with its owner and purpose', async () => {
  const rows = await database.db.query<{ name: string; about: string | null }>(
    `select c.relname as name, obj_description(c.oid, 'pg_class') as about from pg_class c
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v') and not c.relispartition
       and c.relname <> 'schema_migrations'
     union all
     select p.proname, obj_description(p.oid, 'pg_proc') from pg_proc p
     where p.pronamespace = 'public'::regnamespace and p.prokind in ('f', 'p')
       and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')`,
  )
  expect(rows.length).toBeGreaterThan(50)
  expect(rows.filter(({ about }) => !/^[a-z-]+: [A-Z].*\.$/.test(about ?? ''))).toEqual([])
})

test('the primary key of every tenant table begins with account_id', async () => {
  const rows = await database.db.query<{ name: string; first: string }>(
    `select c.relname as name, a.attname as first
     from pg_class c
     join pg_index i on i.indrelid = c.oid and i.indisprimary
     join pg_attribute a on a.attrelid = c.oid and a.attnum = i.indkey[0]
     where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
       and exists (select 1 from pg_attribute t where t.attrelid = c.oid and t.attname = 'account_id' and not t.attisdropped)`,
  )
  expect(rows.length).toBeGreaterThan(20)
  expect(rows.filter((row) => row.first !== 'account_id')).toEqual([])
})

test('every table has a placement for Citus (distributed/placements.ts)', async () => {
  const rows = await database.db.query<{ name: string; isOfAccounts: boolean }>(
    `select c.relname as name, exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = $1
       and not a.attisdropped) as is_of_accounts
     from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition`,
    [distributionColumn],
  )
  expect(rows.map(({ name }) => name).toSorted()).toEqual([...placements.keys()].toSorted())
  const misplaced = rows.filter(({ name, isOfAccounts }) =>
    isOfAccounts ? placements.get(name) === 'local' : placements.get(name) === 'account',
  )
  expect(misplaced).toEqual([])
})

test('every unique key of a table by account contains the account', async () => {
  const rows = await database.db.query<{ table: string; key: string }>(
    `select c.relname as table, i.indexrelid::regclass::text as key from pg_index i join pg_class c on c.oid = i.indrelid
     where c.relnamespace = 'public'::regnamespace and not c.relispartition and (i.indisunique or i.indisexclusion)
       and not exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = $1 and a.attnum = any(i.indkey))`,
    [distributionColumn],
  )
  expect(rows.length).toBeGreaterThan(5)
  expect(rows.filter(({ table }) => placements.get(table) === 'account')).toEqual([])
})
