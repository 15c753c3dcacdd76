import fc from 'fast-check'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createLogger } from '../platform/log.shell.ts'
import { startTestServer } from '@overture/testing/server.ts'
import { createTestDatabase, type TestDatabase } from '@overture/testing/database.ts'
import { findDataset } from './store/finder-store.sql.ts'
import { createLeadFinder, leadFinderRoutes, type LeadFinder } from './index.ts'
import type { IndexBackend } from './search-index/index-backend.ts'
import { IndexClient } from './search-index/search-thread.client.ts'
import { withSource } from './store/index-source.sql.ts'
import { naiveCompanies, naivePeople, type World } from '@overture/testing/lead-finder/naive-search.ts'
import { OpenSearchIndex } from './cluster/open-search-index.shell.ts'
import type { CompanyRecord, PersonRecord } from './records/records.ts'
import { erasePeopleFromFinder, storeBatch } from './store/store.commands.ts'
import { OpenSearchStub } from '@overture/testing/lead-finder/open-search-stub.server.ts'
import { companyArb, personArb, personFiltersArb } from '@overture/testing/lead-finder/worlds.ts'

let database: TestDatabase
let folder: string
const stub = new OpenSearchStub()
const backends: Record<string, IndexBackend> = {}
let url: string
const log = createLogger('silent')

beforeAll(async () => {
  database = await createTestDatabase()
  folder = await mkdtemp(join(tmpdir(), 'backends-'))
  url = await stub.start()
  const { url: databaseUrl } = database
  const rebuilt = { databaseUrl, folder: join(folder, 'rebuilt'), rebuildPeopleMax: 100_000, deltaPeopleMax: 1000 }
  backends['local, rebuilt'] = new IndexClient(rebuilt)
  backends['local, delta'] = new IndexClient({ ...rebuilt, folder: join(folder, 'delta'), rebuildPeopleMax: 0 })
  backends['OpenSearch'] = cluster({})
  await store(seeded(1), 0, 300)
})

afterAll(async () => {
  for (const backend of Object.values(backends)) await backend.stop()
  await stub.stop()
  await database.drop()
  await rm(folder, { recursive: true })
})

function cluster(change: { timeoutMs?: number; prefix?: string }): OpenSearchIndex {
  const options = { url, username: 'admin', password: 'secret', prefix: 'test', shards: 1, timeoutMs: 5000 }
  return new OpenSearchIndex({ ...options, databaseUrl: database.url, log, ...change })
}

/** Companies and people of one seed, as a file would bring them. */
function seeded(seed: number) {
  const [companies] = fc.sample(fc.array(companyArb, { minLength: 25, maxLength: 25 }), { seed, numRuns: 1 })
  const [people] = fc.sample(fc.array(personArb, { minLength: 400, maxLength: 400 }), { seed, numRuns: 1 })
  return { companies: companies!, people: people! }
}

async function store(rows: ReturnType<typeof seeded>, from: number, to: number): Promise<void> {
  const day = (value: number | null) =>
    value === null ? null : new Date(value * 86_400_000).toISOString().slice(0, 10)
  const companies = rows.companies.map((company, index) => ({
    id: `c${index}`,
    website: null,
    logoUrl: null,
    linkedinUrl: null,
    founded: null,
    type: null,
    ...company.place,
    ...company,
    employeeCount: company.employees,
    fundingStage: company.funding,
  })) as unknown as CompanyRecord[]
  const people = rows.people.slice(from, to).map((person, index) => ({
    id: `p${from + index}`,
    firstName: 'Ada',
    lastName: 'Example',
    linkedinUrl: null,
    email: null,
    mobile: null,
    ...person.place,
    ...person,
    jobTitle: person.title,
    companyId: person.company < 0 ? null : `c${person.company}`,
    yearsExperience: person.years,
    roleStarted: day(person.roleDay),
    companyStarted: day(person.companyDay),
  })) as unknown as PersonRecord[]
  await database.db.transaction((tx) => storeBatch(tx, 'live', { people, companies }))
}

/** What is in the store, read as rows. */
async function world(): Promise<World> {
  return withSource(database.url, async (source) => {
    const numbers = new Map<string, number>()
    const found: World = { companies: [], people: [] }
    await source.eachCompany('live', -1, (company) => {
      numbers.set(company.id, company.number)
      found.companies.push(company)
    })
    await source.eachPerson('live', -1, (person) => {
      const companyNumber = numbers.get(person.companyId ?? '') ?? null
      if (!person.erased) found.people.push({ ...person, companyNumber })
    })
    return found
  })
}

async function agree(backend: IndexBackend, seed: number): Promise<void> {
  const truth = await world()
  const state = (await findDataset(database.db, 'live'))!
  // A change of a company is folded in by a rebuild in another thread; until then the index before answers.
  await expect.poll(async () => (await backend.status('live', state)).version, { timeout: 30_000 }).toBe(state.version)
  await fc.assert(
    fc.asyncProperty(personFiltersArb, fc.integer({ min: 1, max: 3 }), async (written, page) => {
      const filters = JSON.parse(JSON.stringify(written)) as typeof written
      const slice = (numbers: number[]) => ({
        numbers: numbers.slice((page - 1) * 25, page * 25),
        totalCount: numbers.length,
      })
      const people = await backend.search('live', state, { kind: 'people', filters, page })
      expect(people).toEqual(slice(naivePeople(truth, filters)))
      const companies = await backend.search('live', state, { kind: 'companies', filters, page })
      expect(companies).toEqual(slice(naiveCompanies(truth, filters)))
    }),
    { numRuns: 120, seed },
  )
}

describe.each(['local, rebuilt', 'local, delta', 'OpenSearch'])('the backend %s', (name) => {
  test('answers any combination of filters as a look at every row does', () => agree(backends[name]!, 1), 60_000)
})

describe.each(['local, rebuilt', 'local, delta', 'OpenSearch'])('after changes the backend %s', (name) => {
  beforeAll(async () => {
    // Changed people, changed companies with people who did not change, new people, erased ones. Once for all backends.
    if ((await findDataset(database.db, 'live'))!.version > 1) return
    await store(seeded(2), 200, 380)
    await erasePeopleFromFinder(database.db, 'live', ['p3', 'p5', 'p250'])
  })

  test('has followed the store', () => agree(backends[name]!, 2), 60_000)

  test('suggests and counts alike', async () => {
    const state = (await findDataset(database.db, 'live'))!
    const { people, companies } = await backends[name]!.status('live', state)
    const truth = await world()
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

describe('a search cluster', () => {
  const request = { kind: 'people', filters: {}, page: 1 } as const
  const state = async () => (await findDataset(database.db, 'live'))!

  test('is told who asks, and answers as deep as page 1000', async () => {
    const index = cluster({})
    expect((await index.search('live', await state(), { ...request, page: 1000 })).numbers).toEqual([])
    expect(stub.calls.at(-1)!.authorization).toBe(`Basic ${Buffer.from('admin:secret').toString('base64')}`)
  })

  test('is made anew when it holds another store, and keeps what another server has written', async () => {
    const name = 'test-live-people'
    const before = stub.indices.get(name)!
    stub.indices.get(name)!.definition.mappings._meta = { generation: 'other', version: 900 }
    const index = cluster({})
    expect((await index.search('live', await state(), request)).totalCount).toBe((await world()).people.length)
    expect(stub.indices.get(name)).not.toBe(before)
    const made = stub.indices.get(name)
    const [, other] = [stub.calls.splice(0), cluster({})]
    await other.search('live', await state(), request)
    expect(stub.indices.get(name)).toBe(made)
    expect(stub.calls.map(({ path }) => path)).not.toContain('/_bulk')
  })

  test.each([
    ['an error', { status: 500, body: {} }],
    ['a refusal of the login', { status: 401, body: {} }],
    ['too much to do', { status: 429, body: {} }],
    [
      'an answer of some shards',
      {
        status: 200,
        body: { timed_out: false, _shards: { failed: 1 }, hits: { total: { value: 3, relation: 'eq' }, hits: [] } },
      },
    ],
    [
      'a count that is only a bound',
      {
        status: 200,
        body: {
          timed_out: false,
          _shards: { failed: 0 },
          hits: { total: { value: 10_000, relation: 'gte' }, hits: [] },
        },
      },
    ],
    ['no answer in time', 'hang' as const],
  ])('is 503 on %s, and answers again afterwards', async (_, answer) => {
    const index = cluster({ timeoutMs: 500 })
    await index.search('live', await state(), request)
    stub.fail = ({ path }) => (path.endsWith('/_search') ? answer : undefined)
    await expect(index.search('live', await state(), request)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
    stub.fail = () => undefined
    expect((await index.search('live', await state(), request)).totalCount).toBeGreaterThan(0)
  })

  test('is 503 while a write fails, and whole once it does not', async () => {
    const index = cluster({ prefix: 'fresh' })
    stub.fail = ({ path }) =>
      path === '/_bulk' ? { status: 200, body: { errors: true, items: [{ index: { status: 429 } }] } } : undefined
    await expect(index.search('live', await state(), request)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
    stub.fail = () => undefined
    expect((await index.search('live', await state(), request)).totalCount).toBe((await world()).people.length)
  })

  test.each([
    ['red', 503],
    ['', 503],
    ['yellow', 200],
    ['green', 200],
  ])('whose worse index is "%s" answers its status as %i', async (colour, status) => {
    const index = cluster({})
    const both = '/_cluster/health/test-live-people,test-live-companies'
    stub.fail = ({ path }) => (path === both ? { status: 200, body: { status: colour } } : undefined)
    const asked = index.status('live', await state())
    if (status === 503) await expect(asked).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
    else expect((await asked).people).toBe((await world()).people.length)
    expect(stub.calls.map(({ path }) => path)).toContain(both)
    stub.fail = () => undefined
    stub.calls.splice(0)
  })

  test('serves the published search by configuration, and costs nothing while it is down', async () => {
    let finder: LeadFinder | undefined
    const server = await startTestServer({
      database,
      environment: { OVERTURE_FINDER_OPENSEARCH_URL: `${url}/`, OVERTURE_FINDER_OPENSEARCH_PREFIX: 'product' },
      routes: ({ app }) =>
        leadFinderRoutes((finder = createLeadFinder({ app, databaseUrl: database.url, dataFolder: folder }))),
    })
    const ask = (body: object) =>
      server.call('POST', '/v2/campaigns/lead-finder/search', { key: server.keys.live, body })
    const found = await ask({ seniority: ['vp'] })
    const isVp = (person: { seniority: string | null }) => person.seniority === 'vp'
    const { people } = await world()
    expect(found.body.pagination.totalCount).toBe(people.filter(isVp).length)
    expect(found.body.results).toHaveLength(25)
    expect(stub.calls.map(({ path }) => path)).toContain('/product-live-people/_search')
    stub.fail = () => ({ status: 500, body: {} })
    const balance = found.headers.get('x-credits-remaining')
    expect((await ask({ seniority: ['director'] })).status).toBe(503)
    stub.fail = () => undefined
    expect((await ask({ seniority: ['vp'] })).headers.get('x-credits-remaining')).toBe(balance)
    await finder!.stop()
  })
})
