import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { builtCli } from '@overture/testing/programs/program.ts'
import { ClusterIndex } from '@overture/server/lead-finder/cluster/cluster-index.shell.ts'
import { findDataset } from '@overture/server/lead-finder/store/finder-store.sql.ts'
import { createLogger } from '@overture/server/platform/log.shell.ts'
import { createTestDatabase, type TestDatabase } from '@overture/testing/database.ts'
import { naivePeople } from '@overture/testing/lead-finder/naive-search.ts'
import { OpenSearchDescription } from '@overture/testing/lead-finder/open-search-description.ts'
import { OpenSearchStub, type Call } from '@overture/testing/lead-finder/open-search-stub.server.ts'
import { storedWorld, storePeople } from '@overture/testing/lead-finder/stored-people.ts'

const program = await builtCli()
const timeout = 60_000
let description: OpenSearchDescription
let database: TestDatabase
let folder: string
let stub: OpenSearchStub
let url: string
let servers: ClusterIndex[] = []
const children: ChildProcess[] = []

beforeAll(() => {
  description = new OpenSearchDescription()
}, 120_000)
beforeEach(async () => {
  database = await createTestDatabase()
  folder = await mkdtemp(join(tmpdir(), 'overture-reload-'))
  stub = new OpenSearchStub(description)
  url = await stub.start()
  await storePeople(database, { seed: 5, from: 0, to: 110 })
})
afterEach(async () => {
  stub.fail = () => undefined
  for (const server of servers.splice(0)) await server.stop()
  await stub.stop()
  expect(stub.problems).toEqual([])
  await database.drop()
  await rm(folder, { recursive: true, force: true })
})
afterAll(() => {
  for (const child of children) child.kill('SIGKILL')
})

/** The search index of one server. */
function server(now = () => new Date()): ClusterIndex {
  const options = { url, username: null, password: null, prefix: 'overture', shards: 1, databaseUrl: database.url }
  const index = new ClusterIndex({ ...options, log: createLogger('silent'), clock: { now } })
  servers.push(index)
  return index
}

/** Starts `overture finder reload` in its own process. */
function reload(): ChildProcess {
  const child = spawn(process.execPath, [program, 'finder', 'reload', '--json'], {
    env: {
      PATH: process.env['PATH'],
      DATABASE_URL: database.url,
      OVERTURE_DATA_DIR: folder,
      OVERTURE_ENCRYPTION_KEY: 'a'.repeat(64),
      OVERTURE_FINDER_OPENSEARCH_URL: url,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  children.push(child)
  return child
}

async function ended(child: ChildProcess): Promise<string> {
  const [printed, complaints, [code]] = await Promise.all([
    text(child.stdout!),
    text(child.stderr!),
    once(child, 'exit'),
  ])
  expect(complaints).toBe('')
  expect(code).toBe(0)
  return printed
}

async function everyPage(index: ClusterIndex): Promise<{ numbers: number[]; versions: Set<number> }> {
  const state = (await findDataset(database.db, 'live'))!
  const numbers: number[] = []
  const versions = new Set<number>()
  for (let page = 1; ; page++) {
    const found = await index.search('live', state, { kind: 'people', filters: {}, page })
    numbers.push(...found.numbers)
    versions.add(found.version)
    if (page * 25 >= found.totalCount) return { numbers, versions }
  }
}

async function expected(): Promise<number[]> {
  return naivePeople(await storedWorld(database.url), {})
}

function indices(): string[] {
  return [...stub.indices.keys()].toSorted()
}

function served(): (string | undefined)[] {
  return [stub.behind('overture-live-companies-f3'), stub.behind('overture-live-people-f3')]
}

/** Holds the first call for which `isMeant` is true until `release` is called. */
function holdAt(isMeant: (call: Call) => boolean): { reached: Promise<void>; release: () => void } {
  let reach: () => void
  let release: () => void
  const reached = new Promise<void>((resolve) => (reach = resolve))
  const released = new Promise<undefined>((resolve) => (release = () => resolve(undefined)))
  stub.fail = (call) => {
    if (!isMeant(call)) return undefined
    stub.fail = () => undefined
    reach()
    return released
  }
  return { reached, release: () => release() }
}

test(
  'searches of two servers work during reloads, and pages stay within one search',
  async () => {
    const both = [server(), server()]
    const truth = await expected()
    await Promise.all(both.map(everyPage))
    const before = served()
    let isOver = false
    const rounds = both.map(async (index) => {
      let count = 0
      for (; !isOver; count++) expect(await everyPage(index)).toEqual({ numbers: truth, versions: new Set([1]) })
      return count
    })
    for (let round = 0; round < 2; round++) {
      expect(JSON.parse(await ended(reload()))).toEqual({ people: truth.length, companies: 25 })
    }
    isOver = true
    for (const count of await Promise.all(rounds)) expect(count).toBeGreaterThan(1)
    expect(served()).not.toEqual(before)
    expect(indices()).toEqual(served())
  },
  timeout,
)

test(
  'a search whose index is dropped by a reload is answered by the next index',
  async () => {
    const index = server()
    await everyPage(index)
    const held = holdAt(({ path }) => path.endsWith('people-f3/_search'))
    const searching = everyPage(index)
    await held.reached
    await server().reload('live')
    // Simulates a cluster that resolved the alias earlier: the index behind it no longer exists.
    const gone = { status: 404, body: { error: { type: 'index_not_found_exception' } } }
    stub.fail = ({ path }) => {
      stub.fail = () => undefined
      return path.endsWith('_search') ? gone : undefined
    }
    held.release()
    expect((await searching).numbers).toEqual(await expected())
  },
  timeout,
)

test(
  'people loaded during a reload are found at once, and in the next index',
  async () => {
    const index = server()
    await everyPage(index)
    const before = served()
    const held = holdAt(({ path }) => path === '/_bulk')
    const child = reload()
    await held.reached
    await storePeople(database, { seed: 6, from: 90, to: 150 })
    expect((await everyPage(index)).numbers).toEqual(await expected())
    expect(served()).toEqual(before)
    held.release()
    await ended(child)
    expect(served()).not.toEqual(before)
    const calls = stub.calls.length
    expect((await everyPage(server())).numbers).toEqual(await expected())
    expect(stub.calls.slice(calls).map(({ path }) => path)).not.toContain('/_bulk')
  },
  timeout,
)

test.each([
  ['before it has made an index', ({ method }: Call) => method === 'PUT'],
  ['between the two indices', ({ method, path }: Call) => method === 'PUT' && path.includes('companies')],
  ['as it writes', ({ path }: Call) => path === '/_bulk'],
  ['after its documents', ({ path }: Call) => path.endsWith('_refresh')],
  ['as it counts', ({ path }: Call) => path.endsWith('_count')],
  ['before it swaps', ({ path }: Call) => path === '/_aliases'],
  ['after it has swapped', ({ method, path }: Call) => method === 'DELETE' && path !== ''],
])(
  'a reload killed %s leaves one searched index, and the next reload cleans up',
  async (_, isMeant) => {
    const index = server()
    await everyPage(index)
    const held = holdAt(isMeant)
    const child = reload()
    await held.reached
    child.kill('SIGKILL')
    await once(child, 'exit')
    held.release()
    for (const searching of [index, server()]) {
      expect((await everyPage(searching)).numbers).toEqual(await expected())
    }
    await storePeople(database, { seed: 7, from: 40, to: 130 })
    expect((await everyPage(index)).numbers).toEqual(await expected())
    await server().reload('live')
    expect(indices()).toEqual(served())
    expect((await everyPage(index)).numbers).toEqual(await expected())
  },
  timeout,
)

test('of several servers without an index, one loads it', async () => {
  const all = [server(), server(), server()]
  const truth = await expected()
  for (const { numbers } of await Promise.all(all.map(everyPage))) expect(numbers).toEqual(truth)
  expect(stub.calls.filter(({ method }) => method === 'PUT')).toHaveLength(2)
})

test('an index newer than a restored store is not searched, and a new one is loaded', async () => {
  await everyPage(server())
  await storePeople(database, { seed: 8, from: 0, to: 120 })
  await everyPage(server())
  const ahead = served()
  // Restores the store of an earlier backup, so that other people are loaded under the same version.
  await database.db.execute(`delete from finder_people where version > 1`, [])
  await database.db.execute(`update finder_datasets set version = 1 where dataset = 'live'`, [])
  expect((await everyPage(server())).numbers).toEqual(await expected())
  expect(served()).not.toEqual(ahead)
  await storePeople(database, { seed: 9, from: 100, to: 160 })
  expect((await everyPage(server())).numbers).toEqual(await expected())
  expect(indices()).toEqual(served())
})

test('the index of an older version is kept a day for servers that search it', async () => {
  const older = ['overture-live-people', 'overture-live-companies', 'overture-live-people-f2-0123456789abcdef']
  const others = ['overture-live-live-people-f2-0123456789abcdef', 'overture-live-notes', 'overture-demo-people']
  for (const name of [...older, ...others]) {
    await fetch(`${url}/${name}`, { method: 'PUT', headers: { 'content-type': 'application/json' }, body: '{}' })
  }
  await everyPage(server())
  expect(indices()).toEqual(expect.arrayContaining([...older, ...others]))
  await everyPage(server(() => new Date(Date.now() + 25 * 3_600_000)))
  expect(new Set(indices())).toEqual(new Set([...others, ...served()]))
})
