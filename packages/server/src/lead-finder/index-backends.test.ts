import fc from 'fast-check'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { systemClock } from '../platform/clock.ts'
import { createLogger } from '../platform/log.shell.ts'
import { createTestDatabase, type TestDatabase } from '@overture/testing/database.ts'
import { findDataset } from './store/finder-store.sql.ts'
import type { IndexBackend } from './search-index/index-backend.ts'
import { IndexClient } from './search-index/search-thread.client.ts'
import { storedWorld, storePeople } from '@overture/testing/lead-finder/stored-people.ts'
import { naiveCompanies, naivePeople } from '@overture/testing/lead-finder/naive-search.ts'
import { ClusterIndex } from './cluster/cluster-index.shell.ts'
import { erasePeopleFromFinder } from './store/store.commands.ts'
import { OpenSearchDescription } from '@overture/testing/lead-finder/open-search-description.ts'
import { OpenSearchStub } from '@overture/testing/lead-finder/open-search-stub.server.ts'
import { personFiltersArb } from '@overture/testing/lead-finder/worlds.ts'

let database: TestDatabase
let folder: string
let stub: OpenSearchStub
const backends: Record<string, IndexBackend> = {}
let url: string
const log = createLogger('silent')

beforeAll(async () => {
  database = await createTestDatabase()
  folder = await mkdtemp(join(tmpdir(), 'backends-'))
  stub = new OpenSearchStub(new OpenSearchDescription())
  url = await stub.start()
  const { url: databaseUrl } = database
  const rebuilt = { databaseUrl, folder: join(folder, 'rebuilt'), rebuildPeopleMax: 100_000, deltaPeopleMax: 1000 }
  backends['local, rebuilt'] = new IndexClient(rebuilt)
  backends['local, delta'] = new IndexClient({ ...rebuilt, folder: join(folder, 'delta'), rebuildPeopleMax: 0 })
  backends['OpenSearch'] = cluster()
  await storePeople(database, { seed: 1, from: 0, to: 300 })
}, 120_000)

afterAll(async () => {
  for (const backend of Object.values(backends)) await backend.stop()
  await stub.stop()
  expect(stub.problems).toEqual([])
  await database.drop()
  await rm(folder, { recursive: true })
})

function cluster(): ClusterIndex {
  const options = { url, username: 'admin', password: 'secret', prefix: 'test', shards: 1, timeoutMs: 5000 }
  return new ClusterIndex({ ...options, databaseUrl: database.url, log, clock: systemClock })
}

async function agree(backend: IndexBackend, seed: number): Promise<void> {
  const truth = await storedWorld(database.url)
  const state = (await findDataset(database.db, 'live'))!
  // A change of a company requires a rebuild in another thread. Until then searches use the previous index.
  await expect.poll(async () => (await backend.status('live', state)).version, { timeout: 30_000 }).toBe(state.version)
  await fc.assert(
    fc.asyncProperty(personFiltersArb, fc.integer({ min: 1, max: 3 }), async (written, page) => {
      const filters = JSON.parse(JSON.stringify(written)) as typeof written
      const slice = (numbers: number[]) => ({
        numbers: numbers.slice((page - 1) * 25, page * 25),
        totalCount: numbers.length,
      })
      const people = await backend.search('live', state, { kind: 'people', filters, page })
      expect(people).toEqual({ ...slice(naivePeople(truth, filters)), version: state.version })
      const companies = await backend.search('live', state, { kind: 'companies', filters, page })
      expect(companies).toEqual({ ...slice(naiveCompanies(truth, filters)), version: state.version })
    }),
    { numRuns: 120, seed },
  )
}

describe.each(['local, rebuilt', 'local, delta', 'OpenSearch'])('the backend %s', (name) => {
  test('returns the same for any filters as reading every row', () => agree(backends[name]!, 1), 300_000)
})

describe.each(['local, rebuilt', 'local, delta', 'OpenSearch'])('after changes the backend %s', (name) => {
  beforeAll(async () => {
    // Changes people and companies, with unchanged people among them, adds people and erases some. Runs once for all backends.
    if ((await findDataset(database.db, 'live'))!.version > 1) return
    await storePeople(database, { seed: 2, from: 200, to: 380 })
    await erasePeopleFromFinder(database.db, 'live', ['p3', 'p5', 'p250'])
  })

  test("has the store's changes", () => agree(backends[name]!, 2), 300_000)

  test('gives the same suggestions and counts', async () => {
    const state = (await findDataset(database.db, 'live'))!
    const { people, companies } = await backends[name]!.status('live', state)
    const truth = await storedWorld(database.url)
    if (name !== 'local, delta') expect({ people, companies }).toEqual({ people: truth.people.length, companies: 25 })
    for (const field of ['industry', 'technology', 'jobTitle', 'location', 'companyName'] as const) {
      for (const query of ['', 's', 'ber', 'new y', 'acme', 'nobody']) {
        const question = { field, query, limit: 20 }
        const found = await backends[name]!.suggest('live', state, question)
        expect(found, `${field} ${query}`).toEqual(await backends['local, rebuilt']!.suggest('live', state, question))
      }
    }
  })
})
