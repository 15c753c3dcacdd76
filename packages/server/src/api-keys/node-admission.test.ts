import { hash } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { App } from '../platform/app.ts'
import { sleep } from '../platform/clock.ts'
import type { Admission, Verdict } from '../platform/http/admission.ts'
import { createTestApp } from '@overture/testing/app.ts'
import { createTestDatabase, type TestDatabase } from '@overture/testing/database.ts'
import { formatKey } from './api-key.ts'
import { startNodeAdmission } from './index.ts'

const times = { leaseMs: 1_500, beatMs: 100 }

let database: TestDatabase
let places: string[]
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

/** A node that records where it counts. */
function startNode(mayBeSole = true, change: (app: App) => App = (app) => app): Promise<Admission> {
  const app = createTestApp(database)
  const log = Object.create(app.log) as App['log']
  log.info = ((entry: { event: string }) => places.push(entry.event)) as App['log']['info']
  return startNodeAdmission(change({ ...app, log }), { mayBeSole, times })
}

let made = 0
async function makeKey(perMinute: number): Promise<string> {
  places = []
  const random = `N${String(++made).padStart(23, '0')}`
  const key = formatKey('live', random)
  await database.db.execute(
    `insert into accounts (account_id, name, plan, created_at, requests_per_minute, burst_per_second)
     values ($1, 'Example', 'self_hosted', now(), $2, 1000000)`,
    [`acc_${random}`, perMinute],
  )
  await database.db.execute(
    `insert into api_keys (account_id, id, environment, name, prefix, digest, scopes, created_at)
     values ($1, 'key_1', 'live', 'k', 'ovt', $2, '{read}', now())`,
    [`acc_${random}`, hash('sha256', key, 'buffer')],
  )
  return `Bearer ${key}`
}

function remaining(verdict: Verdict): number | string {
  return verdict.outcome === 'admitted' ? verdict.remaining : verdict.outcome
}

test('a single node counts in memory, several in the database, and no request is lost', async () => {
  const key = await makeKey(60)
  const first = await startNode()
  expect(places).toEqual(['admission.in_memory'])
  for (let left = 59; left >= 40; left--) expect(remaining(await first.admit(key))).toBe(left)
  const second = await startNode()
  expect(places).toEqual(['admission.in_memory', 'admission.in_database'])
  for (let left = 39; left >= 20; left--) {
    expect(remaining(await (left % 2 === 0 ? first : second).admit(key))).toBe(left)
  }
  await first.stop()
  await expect.poll(() => places.length, { timeout: 5_000 }).toBe(3)
  expect(places.at(-1)).toBe('admission.in_memory')
  for (let left = 19; left >= 0; left--) expect(remaining(await second.admit(key))).toBe(left)
  expect(remaining(await second.admit(key))).toBe('limited')
  await second.stop()
  const third = await startNode()
  expect(remaining(await third.admit(key))).toBe('limited')
  await third.stop()
})

test('nodes that start and stop under load admit exactly the limit together', async () => {
  const limit = 400
  const key = await makeKey(limit)
  const nodes = [await startNode()]
  let asking = true
  let asked = 0
  const admitted: number[] = []
  const clients = Array.from({ length: 8 }, async (_, client) => {
    while (asking) {
      const verdict = await nodes[(client + asked++) % nodes.length]!.admit(key)
      if (verdict.outcome === 'admitted') admitted.push(verdict.remaining)
      await sleep(5)
    }
  })
  for (let round = 0; round < 2; round++) {
    nodes.push(await startNode(round === 0))
    const before = admitted.length
    await expect.poll(() => admitted.length, { timeout: 60_000 }).toBeGreaterThanOrEqual(Math.min(limit, before + 100))
    await nodes.shift()!.stop()
  }
  await expect.poll(() => admitted.length, { timeout: 20_000 }).toBe(limit)
  asking = false
  await Promise.all(clients)
  expect(admitted).toHaveLength(limit)
  expect(new Set(admitted).size).toBe(limit)
  expect(places.filter((place) => place === 'admission.in_database')).not.toEqual([])
  for (const node of nodes) await node.stop()
})

test('after a killed node the next one waits for its lease; role api never counts in memory', async () => {
  const key = await makeKey(10)
  const dead = '10000000-0000-0000-0000-000000000000'
  await database.db.execute(
    `insert into api_nodes (node_id, seen_at, sole_until) values ($1, now(), clock_timestamp() + interval '1 second')`,
    [dead],
  )
  const node = await startNode(false)
  const [row] = await database.db.query<{ over: boolean }>(
    'select coalesce(bool_and(sole_until <= clock_timestamp()), true) as over from api_nodes where node_id = $1',
    [dead],
  )
  expect(row?.over).toBe(true)
  expect(remaining(await node.admit(key))).toBe(9)
  expect(places).toEqual([])
  await node.stop()
})

test('a node without its database refuses after its lease, and continues when it is back', async () => {
  const key = await makeKey(10)
  let reachable = true
  const node = await startNode(true, (app) => ({
    ...app,
    db: {
      ...app.db,
      query: (...statement) => (reachable ? app.db.query(...statement) : Promise.reject(new Error('unreachable'))),
      execute: (...statement) => (reachable ? app.db.execute(...statement) : Promise.reject(new Error('unreachable'))),
      transaction: (run) => (reachable ? app.db.transaction(run) : Promise.reject(new Error('unreachable'))),
    },
  }))
  expect(remaining(await node.admit(key))).toBe(9)
  reachable = false
  const outcome = () =>
    Promise.resolve(node.admit(key)).then(
      (verdict) => verdict.outcome,
      (error: Error) => error.message,
    )
  await expect.poll(outcome, { timeout: 5_000, interval: 200 }).toBe('unreachable')
  reachable = true
  await expect.poll(outcome, { timeout: 5_000, interval: 200 }).toMatch(/admitted|limited/)
  await node.stop()
})
