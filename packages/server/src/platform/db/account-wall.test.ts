import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createLogger } from '../log.shell.ts'
import { runAsSuperuser } from '@overture/testing/superuser.ts'
import { createTestDatabase, type TestDatabase } from '@overture/testing/database.ts'
import { appendedTables, raiseAccountWall, sharedTables, userColumns, walledRole } from './account-wall.sql.ts'
import { createDatabase } from './pool.client.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
  for (const id of ['acc_a', 'acc_b']) await database.db.execute(insertUsage, [id])
})
afterAll(() => database.drop())

const insertUsage = `insert into monthly_usage (account_id, month, requests) values ($1, '2026-11-01', 1)`
const count = `select count(*) as count from monthly_usage`

test('a statement without a where clause sees and changes only one account', async () => {
  const within = database.db.within('acc_a')
  expect(await within.query(count)).toEqual([{ count: 1 }])
  expect(await within.transaction((tx) => tx.query(count))).toEqual([{ count: 1 }])
  expect(await within.execute('update monthly_usage set requests = 2')).toBe(1)
  expect(await within.execute('delete from monthly_usage where account_id = $1', ['acc_b'])).toBe(0)
  const others = await database.db.query('select account_id, requests from monthly_usage order by 1')
  expect(others).toEqual([
    { accountId: 'acc_a', requests: 2 },
    { accountId: 'acc_b', requests: 1 },
  ])
})

test('writes for another account are refused', async () => {
  await expect(database.db.within('acc_a').execute(insertUsage, ['acc_c'])).rejects.toThrow(/row-level security/)
  const move = database.db.within('acc_a').execute(`update monthly_usage set account_id = 'acc_b'`)
  await expect(move).rejects.toThrow(/row-level security/)
})

test('a connection serves accounts one after another, and all accounts, also after rollbacks', async () => {
  const one = createDatabase({ url: database.url, log: createLogger('silent'), connectionsMax: 1 })
  const seen = async (account: string | null) => {
    const db = account === null ? one : one.within(account)
    return (await db.query<{ accountId: string }>('select account_id from monthly_usage order by 1'))
      .map(({ accountId }) => accountId)
      .join(' ')
  }
  for (let round = 0; round < 3; round++) {
    expect(await seen('acc_a')).toBe('acc_a')
    await expect(one.within('acc_b').transaction((tx) => tx.query('select 1 / 0'))).rejects.toThrow('zero')
    expect(await seen(null)).toBe('acc_a acc_b')
    expect(await seen('acc_b')).toBe('acc_b')
    expect(await seen('acc_none')).toBe('')
  }
  expect(one.usage().total).toBe(1)
  await one.close()
})

test('every table with accounts has row-level security', async () => {
  const rows = await database.db.query<{ name: string; walled: boolean }>(
    `select c.relname as name, c.relrowsecurity and exists (select from pg_policy p where p.polrelid = c.oid) as walled
     from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'account_id' and not a.attisdropped
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')`,
  )
  expect(rows.length).toBeGreaterThan(40)
  expect(rows.filter(({ walled }) => !walled)).toEqual([])
})

/** Whether requests have no right to a statement. It matches no row. */
async function isRefused(statement: string): Promise<boolean> {
  const denied = await database.db
    .within('acc_a')
    .execute(statement)
    .then(
      () => null,
      // 55000: the table is a view, which nothing can be written into.
      (error: { code?: string }) => (error.code === '55000' ? '42501' : error.code),
    )
  expect([statement, denied]).toEqual([statement, denied === null ? null : '42501'])
  return denied !== null
}

test('requests can write tables with accounts, and only read others', async () => {
  const tables = await database.db.query<{ name: string; column: string; kind: string; hasAccount: boolean }>(
    `select c.relname::text as name, c.relkind::text as kind,
       exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'account_id') as has_account,
       (select a.attname::text from pg_attribute a where a.attrelid = c.oid and a.attnum > 0
         and not a.attisdropped and a.attidentity = '' order by a.attnum limit 1) as column
     from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v') order by 1`,
  )
  expect(tables.map(({ name }) => name)).toEqual(expect.arrayContaining([...sharedTables, ...appendedTables]))
  for (const { name, column, kind, hasAccount } of tables) {
    const changes = [
      await isRefused(`insert into ${name} (${column}) select ${column} from ${name} where false`),
      await isRefused(`update ${name} set ${column} = ${column} where false`),
      await isRefused(`delete from ${name} where false`),
    ]
    expect([name, await isRefused(`select from ${name} where false`)]).toEqual([name, false])
    const isOpen = kind !== 'v' && (hasAccount || sharedTables.includes(name))
    const closed = name === 'users' ? [true, true, true] : [!appendedTables.includes(name), true, true]
    const isSpecial = name === 'users' || name.startsWith('audit_')
    expect([name, changes]).toEqual([name, isSpecial ? closed : [!isOpen, !isOpen, !isOpen]])
  }
  for (const column of userColumns)
    expect([column, await isRefused(`update users set ${column} = ${column} where false`)]).toEqual([column, false])
})

test.each([
  `update settings set value = value where name = 'lasting_keys'`,
  `delete from sign_in_attempts`,
  `insert into sign_in_attempts (address_hash, ip, at) values ('', '::1', now())`,
  `update schema_migrations set name = name`,
  `delete from stripe_events`,
  `insert into stripe_ended_subscriptions (id, ended_at) values ('sub_1', now())`,
  `update users set role = 'owner'`,
  `update users set status = 'active'`,
  `update users set password_hash = 'x'`,
  `delete from users`,
])('a request with %s is refused', async (statement) => {
  await expect(database.db.within('acc_a').execute(statement)).rejects.toThrow(/permission denied/)
})

test("rights that requests don't need are revoked", async () => {
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  try {
    await client.query(`grant insert, update, delete on settings, users to ${walledRole}`)
    expect(await isRefused('update settings set name = name where false')).toBe(false)
    await raiseAccountWall(client, createLogger('silent'))
    expect(await isRefused('update settings set name = name where false')).toBe(true)
    expect(await isRefused('update users set role = role where false')).toBe(true)
    expect(await isRefused('update users set name = name where false')).toBe(false)
  } finally {
    await client.end()
  }
})

test('a view has the row-level security of its tables', async () => {
  const views = await database.db.query<{ name: string; options: string[] | null }>(
    `select relname as name, reloptions as options from pg_class where relnamespace = 'public'::regnamespace and relkind = 'v'`,
  )
  expect(views.map(({ name }) => name)).toContain('leads')
  expect(views.filter(({ options }) => !options?.includes('security_invoker=true'))).toEqual([])
  for (const account of ['acc_a', 'acc_b']) {
    await database.db.execute(
      `with profile as (insert into lead_profiles (account_id, environment, campaign_id, id, email, email_given, email_domain,
         created_at, updated_at) values ($1, 'live', 'cmp_a', 'led_a', 'a@x.test', 'a@x.test', 'x.test', now(), now()))
       insert into lead_progress (account_id, environment, campaign_id, lead_id, status, updated_at)
       values ($1, 'live', 'cmp_a', 'led_a', 'pending', now())`,
      [account],
    )
  }
  const seen = await database.db.within('acc_a').query('select account_id, email from leads')
  expect(seen).toEqual([{ accountId: 'acc_a', email: 'a@x.test' }])
})

test.each([
  ['made the role itself, which since PostgreSQL 16 is not yet a right to put it on', 'admin true, set false', null],
  ['may not put it on at all, and goes without the wall', null, 'database.no_account_wall'],
])('a user of the database who %s', async (_, options, warning) => {
  const owner = `owner_${new URL(database.url).pathname.slice(-8)}_${options === null ? 'plain' : 'maker'}`
  const user = `user_of_${owner}`
  const versions = await database.db.query<{ number: number }>(
    `select current_setting('server_version_num')::int as number`,
  )
  const since16 = versions[0]!.number >= 160_000
  for (const statement of [
    `create role ${owner}`,
    `create role ${user} login in role ${owner}`,
    // Like hosted databases with changing users: objects that any of the users creates belong to one role.
    `alter role ${user} set role to ${owner}`,
    ...(options === null ? [] : [`grant ${walledRole} to ${owner} with ${since16 ? options : 'admin option'}`]),
    `grant create on schema public to ${owner}`,
    `create table own (account_id text)`,
    `alter table own owner to ${owner}`,
  ])
    await runAsSuperuser(database.url, statement)
  const url = new URL(database.url)
  url.username = user
  const client = new pg.Client({ connectionString: url.toString() })
  const db = createDatabase({ url: url.toString(), log: createLogger('silent'), connectionsMax: 1 })
  try {
    await client.connect()
    const log = createLogger('silent')
    const warned: unknown[] = []
    log.warn = (entry: { event: string }) => void warned.push(entry.event)
    await raiseAccountWall(client, log)
    expect(warned).toEqual(warning === null ? [] : [warning])
    for (const account of ['acc_a', 'acc_b']) await db.execute('insert into own values ($1)', [account])
    expect(await db.within('acc_a').query('select account_id from own')).toHaveLength(warning === null ? 1 : 2)
    expect(await db.query('select current_user as me')).toEqual([{ me: owner }])
    expect(await db.execute('delete from own')).toBe(2)
  } finally {
    await client.end()
    await db.close()
    await runAsSuperuser(database.url, `drop table own; drop owned by ${owner}, ${user}; drop role ${owner}, ${user}`)
  }
})
