import { mkdtemp, readdir, rm, truncate } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '@overture/testing/database.ts'
import { findDataset, findPeopleByNumber } from '../store/finder-store.sql.ts'
import { IndexClient } from './search-thread.client.ts'
import { parseRow, type CompanyRecord, type PersonRecord } from '../records/records.ts'
import { erasePeopleFromFinder, storeBatch } from '../store/store.commands.ts'

let database: TestDatabase
let folder: string
const clients: IndexClient[] = []

beforeAll(async () => {
  database = await createTestDatabase()
  folder = await mkdtemp(join(tmpdir(), 'index-'))
})
afterAll(async () => {
  for (const client of clients) await client.stop()
  await database.drop()
  await rm(folder, { recursive: true })
})

/** By default no index is small enough for a rebuild, so every change becomes a delta. */
function open(limits: { rebuildPeopleMax?: number; deltaPeopleMax?: number } = {}): IndexClient {
  const client = new IndexClient({
    databaseUrl: database.url,
    folder,
    rebuildPeopleMax: 0,
    deltaPeopleMax: 100,
    ...limits,
  })
  clients.push(client)
  return client
}

async function load(from: number, to: number, change: Record<string, unknown> = {}): Promise<void> {
  const people: PersonRecord[] = []
  const companies: CompanyRecord[] = []
  for (let index = from; index < to; index++) {
    const parsed = parseRow({
      id: `p${index}`,
      first_name: 'Ada',
      last_name: `E${index}`,
      job_title: 'engineer',
      work_email: `p${index}@c.example`,
      job_company_id: `c${index % 3}`,
      job_company_name: `Company ${index % 3}`,
      job_company_size: '11-20',
      ...change,
    })
    if (parsed.kind !== 'person') throw new Error('a bad row')
    people.push(parsed.person)
    companies.push(parsed.company!)
  }
  await database.db.transaction((tx) => storeBatch(tx, 'live', { people, companies }))
}

async function find(client: IndexClient, filters: object = {}) {
  const state = (await findDataset(database.db, 'live'))!
  const { numbers, totalCount } = await client.search('live', state, { kind: 'people', filters, page: 1 })
  const rows = await findPeopleByNumber(database.db, 'live', numbers)
  return { totalCount, names: rows.map((row) => row.lastName) }
}

describe('the index thread', () => {
  test('has new, changed and erased people and new companies at the next search', async () => {
    await load(0, 60)
    const client = open()
    expect((await find(client)).totalCount).toBe(60)
    await load(60, 63, { job_company_id: 'new', job_company_name: 'Newcomers Ltd' })
    await load(5, 6, { job_title: 'chief executive officer' })
    await erasePeopleFromFinder(database.db, 'live', ['p7', 'p8'])
    expect((await find(client)).totalCount).toBe(61)
    expect(await find(client, { title: ['ceo'] })).toEqual({ totalCount: 1, names: ['E5'] })
    expect((await find(client, { companyName: ['newcomers'] })).totalCount).toBe(3)
    expect((await find(client, { title: ['engineer'] })).totalCount).toBe(60)
    const status = await client.status('live', (await findDataset(database.db, 'live'))!)
    expect(status).toMatchObject({ people: 60, deltaPeople: 4 })
    const companies = await client.search('live', (await findDataset(database.db, 'live'))!, {
      kind: 'companies',
      filters: {},
      page: 1,
    })
    expect(companies.totalCount).toBe(4)
  })

  test('starts from its snapshot, catches up, and rebuilds a damaged snapshot', async () => {
    const again = open()
    expect((await find(again)).totalCount).toBe(61)
    expect((await again.status('live', (await findDataset(database.db, 'live'))!)).people).toBe(60)
    const [file] = await readdir(folder)
    await truncate(join(folder, file!), 50)
    const rebuilt = open()
    expect((await find(rebuilt)).totalCount).toBe(61)
    expect((await rebuilt.status('live', (await findDataset(database.db, 'live'))!)).people).toBe(61)
  })

  test('merges a large delta without refusing searches meanwhile', async () => {
    const client = open({ deltaPeopleMax: 10 })
    expect((await find(client)).totalCount).toBe(61)
    await load(100, 150)
    const state = (await findDataset(database.db, 'live'))!
    await expect.poll(async () => (await find(client)).totalCount, { timeout: 50_000 }).toBe(111)
    expect((await client.status('live', state)).people).toBe(111)
  })

  test('uses the previous index if a rebuild fails, and tries again', async () => {
    const options = { databaseUrl: database.url, folder, rebuildPeopleMax: 0, deltaPeopleMax: 10 }
    const client = new IndexClient(options)
    clients.push(client)
    expect((await find(client)).totalCount).toBe(111)
    // The rebuilding thread can't connect to its database, while the present one keeps its connection.
    options.databaseUrl = 'postgres://nobody@127.0.0.1:1/none'
    await load(200, 230)
    for (let asked = 0; asked < 3; asked++) expect((await find(client)).totalCount).toBe(111)
    options.databaseUrl = database.url
    await expect.poll(async () => (await find(client)).totalCount, { timeout: 50_000 }).toBe(141)
  })

  test('never shows an erased person again', async () => {
    await load(7, 9)
    const client = open({ rebuildPeopleMax: 1000 })
    expect((await find(client)).totalCount).toBe(141)
  })

  test('rejects waiting calls when it is stopped, and starts again at the next call', async () => {
    const client = open()
    const state = (await findDataset(database.db, 'live'))!
    const waiting = client.search('live', state, { kind: 'people', filters: {}, page: 1 })
    const outcome = expect(waiting).rejects.toThrow('stopped')
    await client.stop()
    await outcome
    expect((await find(client)).totalCount).toBe(141)
  })
})
