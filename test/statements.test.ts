import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '@overture/testing/database.ts'
import { statementsByHand } from './house/statements/by-hand.ts'
import { changeableFunctions, keysAcrossAccounts, readCatalogue } from './house/statements/catalogue.ts'
import { exceptions, exceptionsMax, keysOfDirectories } from './house/statements/exceptions.ts'
import { excepted } from './house/statements/held.ts'
import { findBreaches, type Rule } from './house/statements/rules.ts'
import {
  isPreparable,
  namedByCallers,
  statementsFile,
  unlistedAmong,
  writeStatements,
} from './house/statements/sent-list.ts'
import { type SentStatement, statementsOfFiles } from './house/statements/texts.ts'
import { isTest, readModules } from './house/source.ts'
import { calledName, find, parse } from './house/statements/tree.ts'

/** A lower bound close to the real number, so that the rules aren't checked on an empty list. */
const statementsMin = 500

/** Files with queries outside of exported functions that take a database: those of the driver, and in returned objects. */
const notReached: readonly string[] = [
  'lead-finder/store/index-source.sql.ts',
  'platform/db/account-wall.sql.ts',
  'platform/tenant-clocks.sql.ts',
]

describe('statements work with accounts distributed over servers', () => {
  let statements: SentStatement[]
  let unreached: string[]
  let database: TestDatabase
  beforeAll(async () => {
    database = await createTestDatabase()
    ;({ statements, unreached } = await statementsOfFiles())
    statements.push(...(await statementsByHand()))
  })
  afterAll(() => database.drop())

  test('all statements were found', () => {
    expect(statements.length).toBeGreaterThan(statementsMin)
    const files = new Set(unreached.map((place) => place.replace(/^packages\/server\/src\/|:\d+$/g, '')))
    expect([...files].toSorted()).toEqual(notReached)
  })

  test('each uses existing tables, columns and functions', async () => {
    const unknown: string[] = []
    for (const [index, { name, text }] of statements.entries()) {
      if (!isPreparable(text)) continue
      try {
        await database.db.execute(`prepare one_${index} as ${text}`)
      } catch (error) {
        const { code, message } = error as { code: string; message: string }
        if (['42P01', '42703', '42883', '42702', '42601'].includes(code)) unknown.push(`${name}: ${message}`)
      }
    }
    const missing = unknown.map((one) => one.replace('packages/server/src/', ''))
    expect(missing.filter((one) => !namedByCallers.some((name) => one.startsWith(`${name}: `)))).toEqual([])
    expect(missing).toHaveLength(namedByCallers.length)
  })

  // A connection refuses a name that it has prepared with another text.
  test('a prepared name belongs to one text', () => {
    const named = statements.filter(({ preparedAs }) => preparedAs !== undefined)
    expect(named.length).toBeGreaterThan(statementsMin)
    const texts = new Map<string | undefined, Set<string>>()
    for (const { preparedAs, text } of named) texts.set(preparedAs, (texts.get(preparedAs) ?? new Set()).add(text))
    const shared = [...texts].filter(([, sent]) => sent.size > 1)
    expect(shared.map(([name]) => name)).toEqual([])
  })

  test('the list of statements is up to date (else: npm run statements)', () =>
    expect(writeStatements(statements) === readFileSync(statementsFile, 'utf8')).toBe(true))

  test('a prepared statement that was sent and is not in the list is found', () => {
    const sent = (text: string, preparedAs?: string) => ({ name: 'x.sql.ts: listX', text, preparedAs })
    const list = JSON.stringify([sent('select  1\n from jobs')])
    const known = [
      sent('select 1 from jobs', 'a'),
      sent('select 2', undefined),
      sent('select 3', 'list_due_test_jobs_9'),
    ]
    expect(unlistedAmong([...known, sent('select 4', 'b'), sent('begin', 'c')], list)).toEqual(['x.sql.ts: listX: b'])
  })

  test("the number of exceptions doesn't grow", () => {
    expect(excepted().length).toBe(exceptionsMax)
    expect(exceptions.filter(({ why }) => why.length < 20)).toEqual([])
  })

  test('unique keys begin with the account, with listed exceptions', () =>
    expect(keysAcrossAccounts()).toEqual(Object.keys(keysOfDirectories).toSorted()))

  test('all functions with changing results are listed', async () => {
    const rows = await database.db.query<{ proname: string }>(
      `select distinct p.proname from pg_proc p where p.provolatile <> 'i' and p.pronamespace = 'pg_catalog'::regnamespace`,
    )
    const changeable = new Set(rows.map(({ proname }) => proname))
    const called = new Set(statements.flatMap(({ text }) => find('FuncCall', parse(text))).map(calledName))
    expect([...called].filter((name) => changeable.has(name)).toSorted()).toEqual(changeableFunctions.toSorted())
  })
})

/** Names that an error of another server cuts off or hides: its message has the number of the shard behind the name, within 63 bytes. */
function unsafeConstraints({ path, text }: { path: string; text: string }): string[] {
  const read = /\.constraint\b/.test(text) ? ['reads the field constraint'] : []
  const names = [...text.matchAll(/is(?:Unique|ForeignKey)Violation\(\w+, '([^']+)'/g)].map(([, name]) => name!)
  return [...read, ...names.filter((name) => name.length > 52)].map((what) => `${path}: ${what}`)
}

describe('constraints are known by name where an error comes from another server', () => {
  test('only one file reads their names from errors, and each name leaves room for the number of a shard', () => {
    const modules = readModules().filter((module) => module.path.startsWith('packages/server/src/') && !isTest(module))
    const found = modules.filter(({ path }) => !path.endsWith('platform/db/errors.ts')).flatMap(unsafeConstraints)
    expect(found).toEqual([])
  })

  test('planted violations are found', () => {
    const text = `if (error.constraint === 'a') return isUniqueViolation(error, '${'a'.repeat(53)}')`
    expect(unsafeConstraints({ path: 'x.ts', text })).toHaveLength(2)
  })
})

describe('a planted violation is found', () => {
  const catalogue = readCatalogue()
  const ofOneAccount: [rule: Rule, why: string, text: string][] = [
    ['account', 'nobody says whose', 'select id from campaigns where id = $1'],
    ['account', 'any of several', 'select id from campaigns where account_id = any($1)'],
    ['account', 'under an or', 'select id from campaigns where account_id = $1 or id = $2'],
    [
      'account',
      'only joined',
      'select 1 from leads l join campaigns c on c.account_id = l.account_id where l.account_id = $1',
    ],
    ['account', 'of another relation', 'select 1 from leads l, campaigns c where l.account_id = $1 and l.id = c.id'],
    [
      'account',
      'in a sub-select',
      'select (select name from campaigns c where c.id = l.id) from leads l where l.account_id = $1',
    ],
    [
      'account',
      'in a branch',
      'select id from leads where account_id = $1 union all select id from leads where id = $1',
    ],
    ['account', 'in a common table expression', 'with c as (select id from campaigns) select id from c'],
    ['account', 'what is changed', 'update campaigns c set name = $2 where c.id = $1'],
    [
      'account',
      'what is deleted',
      'delete from leads using campaigns c where c.account_id = $1 and c.id = leads.campaign_id',
    ],
    [
      'snapshot',
      'read beside its change',
      'with a as (update jobs set kind = $2 where account_id = $1) select id from jobs where account_id = $1',
    ],
    [
      'snapshot',
      'read by another part',
      'with a as (delete from jobs where account_id = $1), b as (select id from jobs where account_id = $1) select 1',
    ],
    ['changeable over column', 'a function', "update jobs set key = to_char(run_at, 'YYYY') where account_id = $1"],
    [
      'changeable over column',
      'in the where',
      "delete from jobs where account_id = $1 and date_trunc('day', run_at) = $2",
    ],
    [
      'changeable over column',
      'a cast',
      "update claims set gated_at = (counted->>'at')::timestamptz where account_id = $1",
    ],
    [
      'changeable in case',
      'a case',
      'update jobs set dead_at = case when attempts > 1 then now() end where account_id = $1',
    ],
    ['changeable in case', 'coalesce', 'update jobs set dead_at = coalesce(dead_at, now()) where account_id = $1'],
    ['changeable in case', 'values', 'insert into jobs (account_id, run_at) values ($1, coalesce($2, now()))'],
    [
      'changeable in case',
      'a word of its own',
      'update jobs set dead_at = coalesce(dead_at, current_timestamp) where account_id = $1',
    ],
    ['simple case', 'in a change', "update jobs set key = case kind when 'a' then 'b' end where account_id = $1"],
    ['simple case', 'in a list', "select case kind when 'a' then 'b' end from jobs where account_id = $1"],
    [
      'ctid',
      'a batch',
      'delete from jobs where account_id = $1 and ctid = any(array(select ctid from jobs where account_id = $1))',
    ],
    [
      'select in values',
      'one value',
      'insert into jobs (account_id, kind) values ($1, (select max(kind) from jobs where account_id = $1))',
    ],
    [
      'bulk',
      'rows from nowhere',
      'insert into jobs (account_id, kind) select $1, t.kind from unnest($2::text[]) t (kind)',
    ],
    ['function', 'that reads', 'select create_audit_month(now())'],
    ['function', 'that changes', "select delete_rows_of_account($1, 'jobs', 10)"],
    ['session', 'a setting that stays', "select set_config('a.b', $1, false)"],
    ['session', 'a word that stays', 'set lock_timeout = 1'],
    [
      'one statement',
      'a key and a deletion',
      'alter table jobs add unique (account_id, key); delete from jobs where account_id = $1',
    ],
    ['empty select', 'exists', 'select 1 from jobs where account_id = $1 and exists (select from settings)'],
    ['empty select', 'a count', 'select count(*) from (select from jobs where account_id = $1 limit $2) j'],
    ['empty select', 'a part', 'with e as (select from jobs where account_id = $1) select count(*) from e'],
    [
      'empty select',
      'a branch of a union',
      `select 1 where exists (select from leads where account_id = $1
       union all select from jobs where account_id = $1 union all select from campaigns where account_id = $1)`,
    ],
    [
      'changeable in conflict',
      'in the where',
      `insert into planning as p (account_id) values ($1)
       on conflict (account_id, environment) do update set trace = null where p.lease_until < now()`,
    ],
    [
      'changeable in conflict',
      'in the change',
      'insert into planning as p (account_id) values ($1) on conflict (account_id, environment) do update set lease_until = now()',
    ],
    ['changeable in returning', 'now()', 'update jobs set kind = $2 where account_id = $1 returning run_at < now()'],
    [
      'select in returning',
      'a count',
      'delete from jobs where account_id = $1 returning (select count(*) from campaigns where account_id = $1)',
    ],
    ['volatile in change', 'the clock', 'update jobs set run_at = clock_timestamp() where account_id = $1'],
    ['volatile in change', 'in the where', 'delete from jobs where account_id = $1 and random() < 0.5'],
    [
      'interval over column',
      'an age',
      "update jobs set run_at = run_at + $2 * interval '1 second' where account_id = $1",
    ],
    [
      'interval over column',
      'a delay that a row has',
      "update jobs set run_at = $2::timestamptz + interval '1 minute' * attempts where account_id = $1",
    ],
    [
      'interval over column',
      'an earlier time',
      "delete from jobs where account_id = $1 and run_at - interval '1 day' < $2::timestamptz",
    ],
    [
      'lock in a joined list',
      'a function in a sub-select',
      `select j.id from jobs j join (select t.id from unnest($2::text[]) t (id)) t on t.id = j.id
       where j.account_id = $1 for update of j`,
    ],
    [
      'lock in a joined list',
      'a function',
      'select j.id from jobs j join unnest($2::text[]) t (id) on t.id = j.id where j.account_id = $1 for update of j',
    ],
    [
      'lock in a joined list',
      'a part with a list',
      `with t as (select * from unnest($2::text[]) t (id))
       select j.id from jobs j, t where j.account_id = $1 and j.id = t.id for update of j`,
    ],
    [
      'copied',
      'a part',
      'with a as (insert into jobs (account_id) select account_id from campaigns where account_id = $1) select 1',
    ],
  ]
  test.each(ofOneAccount)('%s: %s', (rule, _why, text) =>
    expect(findBreaches({ name: 'x.sql.ts: listX', text }, catalogue).map((breach) => breach.rule)).toContain(rule),
  )

  test('across accounts: a table of users joined through keys, which each server has', () => {
    const text = (joined: string) =>
      `select 1 from api_keys k join accounts a on a.account_id = k.account_id left join users u on u.account_id = ${joined}`
    const found = (joined: string) =>
      findBreaches({ name: 'x.sql.ts: findXAcrossAccounts', text: text(joined) }, catalogue).map(({ rule }) => rule)
    expect(found('k.account_id')).toEqual(['reference join'])
    expect(found('a.account_id')).toEqual([])
  })

  test.each([
    ['a lock', 'select id from jobs where kind = $1 for update'],
    ['a change', 'update jobs set kind = $1'],
    ['a removal', 'delete from jobs where kind = $1'],
    ['rows that are added', 'insert into jobs (account_id, kind) select account_id, $1 from accounts'],
    ['a common table expression', 'with a as (select id from jobs) select id from a'],
    [
      'a lateral join',
      'select 1 from accounts a, lateral (select 1 from jobs j where j.account_id = a.account_id) due',
    ],
  ])('across accounts: %s', (_why, text) => {
    const breaches = findBreaches({ name: 'x.sql.ts: findXAcrossAccounts', text }, catalogue)
    expect(breaches.map(({ rule }) => rule)).toContain('plain read')
  })

  test.each([
    [
      'each relation compared',
      'select 1 from leads l join campaigns c on c.account_id = $1 and c.id = l.campaign_id where l.account_id = $1',
    ],
    ['a pair', 'select 1 from leads where (account_id, environment) = ($1, $2::text)'],
    [
      'a common table expression of its own',
      'with c as (select id from campaigns where account_id = $1) select id from c',
    ],
    [
      'tables of no account',
      'delete from stripe_events where ctid = any(array(select ctid from stripe_events limit $1))',
    ],
    [
      'a function asked aside',
      'update jobs set dead_at = case when attempts > 1 then (select now()) end where account_id = $1',
    ],
    [
      'rows tied to the account',
      'insert into jobs (account_id, kind) select $1, t.k from accounts a, unnest($2::text[]) t (k) where a.account_id = $1 returning id',
    ],
    ['a setting of the transaction', "select set_config('a.b', $1, true)"],
    [
      'rows that are locked one by one',
      `with t as (select * from unnest($2::text[]) t (id))
       select t.id from t cross join lateral (select 1 from jobs j where j.account_id = $1 and j.id = t.id limit 1 for update) j`,
    ],
    [
      'a lease by the clock',
      "update jobs set run_at = now() + $2 * interval '1 second' where account_id = $1 returning id",
    ],
    [
      'a copy that says what it inserted',
      'insert into jobs (account_id) select account_id from campaigns where account_id = $1 returning id',
    ],
  ])('no violation is reported for: %s', (_why, text) =>
    expect(findBreaches({ name: 'x.sql.ts: listX', text }, catalogue)).toEqual([]),
  )
})
