import { fork, type ChildProcess } from 'node:child_process'
import { hash } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { builtProgram } from '@overture/testing/programs/program.ts'
import { defaultLimits } from '@overture/contract/accounts/account.ts'
import type { Admission, Verdict } from '../platform/http/admission.ts'
import { createTestApp } from '@overture/testing/app.ts'
import { createTestDatabase, type TestDatabase } from '@overture/testing/database.ts'
import { formatKey } from './api-key.ts'
import { createMemoryAdmission } from './index.ts'

// Each test sends thousands of requests.
vi.setConfig({ testTimeout: 300_000 })

const traceCount = 600
const stepsPerTrace = 12
const startMs = Date.UTC(2026, 0, 31, 23, 58, 0)

interface Trace {
  accountId: string
  authorization: string
  limits: { perMinute: number; perSecond: number; perMonth: number; apiAccess: boolean }
  gapsMs: number[]
}

/** Stores all requests and applies the contract literally. */
class Oracle {
  readonly #times: number[] = []
  readonly #months = new Map<string, number>()

  usedIn(atMs: number): number {
    return this.#months.get(new Date(atMs).toISOString().slice(0, 7)) ?? 0
  }

  admit(
    atMs: number,
    limits: Trace['limits'],
  ): Pick<Verdict, 'outcome'> & { remaining: number; retryAfterSeconds?: number } {
    const count = (at: number, windowMs: number) => this.#times.filter((time) => time > at - windowMs).length
    const passes = (at: number) => count(at, 60_000) < limits.perMinute && count(at, 1_000) < limits.perSecond
    const admitted = passes(atMs)
    this.#times.push(atMs)
    const remaining = Math.max(0, limits.perMinute - count(atMs, 60_000))
    if (!limits.apiAccess) return { outcome: 'access_disabled', remaining: admitted ? remaining : 0 }
    if (!admitted) {
      let seconds = 1
      while (!passes(atMs + seconds * 1000)) seconds++
      return { outcome: 'limited', remaining: 0, retryAfterSeconds: seconds }
    }
    const month = new Date(atMs).toISOString().slice(0, 7)
    const used = this.#months.get(month) ?? 0
    if (used >= limits.perMonth) return { outcome: 'over_quota', remaining }
    this.#months.set(month, used + 1)
    return { outcome: 'admitted', remaining }
  }
}

let database: TestDatabase
let nodes: Node[]

beforeAll(async () => {
  database = await createTestDatabase()
  nodes = await Promise.all([startNode(database.url), startNode(database.url)])
})
afterAll(async () => {
  for (const node of nodes) node.stop()
  await database.drop()
})

describe('two API nodes with one database', () => {
  test(`agree with the oracle in every step of ${traceCount} traces`, async () => {
    const traces = await makeTraces(traceCount)
    await inParallel(traces, 40, async (trace, index) => {
      const oracle = new Oracle()
      let now = startMs
      for (const [step, gap] of trace.gapsMs.entries()) {
        now += gap
        const node = nodes[(index + step * 7 + (gap % 3)) % 2]!
        const verdict = await node.admit(trace.authorization, now)
        expect(told(verdict), `trace ${index} step ${step} ${JSON.stringify(trace)}`).toEqual(
          oracle.admit(now, trace.limits),
        )
      }
    })
  })

  test('never admit more than the limits, with many requests at once', async () => {
    const [minute] = await makeTraces(1, { perMinute: 60, perSecond: 1000, perMonth: 1000, apiAccess: true })
    const [month] = await makeTraces(1, { perMinute: 1000, perSecond: 1000, perMonth: 100, apiAccess: true })
    const ask = async (trace: Trace, count: number) => {
      const verdicts = await Promise.all(
        Array.from({ length: count }, (_, index) => nodes[index % 2]!.admit(trace.authorization, null)),
      )
      return verdicts.filter((verdict) => verdict.outcome === 'admitted').length
    }
    expect(await ask(minute!, 200)).toBe(60)
    expect(await ask(month!, 200)).toBe(100)
  })
})

describe('an account without own limits', () => {
  const { requestsPerMinute: perMinute, burstPerSecond: perSecond, monthlyRequests: perMonth } = defaultLimits
  const gapsMs = [...Array.from({ length: perSecond + 2 }, () => 0), ...Array.from({ length: perMinute }, () => 900)]

  test.each(['the database', 'memory'])('has the limits of the contract in %s', async (where) => {
    const [trace] = await makeTraces(1, { perMinute, perSecond, perMonth, apiAccess: true })
    await database.db.execute(
      `update accounts set requests_per_minute = null, burst_per_second = null, monthly_requests = null
       where account_id = $1`,
      [trace!.accountId],
    )
    // Starts hours before the end of the month.
    let now = startMs - 6 * 3_600_000
    const memory = createMemoryAdmission(createTestApp(database, { clock: { now: () => new Date(now) } }))
    const admit = () =>
      where === 'memory' ? memory.admit(trace!.authorization) : nodes[0]!.admit(trace!.authorization, now)
    const oracle = new Oracle()
    for (const gap of gapsMs) {
      now += gap
      expect(told(await admit())).toEqual(oracle.admit(now, trace!.limits))
    }
    const used = oracle.usedIn(now)
    await memory.stop()
    await database.db.execute('update monthly_usage set requests = requests + $2 where account_id = $1', [
      trace!.accountId,
      perMonth - used - 1,
    ])
    now += 3_600_000
    const fresh = createMemoryAdmission(createTestApp(database, { clock: { now: () => new Date(now) } }))
    const last = () =>
      where === 'memory' ? fresh.admit(trace!.authorization) : nodes[0]!.admit(trace!.authorization, now)
    expect([(await last()).outcome, (await last()).outcome]).toEqual(['admitted', 'over_quota'])
    await fresh.stop()
  })
})

describe('one node in memory', () => {
  test('agrees with the oracle in every step', async () => {
    let now = startMs
    const admission = createMemoryAdmission(createTestApp(database, { clock: { now: () => new Date(now) } }))
    for (const [index, trace] of (await makeTraces(200)).entries()) {
      const oracle = new Oracle()
      // Time only increases, and every trace crosses the end of a month.
      now = Date.UTC(2026, 1 + index, 1) - 120_000
      for (const [step, gap] of trace.gapsMs.entries()) {
        now += gap
        const verdict = await admission.admit(trace.authorization)
        expect(told(verdict), `trace ${index} step ${step} ${JSON.stringify(trace)}`).toEqual(
          oracle.admit(now, trace.limits),
        )
      }
    }
    await admission.stop()
  })

  test("counts requests that arrive while a key's windows are loaded", async () => {
    const [trace] = await makeTraces(1, { perMinute: 5, perSecond: 5, perMonth: 500, apiAccess: true })
    let now = startMs
    const app = createTestApp(database, { clock: { now: () => new Date(now) } })
    // Longer than the time between two housekeeping runs.
    const slowly = async (...asked: Parameters<typeof app.db.query>) => {
      if (asked[0].includes('rate_windows')) await new Promise((resolve) => setTimeout(resolve, 600))
      return app.db.query(...asked)
    }
    const db = new Proxy(app.db, { get: (of, name) => (name === 'query' ? slowly : Reflect.get(of, name)) })
    const admission = createMemoryAdmission({ ...app, db })
    const oracle = new Oracle()
    for (const gap of [0, 1, 2_000, 2_000, 2_000, 2_000]) {
      now += gap
      expect(told(await admission.admit(trace!.authorization))).toEqual(oracle.admit(now, trace!.limits))
    }
    await admission.stop()
  })

  test('counts every request once, returns its reserve, and keeps the quota exactly', async () => {
    const [trace] = await makeTraces(1, { perMinute: 100_000, perSecond: 100_000, perMonth: 500, apiAccess: true })
    const app = createTestApp(database)
    const first = createMemoryAdmission(app)
    for (let asked = 1; asked <= 120; asked++) {
      await first.admit(trace!.authorization)
      expect(await first.usage(trace!.accountId)).toBe(asked)
    }
    await first.stop()
    expect(await usedRequests(trace!.accountId)).toBe(120)
    const second = createMemoryAdmission(app)
    expect(await admitted(second, trace!, 600)).toBe(380)
    await second.stop()
    expect(await usedRequests(trace!.accountId)).toBe(500)
  })

  test('stores its counts of every account when it stops, a few accounts at once', async () => {
    const traces = await makeTraces(30, { perMinute: 5, perSecond: 5, perMonth: 500, apiAccess: true })
    const now = () => new Date(startMs)
    const app = createTestApp(database, { clock: { now } })
    let running = 0
    let most = 0
    const counted = async (...asked: Parameters<typeof app.db.execute>) => {
      if (!asked[0].includes('rate_windows')) return app.db.execute(...asked)
      most = Math.max(most, ++running)
      return app.db.execute(...asked).finally(() => running--)
    }
    const db = new Proxy(app.db, { get: (of, name) => (name === 'execute' ? counted : Reflect.get(of, name)) })
    const first = createMemoryAdmission({ ...app, db })
    for (const { authorization } of traces) expect(await first.admit(authorization)).toMatchObject({ remaining: 4 })
    await first.stop()
    expect(most).toBe(8)
    const second = createMemoryAdmission(app)
    for (const { authorization } of traces) expect(await second.admit(authorization)).toMatchObject({ remaining: 3 })
    await second.stop()
  })

  test('several nodes in memory never exceed the quota together', async () => {
    const [trace] = await makeTraces(1, { perMinute: 100_000, perSecond: 100_000, perMonth: 300, apiAccess: true })
    const app = createTestApp(database)
    const several = [1, 2, 3].map(() => createMemoryAdmission(app))
    const counts = await Promise.all(several.map((one) => admitted(one, trace!, 250)))
    expect(counts.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(300)
    for (const one of several) await one.stop()
    expect(await usedRequests(trace!.accountId)).toBe(counts.reduce((sum, count) => sum + count, 0))
  })

  test('a changed limit, disabled access and a revoked key take effect within a second', async () => {
    const [trace] = await makeTraces(1, { perMinute: 1000, perSecond: 1000, perMonth: 1000, apiAccess: true })
    const admission = createMemoryAdmission(createTestApp(database))
    const outcome = async () => (await admission.admit(trace!.authorization)).outcome
    expect(await outcome()).toBe('admitted')
    const changes = [
      ['update accounts set monthly_requests = 1 where account_id = $1', 'over_quota'],
      ['update accounts set api_access_enabled = false where account_id = $1', 'access_disabled'],
      ['update api_keys set revoked_at = now() where account_id = $1', 'unknown_key'],
    ] as const
    for (const [statement, expected] of changes) {
      await database.db.execute(statement, [trace!.accountId])
      await expect.poll(outcome, { timeout: 1000, interval: 50 }).toBe(expected)
    }
    await admission.stop()
  })
})

test('a limiter without its store throws and never admits', async () => {
  const [trace] = await makeTraces(1, { perMinute: 10, perSecond: 10, perMonth: 10, apiAccess: true })
  const broken = { ...database.db, query: () => Promise.reject(new Error('unreachable')) }
  const admission = createMemoryAdmission({ ...createTestApp(database), db: broken })
  await expect(Promise.resolve(admission.admit(trace!.authorization))).rejects.toThrow('unreachable')
  await admission.stop()
})

function told(verdict: Verdict): object {
  if (verdict.outcome === 'unknown_key' || verdict.outcome === 'unknown_session') return { outcome: verdict.outcome }
  return {
    outcome: verdict.outcome,
    remaining: verdict.remaining,
    ...(verdict.outcome === 'limited' && { retryAfterSeconds: verdict.retryAfterSeconds }),
  }
}

async function admitted(admission: Admission, trace: Trace, count: number): Promise<number> {
  const verdicts = await Promise.all(
    Array.from({ length: count }, async () => (await admission.admit(trace.authorization)).outcome),
  )
  return verdicts.filter((outcome) => outcome === 'admitted').length
}

async function usedRequests(accountId: string): Promise<number> {
  const rows = await database.db.query<{ sum: number }>(
    'select sum(requests)::int as sum from monthly_usage where account_id = $1',
    [accountId],
  )
  return rows[0]?.sum ?? 0
}

let made = 0

/** Makes accounts with one key each, all at once. */
async function makeTraces(count: number, fixed?: Trace['limits']): Promise<Trace[]> {
  const gap = fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(0, 1, 300, 999, 1000, 1001, 30_000, 59_999, 60_000, 60_001) },
    { weight: 2, arbitrary: fc.integer({ min: 0, max: 2_000 }) },
    { weight: 1, arbitrary: fc.integer({ min: 0, max: 90_000 }) },
  )
  const arbitrary = fc.record({
    limits: fc.record({
      perMinute: fc.integer({ min: 1, max: 8 }),
      perSecond: fc.integer({ min: 1, max: 5 }),
      perMonth: fc.integer({ min: 0, max: 9 }),
      apiAccess: fc.integer({ min: 0, max: 9 }).map((dice) => dice > 0),
    }),
    gapsMs: fc.array(gap, { minLength: stepsPerTrace, maxLength: stepsPerTrace }),
  })
  const traces = fc.sample(arbitrary, count).map((one): Trace => {
    const random = `T${String(++made).padStart(23, '0')}`
    return {
      accountId: `acc_${random}`,
      authorization: `Bearer ${formatKey('live', random)}`,
      limits: fixed ?? one.limits,
      gapsMs: one.gapsMs,
    }
  })
  const column = <Value>(read: (trace: Trace) => Value): Value[] => traces.map(read)
  await database.db.execute(
    `insert into accounts (account_id, name, plan, created_at, requests_per_minute, burst_per_second, monthly_requests,
       api_access_enabled)
     select id, 'Example', 'self_hosted', now(), a, b, c, d
     from unnest($1::text[], $2::int[], $3::int[], $4::int[], $5::boolean[]) as t(id, a, b, c, d)`,
    [
      column((trace) => trace.accountId),
      column((trace) => trace.limits.perMinute),
      column((trace) => trace.limits.perSecond),
      column((trace) => trace.limits.perMonth),
      column((trace) => trace.limits.apiAccess),
    ],
  )
  await database.db.execute(
    `insert into api_keys (account_id, id, environment, name, prefix, digest, scopes, created_at)
     select id, 'key_1', 'live', 'k', 'ovt', digest, '{read}', now() from unnest($1::text[], $2::bytea[]) as t(id, digest)`,
    [
      column((trace) => trace.accountId),
      column((trace) => hash('sha256', trace.authorization.slice('Bearer '.length), 'buffer')),
    ],
  )
  return traces
}

interface Node {
  admit(authorization: string, nowMs: number | null): Promise<Verdict>
  stop(): void
}

async function startNode(url: string): Promise<Node> {
  const file = await builtProgram(new URL('../../../testing/src/admission-node.ts', import.meta.url))
  const child: ChildProcess = fork(file, [url], { execArgv: [] })
  const waiting = new Map<number, { resolve(verdict: Verdict): void; reject(error: Error): void }>()
  let asked = 0
  await new Promise<void>((resolve, reject) => {
    child.once('message', () => resolve())
    child.once('exit', (code) => reject(new Error(`the node ended with ${code}`)))
  })
  child.on('message', (message: { id: number; verdict?: Verdict; error?: string }) => {
    const waiter = waiting.get(message.id)
    waiting.delete(message.id)
    if (message.verdict !== undefined) waiter?.resolve(message.verdict)
    else waiter?.reject(new Error(message.error))
  })
  return {
    admit(authorization, nowMs) {
      const id = ++asked
      return new Promise((resolve, reject) => {
        waiting.set(id, { resolve, reject })
        child.send({ id, authorization, nowMs })
      })
    },
    stop: () => child.disconnect(),
  }
}

async function inParallel<Item>(items: Item[], width: number, run: (item: Item, index: number) => Promise<void>) {
  let next = 0
  const worker = async () => {
    while (next < items.length) {
      const index = next++
      await run(items[index]!, index)
    }
  }
  await Promise.all(Array.from({ length: width }, worker))
}
