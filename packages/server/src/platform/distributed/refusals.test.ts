import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { installCitusDouble, setOnNode } from '@overture/testing/distributed/citus-double.ts'
import { createTestDatabase, type TestDatabase } from '@overture/testing/database.ts'
import { createLogger } from '../log.shell.ts'
import { migrate } from '../db/migrate.shell.ts'
import { distribute } from './distribute.shell.ts'
import { changedHistories } from './histories.shell.ts'
import { distributedUnfitness, findHindranceOfNodes } from './look.shell.ts'
import { type NodeFacts, nodesUnfitness } from './refusals.ts'

const coordinator: NodeFacts = {
  name: 'coordinator.test:5432',
  group: 0,
  error: null,
  synchronousCommit: 'on',
  version: '18',
  citus: '14.0-1',
  isStandby: false,
  clockMs: 1_790_000_000_000,
}
const worker: NodeFacts = { ...coordinator, name: 'worker.test:5432', group: 1 }

describe('an unusable Citus server is refused with its name and advice', () => {
  test.each<[string, number, NodeFacts[], RegExp]>([
    ['a worker that is connected to', 1, [coordinator, worker], /Citus worker\. Use its coordinator/],
    ['a coordinator without its host name', 0, [worker], /citus_set_coordinator_host/],
    [
      'one that is down',
      0,
      [coordinator, { ...worker, error: 'refused' }],
      /worker\.test:5432 does not respond \(refused\)\. Start it/,
    ],
    [
      'one that commits without its disk',
      0,
      [coordinator, { ...worker, synchronousCommit: 'off' }],
      /off on worker\.test.*Set it to on/,
    ],
    [
      'the coordinator itself',
      0,
      [{ ...coordinator, synchronousCommit: 'off' }, worker],
      /off on coordinator\.test.*Set it to on/,
    ],
    ['a standby', 0, [coordinator, { ...worker, isStandby: true }], /worker\.test.*Put its primary/],
    [
      'another time',
      0,
      [coordinator, { ...worker, clockMs: coordinator.clockMs - 61_000 }],
      /clock of worker\.test:5432 is 61 s off .*same time servers/,
    ],
    [
      'another major version',
      0,
      [coordinator, { ...worker, version: '17' }],
      /PostgreSQL 17 and the coordinator 18\. Use the same/,
    ],
    [
      'another release of Citus',
      0,
      [coordinator, { ...worker, citus: '13.2-1' }],
      /13\.2-1.*alter extension citus update/,
    ],
  ])('%s', (_what, group, nodes, sentence) => expect(nodesUnfitness({ group, nodes })).toMatch(sentence))

  test.each(['on', 'local', 'remote_write', 'remote_apply'])(
    'synchronous_commit = %s is accepted',
    (synchronousCommit) =>
      expect(nodesUnfitness({ group: 0, nodes: [coordinator, { ...worker, synchronousCommit }] })).toBeNull(),
  )

  test('time that passes between the queries is no clock difference', () =>
    expect(
      nodesUnfitness({ group: 0, nodes: [coordinator, { ...worker, clockMs: coordinator.clockMs + 1_900 }] }),
    ).toBeNull())
})

test('an unknown or missing history is no change', () => {
  expect(changedHistories({}, { '0': 'a 1' })).toEqual([])
  expect(changedHistories({ '0': 'a 1', '1': 'b 1' }, { '0': 'a 1' })).toEqual([])
  expect(changedHistories({ '0': 'a 1', '1': 'b 1' }, { '0': 'a 2', '1': 'c 1' })).toEqual(['0', '1'])
})

describe.sequential('a start', () => {
  let database: TestDatabase
  let client: pg.Client
  beforeAll(async () => {
    database = await createTestDatabase()
    client = new pg.Client({ connectionString: database.url })
    await client.connect()
  })
  afterAll(async () => {
    await client.end()
    await database.drop()
  })

  const log = createLogger('silent')
  const start = (distributed: boolean) => migrate({ url: database.url, log, distributed })

  test('with OVERTURE_CITUS refuses a single server', () =>
    expect(start(true)).rejects.toThrow(/OVERTURE_CITUS is on, and this database lacks the extension/))

  test('without OVERTURE_CITUS refuses several servers with advice', async () => {
    await installCitusDouble(client)
    await expect(start(false)).rejects.toThrow(
      /citus.*use a database without it.*overture distribute.*OVERTURE_CITUS=on/,
    )
    expect(await start(true)).toEqual([])
  })

  test('refuses a database that is not or only partly distributed', async () => {
    expect(await distributedUnfitness(database.url)).toMatch(
      /not distributed.*\d+ steps are left; run overture distribute/,
    )
    let steps = 0
    const broken = distribute(client, () => {
      if (steps++ === 90) throw new Error('broken off')
    })
    await expect(broken).rejects.toThrow('broken off')
    await client.query('reset all')
    expect(await distributedUnfitness(database.url)).toMatch(/not distributed.*run overture distribute/)
  })

  test('accepts a distributed database', async () => {
    await client.query('set search_path = public, citus_double')
    await distribute(client, () => undefined)
    expect(await start(true)).toEqual([])
    expect(await distributedUnfitness(database.url)).toBeNull()
  })

  test('refuses a worker with synchronous_commit off until it is on', async () => {
    await setOnNode(client, 3, 'synchronous_commit', 'off')
    expect(await distributedUnfitness(database.url)).toMatch(/synchronous_commit is off on worker-2\.test:5432/)
    await setOnNode(client, 3, 'synchronous_commit', 'on')
    expect(await distributedUnfitness(database.url)).toBeNull()
  })

  test('after the replacement of a server holds live sending, once', async () => {
    const held = async () =>
      (
        await client.query<{ value: { was: string; is: string } }>(
          `select value from settings where name = 'sending_held'`,
        )
      ).rows
    const look = () => findHindranceOfNodes(database.url)
    expect(await look()).toBeNull()
    expect(await look()).toBeNull()
    expect(await held()).toEqual([])
    await setOnNode(client, 2, 'citus_double.timeline', '00000002')
    expect(await look()).toMatch(/^worker-1\.test:5432 has another history.*resume-after-restore/)
    expect(await look()).toBeNull()
    const [{ value }] = (await held()) as [{ value: { was: string; is: string } }]
    expect([value.was, value.is]).toEqual([
      expect.stringMatching(/^1: \d+ 00000001$/),
      expect.stringMatching(/^1: \d+ 00000002$/),
    ])
    await client.query(`delete from settings where name = 'sending_held'; delete from citus_double.node_settings`)
  })

  test('refuses accounts that were moved to a server with a lower epoch', async () => {
    await client.query(
      `insert into events (account_id, environment, id, type, occurred_at) values ('acc_1', 'live', 'evt_1', 'campaign.created', now());
       update events set tx_id = (tx_id::text::bigint + (1::bigint << 48))::text::xid8`,
    )
    expect(await distributedUnfitness(database.url)).toMatch(/accounts were moved.*run overture distribute/)
    await distribute(client, () => undefined)
    expect(await distributedUnfitness(database.url)).toBeNull()
  })
})
