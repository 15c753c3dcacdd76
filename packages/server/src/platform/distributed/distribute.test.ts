import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listCalls, installCitusDouble, setOnNode } from '@overture/testing/distributed/citus-double.ts'
import { createTestDatabase, type TestDatabase } from '@overture/testing/database.ts'
import { distribute, hasServerBehind, hasSharedEpoch, planDistribution, raiseReceiver } from './distribute.shell.ts'
import { migrate } from '../db/migrate.shell.ts'
import { createLogger } from '../log.shell.ts'
import { findShardCountUnfitness } from './look.shell.ts'
import { distributionPlan, isPossible, savedKeysTable } from './plan.ts'
import { placements } from './placements.ts'

let database: TestDatabase
let client: pg.Client

async function connected(url: string): Promise<pg.Client> {
  const one = new pg.Client({ connectionString: url })
  await one.connect()
  return one
}

beforeAll(async () => {
  database = await createTestDatabase()
  client = await connected(database.url)
  await installCitusDouble(client)
})
afterAll(async () => {
  await client.end()
  await database.drop()
})

const silent = () => undefined

const foreignKeys = async () =>
  (
    await client.query<{ table: string; name: string; definition: string; references: string }>(
      `select conrelid::regclass::text as "table", conname as name, pg_get_constraintdef(oid) as definition,
         confrelid::regclass::text as "references"
       from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace and conparentid = 0 order by 1, 2`,
    )
  ).rows

/** The epoch of each server. */
const epochs = async () =>
  (
    await client.query<{ epoch: number }>(
      'select coalesce(citus_double.epoch_of(nodeid), 0) as epoch from pg_dist_node order by nodeid',
    )
  ).rows.map((row) => row.epoch)

const looks = async () =>
  (
    await client.query<{ epochs: number[] }>(
      'select array_agg(epoch order by epoch) as epochs from event_looks group by reader order by reader',
    )
  ).rows.map((row) => row.epochs)

const appended = async (name: string) =>
  (
    await client.query<{ number: string }>(
      `insert into events (account_id, environment, id, type, occurred_at, tx_id)
       values ('acc_1', 'live', $1, 'campaign.created', now(), '7')
       returning tx_id::text as number`,
      [name],
    )
  ).rows[0]!.number

describe.sequential('distributing a database', () => {
  test('continues after any number of interruptions', async () => {
    const before = await foreignKeys()
    const whole = await planDistribution(client)
    expect(whole.length).toBeGreaterThan(100)
    const stepsPerRun = 17
    const did: string[] = []
    for (let done = false; !done;) {
      // Each run has its own connection, like a command that is called again.
      const own = await connected(database.url)
      let steps = 0
      done = await distribute(own, ({ what }) => {
        if (steps++ === stepsPerRun) throw new Error('broken off')
        did.push(what)
      }).then(
        () => true,
        (error: Error) => {
          expect(error.message).toBe('broken off')
          return false
        },
      )
      await own.end()
    }
    // Each step runs once, except for the table for foreign keys, which each run ensures.
    const place = 'a place for foreign keys'
    expect(did.length).toBeGreaterThan(whole.length)
    expect(did.filter((what, at) => what !== place || did.indexOf(what) === at)).toEqual(whole.map(({ what }) => what))
    expect(await planDistribution(client)).toEqual([])
    expect(await distribute(client, silent)).toBe(0)
    expect(await foreignKeys()).toEqual(before.filter((key) => isPossible(key, placements)))
    const { rows } = await client.query(`select to_regclass('${savedKeysTable}') is null as gone`)
    expect(rows).toEqual([{ gone: true }])
  })

  test('places every table as planned, together with its account', async () => {
    const { rows } = await client.query<{ name: string; kind: string; place: number }>(
      `select logicalrelid::text as name, partmethod as kind, colocationid as place from citus_double.pg_dist_partition`,
    )
    const distributed = [...placements].filter(([, place]) => place !== 'local')
    expect(rows.map(({ name }) => name).toSorted()).toEqual(distributed.map(([name]) => name).toSorted())
    for (const { name, kind } of rows)
      expect([name, kind]).toEqual([name, placements.get(name) === 'account' ? 'h' : 'n'])
    expect(new Set(rows.filter(({ kind }) => kind === 'h').map(({ place }) => place)).size).toBe(1)
    const calls = await listCalls(client)
    expect(calls.filter((call) => call.startsWith('create_distributed_table'))[0]).toBe(
      'create_distributed_table accounts account_id default',
    )
    // No table is converted twice, wherever the runs were interrupted.
    expect(new Set(calls.filter((call) => call.includes('_table '))).size).toBe(rows.length)
  })

  test('events get the number of the server that stores them, whatever number was given', async () => {
    const own = await client.query<{ number: string }>('select event_number()::text as number')
    expect(BigInt(await appended('evt_1'))).toBeGreaterThan(BigInt(own.rows[0]!.number))
  })

  test('each server has its own epoch, and readers know all of them', async () => {
    expect(await hasSharedEpoch(client)).toBe(false)
    expect(await epochs()).toEqual([1, 2, 3])
    expect(await looks()).toEqual([
      [0, 1, 2, 3],
      [0, 1, 2, 3],
    ])
    const { rows } = await client.query<{ epoch: number }>(
      'select (t::text::bigint >> 48)::int as epoch from event_horizons() t order by 1',
    )
    expect(rows.map((row) => row.epoch)).toEqual([1, 2, 3])
  })

  test('a server that receives accounts gets the highest epoch', async () => {
    expect(await raiseReceiver(client, 'worker-2.test', 5432)).toBe(4)
    expect(await epochs()).toEqual([1, 2, 4])
    expect((await looks())[0]).toEqual([0, 1, 2, 3, 4])
    await expect(raiseReceiver(client, 'elsewhere.test', 5432)).rejects.toThrow(
      /elsewhere\.test:5432 is not an active server/,
    )
  })

  test('accounts moved without a new epoch are detected, and every server is raised above them', async () => {
    expect(await hasServerBehind(client)).toBe(false)
    await client.query(`update events set tx_id = (tx_id::text::bigint + (9::bigint << 48))::text::xid8`)
    expect(await hasServerBehind(client)).toBe(true)
    expect(await distribute(client, silent)).toBe(0)
    expect(await hasServerBehind(client)).toBe(false)
    // The event is numbered in the epoch of the second server.
    expect(await epochs()).toEqual([12, 13, 14])
    expect((await looks())[1]).toEqual(expect.arrayContaining([12, 13, 14]))
  })

  test('a new server has its own epoch, and an unavailable server stops readers', async () => {
    await client.query(
      `insert into citus_double.node_epochs values (3, 13) on conflict (nodeid) do update set epoch = 13`,
    )
    expect(await hasSharedEpoch(client)).toBe(true)
    expect(await distribute(client, silent)).toBe(0)
    expect(await epochs()).toEqual([14, 15, 16])
    await setOnNode(client, 3, 'no.such setting', 'on')
    await expect(client.query('select event_horizons()')).rejects.toThrow(/server 3 of pg_dist_node does not say/)
    await client.query('delete from citus_double.node_settings')
  })

  test('an added server gets the tables that each server has, and then accounts can be moved to it', async () => {
    await client.query(`select citus_add_node('worker-3.test', 5432)`)
    const steps = await planDistribution(client)
    expect(steps.map(({ what }) => what)).toEqual([
      'an epoch for each server',
      'raise_event_epoch(integer) on every server',
      'event_number() on every server',
      'event_floor() on every server',
      'events_horizon() on every server',
      'copies of the tables that each server has',
    ])
    await expect(client.query('select event_horizons()')).rejects.toThrow(/relation "event_epochs" does not exist/)
    expect(await distribute(client, silent)).toBe(6)
    expect(await planDistribution(client)).toEqual([])
    await client.query('select event_horizons()')
    await client.query(`delete from citus_double.pg_dist_node where nodename = 'worker-3.test'`)
  })

  test('the number of shards is checked before the tables are distributed', async () => {
    expect(await findShardCountUnfitness(client, null)).toBeNull()
    await client.query('begin')
    await client.query('delete from citus_double.pg_dist_partition')
    expect(await findShardCountUnfitness(client, null)).toMatch(
      /citus\.shard_count is 32 for 3 servers.*shard_count = 6"/,
    )
    expect(await findShardCountUnfitness(client, 8)).toBeNull()
    await client.query('set local citus.shard_count = 2')
    expect(await findShardCountUnfitness(client, null)).toMatch(/citus\.shard_count is 2 for 3 servers/)
    await client.query('set local citus.shard_count = 8')
    expect(await findShardCountUnfitness(client, null)).toBeNull()
    await client.query('rollback')
  })

  test('migrations of a later release run statement by statement', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'overture-later-'))
    try {
      await cp(fileURLToPath(new URL('../../../migrations', import.meta.url)), folder, { recursive: true })
      const text = `alter table templates add column later text; -- a note; and more
        comment on column templates.later is 'a; b';
        create function later() returns int language sql as $$ select 1; select 2 $$;
        create index later on templates (account_id, later);`
      await writeFile(join(folder, '0999_later.sql'), text)
      const migrated = migrate({ url: database.url, log: createLogger('silent'), folder, distributed: true })
      expect(await migrated).toEqual(['0999_later.sql'])
      expect(await planDistribution(client)).toEqual([])
    } finally {
      await rm(folder, { recursive: true, force: true })
      await client.query('alter table templates drop column later')
      await client.query(`delete from schema_migrations where name = '0999_later.sql'`)
    }
  })

  test('the functions that create months allow their triggers themselves', async () => {
    const own = await connected(database.url)
    try {
      await own.query('begin')
      await own.query(`select create_audit_month('2031-01-01'), create_events_month('2031-01-01')`)
      const { rows } = await own.query(
        `select tgrelid::regclass::text as name from pg_trigger where tgname in ('audit_entries_kept', 'event_number_here')
           and tgrelid in ('audit_entries_2031_01'::regclass, 'events_2031_01'::regclass) order by 1`,
      )
      expect(rows).toEqual([{ name: 'audit_entries_2031_01' }, { name: 'events_2031_01' }])
    } finally {
      await own.end()
    }
  })

  test('a table of a later release is distributed by the next run', async () => {
    await client.query('create table campaign_days_2 (account_id text collate "C" primary key)')
    // It is not in the plan, so it stays a local table; the test of placements reports it.
    expect(await planDistribution(client)).toEqual([])
    await client.query('drop table campaign_days_2')
  })
})

test('the role of requests gets its login between servers first', () => {
  const nothing = {
    tables: [],
    foreignKeys: [],
    savedForeignKeys: [],
    policies: [],
    nodesWithoutReferences: 0,
    nodesWithoutEpochs: 0,
    asksAllHorizons: true,
  }
  const triggers = ['event_number_here', 'since_number_here', 'run_number_here']
  const steps = (mayLogIn: boolean) =>
    distributionPlan({ ...nothing, triggers, walledRole: { name: 'requests', mayLogIn } }, placements)
  expect(steps(true)).toEqual([])
  expect(steps(false).flatMap(({ statements }) => statements)).toEqual(['alter role "requests" login'])
})

describe.sequential('the double refuses the same statements as Citus', () => {
  const planted: readonly [string, string | readonly string[], RegExp][] = [
    [
      'two statements, of which one changes a distributed table',
      'alter table templates add column other text; delete from sessions',
      /cannot insert multiple commands into a prepared statement/,
    ],
    [
      'two statements, of which one drops a constraint',
      'alter table templates drop constraint templates_pkey cascade; select 1',
      /cannot insert multiple commands/,
    ],
    [
      'two statements, of which one renames a constraint',
      'alter table templates rename constraint templates_pkey to other; select 1',
      /cannot insert multiple commands/,
    ],
    [
      'two statements, of which one is a comment',
      `comment on table templates is 'other'; select 1`,
      /cannot insert multiple commands/,
    ],
    [
      'two statements, of which one is a view of a distributed table',
      'create view other as select name from templates; select 1',
      /cannot insert multiple commands/,
    ],
    [
      'another way to store a column',
      'alter table templates alter column name set storage external',
      /alter table command is currently unsupported/,
    ],
    [
      'a month with triggers, without being asked for',
      `create table events_2031_01 partition of events for values from ('2031-01-01') to ('2031-02-01')`,
      /cannot distribute relation "events_2031_01" because it has triggers/,
    ],
    [
      'a trigger of a month, without being asked for',
      [
        `select create_audit_month('2031-01-01')`,
        'set local citus.enable_unsafe_triggers = off',
        `create trigger other before truncate on audit_entries_2031_01
         for each statement execute function refuse_audit_change()`,
      ],
      /cannot distribute relation "audit_entries_2031_01" because it has triggers/,
    ],
    ['a key without the account', 'create unique index on templates (name)', /cannot create constraint on "templates"/],
    [
      'a wall that asks',
      `alter policy account_wall on templates using (account_id = (select 'x'))`,
      /cannot create policy/,
    ],
    [
      'a key from a table on every server',
      'alter table sessions add foreign key (account_id, user_id) references users',
      /from reference tables and local tables/,
    ],
    [
      'a key that does not hold the account',
      [
        'alter table users add constraint u unique (account_id, email, id)',
        'alter table templates add foreign key (id, name, environment) references users (account_id, email, id)',
      ],
      /cannot create foreign key constraint/,
    ],
    [
      'a trigger without being asked for',
      `create trigger t before insert on templates for each row execute function refuse_audit_change()`,
      /because it has triggers/,
    ],
    ['a table twice', `select create_distributed_table('templates', 'account_id')`, /already distributed/],
    [
      'another type beside the account',
      `create table other (account_id varchar primary key);
       select create_distributed_table('other', 'account_id', colocate_with => 'accounts')`,
      /types don't match|cannot colocate/,
    ],
    [
      'a key of several without the account',
      `create table other (id int primary key, account_id text); select create_distributed_table('other', 'account_id')`,
      /cannot create constraint/,
    ],
  ]
  test.each(planted)('%s', async (_what, statements, message) => {
    const own = await connected(database.url)
    const all = async () => {
      for (const statement of [statements].flat()) await own.query(statement)
    }
    try {
      await own.query('begin')
      await expect(all()).rejects.toThrow(message)
    } finally {
      await own.end()
    }
  })
})
