import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { createDatabase, type PoolDatabase } from '@overture/server/platform/db/pool.client.ts'
import { createLogger } from '@overture/server/platform/log.shell.ts'
import { createTestDatabase, type TestDatabase } from '@overture/testing/database.ts'
import { seededWorld } from '@overture/testing/sandbox/seeded-world.ts'
import { countPlanWrites, dumpWorld, type WorldDump } from '@overture/testing/sandbox/world-dump.sql.ts'
import { startWholeServer } from '@overture/testing/server/whole-server.ts'
import { dropDatabase } from '@overture/testing/superuser.ts'
import type { TestServer } from '@overture/testing/server.ts'

// Each test plays days of whole campaigns.
vi.setConfig({ testTimeout: 300_000 })

/** `OVERTURE_CLOCK_SEEDS=1,2,3` sets other seeds. */
const seeds = (process.env.OVERTURE_CLOCK_SEEDS ?? '1,3,5,8').split(',').map(Number)

let base: TestDatabase
beforeAll(async () => {
  base = await createTestDatabase()
  await base.db.close()
})
afterAll(async () => {
  await dropDatabase(withName('postgres'), nameOf(base.url))
})

describe('moving the clock with plans in memory and in the database has the same result', () => {
  test.each(seeds)('for seed %i', async (seed) => {
    const world = await clone(base.url)
    const key = await makeWorld(world, seed)
    const wanted = await run(await clone(world), { key, plansFrom: 'database' })
    const happened = await run(await clone(world), { key, plansFrom: 'memory' })
    expect(wanted.dump.messages.length).toBeGreaterThan(30)
    expect(wanted.dump.disorder).toEqual([{ count: 0 }])
    for (const name of Object.keys(wanted.dump) as (keyof WorldDump)[])
      expect({ [name]: happened.dump[name] }).toEqual({ [name]: wanted.dump[name] })
    expect(happened.told).toEqual(wanted.told)
    // Proves that the clock planned in memory: a batch of plans writes the planning row as often as one plan from the database.
    expect(wanted.planWrites).toBeGreaterThan(90)
    expect(happened.planWrites).toBeLessThan(wanted.planWrites / 2)
    await Promise.all(clones.splice(0).map((name) => dropDatabase(withName('postgres'), name)))
  })
})

/** Creates a world through the API and returns its key. */
async function makeWorld(url: string, seed: number): Promise<string> {
  return withServer({ url, plansFrom: 'database' }, async (server) => {
    const key = server.keys.test
    const { startsAt, senders, campaigns, suppressed } = seededWorld(seed)
    const ask = asker(server, key)
    await ask('POST', '/v2/sandbox/clock', { frozen: true })
    await ask('POST', '/v2/sandbox/clock/advance', { to: startsAt })
    const senderIds: string[] = []
    for (const sender of senders) senderIds.push((await ask('POST', '/v2/sending-accounts', sender)).id)
    for (const email of suppressed) await ask('POST', '/v2/suppressions', { email })
    for (const { body, leads } of campaigns) await ask('POST', '/v2/campaigns/launch', { ...body(senderIds), leads })
    return key
  })
}

/** Runs four weeks with a few interventions. Returns the stored rows and the API's responses about them. */
async function run(url: string, { key, plansFrom }: { key: string; plansFrom: 'memory' | 'database' }) {
  const told = await withServer({ url, plansFrom }, async (server) => {
    const ask = asker(server, key)
    const answers: unknown[] = []
    const advance = async (by: string) => answers.push(await ask('POST', '/v2/sandbox/clock/advance', { by }))
    const [first] = (await ask('GET', '/v2/campaigns?limit=100')).results.toSorted(byName)
    const statusOf = async ({ id }: { id: string }) => (await ask('GET', `/v2/campaigns/${id}`)).status
    await advance('5d')
    const wasActive = (await statusOf(first)) === 'active'
    if (wasActive) await ask('POST', `/v2/campaigns/${first.id}/pause`)
    await advance('1d')
    if (wasActive) await ask('POST', `/v2/campaigns/${first.id}/resume`)
    await advance('3d')
    answers.push(await tellAbout(ask))
    await advance('19d')
    answers.push(await tellAbout(ask))
    return answers
  })
  return withDatabase(url, async (db) => ({ told, dump: await dumpWorld(db), planWrites: await countPlanWrites(db) }))
}

/** Reads forecast, statistics and the explanation of every lead. */
async function tellAbout(ask: Ask): Promise<unknown[]> {
  const answers: unknown[] = []
  for (const { id } of (await ask('GET', '/v2/campaigns?limit=100')).results.toSorted(byName)) {
    answers.push(await ask('GET', `/v2/campaigns/${id}/forecast`), await ask('GET', `/v2/campaigns/${id}/stats`))
    const leads = (await ask('GET', `/v2/campaigns/${id}/leads?limit=100`)).results
    for (const lead of leads) {
      const { history: _, ...explained } = await ask('GET', `/v2/campaigns/${id}/leads/${lead.id}/explain`)
      answers.push(explained)
    }
  }
  return answers
}

const byName = (a: { name: string }, b: { name: string }) => a.name.localeCompare(b.name)

// oxlint-disable-next-line typescript/no-explicit-any -- tests read whatever the answer holds
type Ask = (method: string, path: string, body?: unknown) => Promise<any>

function asker(server: TestServer, key: string): Ask {
  return async (method, path, body) => {
    const answer = await server.call(method, path, { key, body })
    expect([path, answer.status < 300, answer.text]).toEqual([path, true, expect.anything()])
    return answer.body
  }
}

async function withServer<Result>(
  { url, plansFrom }: { url: string; plansFrom: 'memory' | 'database' },
  run: (server: TestServer) => Promise<Result>,
): Promise<Result> {
  return withDatabase(url, async (db) => {
    const server = await startWholeServer({ database: { db, url, drop: () => Promise.resolve() }, plansFrom })
    try {
      return await run(server)
    } finally {
      await server.stop()
    }
  })
}

// PostgreSQL can't copy a database with open connections, so each query opens and closes its own connection.
async function withDatabase<Result>(url: string, run: (db: PoolDatabase) => Promise<Result>): Promise<Result> {
  const db = createDatabase({ url, log: createLogger('silent'), connectionsMax: 10 })
  try {
    return await run(db)
  } finally {
    await db.close()
  }
}

const clones: string[] = []

async function clone(url: string): Promise<string> {
  const name = `${nameOf(base.url)}_${clones.length + 1}`
  await administrate(`create database ${name} template ${nameOf(url)}`)
  clones.push(name)
  return withName(name)
}

function administrate(statement: string): Promise<unknown> {
  return withDatabase(withName('postgres'), (db) => db.execute(statement))
}

function withName(name: string): string {
  const url = new URL(base.url)
  url.pathname = `/${name}`
  return url.toString()
}

const nameOf = (url: string) => new URL(url).pathname.slice(1)
