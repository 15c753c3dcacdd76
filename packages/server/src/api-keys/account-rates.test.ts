import { hash } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { createTestApp } from '@overture/testing/app.ts'
import { createTestDatabase, type TestDatabase } from '@overture/testing/database.ts'
import { startTestServer } from '@overture/testing/server.ts'
import type { Verdict } from '../platform/http/admission.ts'
import { formatKey } from './api-key.ts'
import { createMemoryAdmission, createPostgresAdmission } from './index.ts'

// Each test sends thousands of requests.
vi.setConfig({ testTimeout: 300_000 })

const keysMax = 6
const startMs = Date.UTC(2026, 3, 10, 12)
const traceCount = 50

interface Trace {
  maxApiKeys: number
  keys: string[]
  rates: { perMinute: number; perSecond: number }
  steps: { key: number; gapMs: number }[]
}

/**
 * Stores all requests: a window per key, in which every request counts, and one of the account for requests that the key's
 * window admits.
 */
class Oracle {
  readonly #keys: number[][] = Array.from({ length: keysMax }, () => [])
  readonly #account: number[] = []
  readonly #rates: Trace['rates']
  readonly #keysMax: number

  constructor({ rates, maxApiKeys }: Trace) {
    this.#rates = rates
    this.#keysMax = maxApiKeys
  }

  admit(key: number, atMs: number) {
    const own = this.#keys[key]!
    const letsPass = this.#passes(own, 1, atMs)
    const admitted = letsPass && this.#passes(this.#account, this.#keysMax, atMs)
    own.push(atMs)
    if (letsPass) this.#account.push(atMs)
    const { perMinute } = this.#rates
    const left = Math.min(
      perMinute - count(own, atMs, 60_000),
      this.#keysMax * perMinute - count(this.#account, atMs, 60_000),
    )
    if (admitted) return { outcome: 'admitted', remaining: Math.max(0, left) }
    const passesAt = (ms: number) =>
      this.#passes(own, 1, ms) && (!letsPass || this.#passes(this.#account, this.#keysMax, ms))
    let seconds = 1
    while (!passesAt(atMs + seconds * 1000)) seconds++
    return { outcome: 'limited', remaining: 0, retryAfterSeconds: seconds }
  }

  #passes(times: number[], share: number, atMs: number): boolean {
    const { perMinute, perSecond } = this.#rates
    return count(times, atMs, 60_000) < share * perMinute && count(times, atMs, 1_000) < share * perSecond
  }
}

function count(times: number[], atMs: number, windowMs: number): number {
  return times.filter((time) => time > atMs - windowMs).length
}

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

describe.each(['memory', 'the database'])('an account with several keys, counted in %s', (where) => {
  test('gets the rate of its allowed number of keys, like a log of all requests', async () => {
    for (const [index, trace] of (await makeTraces(where)).entries()) {
      const { admit, stop } = admissionIn(where)
      const oracle = new Oracle(trace)
      let nowMs = startMs
      for (const [step, { key, gapMs }] of trace.steps.entries()) {
        nowMs += gapMs
        const verdict = await admit(trace.keys[key]!, nowMs)
        expect(told(verdict), `trace ${index} step ${step} ${JSON.stringify(trace)}`).toEqual(oracle.admit(key, nowMs))
      }
      await stop()
    }
  })
})

test('counts in memory continue in the database, and back', async () => {
  for (const trace of await makeTraces('both')) {
    const oracle = new Oracle(trace)
    let nowMs = startMs
    const third = Math.ceil(trace.steps.length / 3)
    for (const [turn, where] of ['memory', 'the database', 'memory'].entries()) {
      const { admit, stop } = admissionIn(where)
      for (const { key, gapMs } of trace.steps.slice(turn * third, (turn + 1) * third)) {
        nowMs += gapMs
        expect(told(await admit(trace.keys[key]!, nowMs))).toEqual(oracle.admit(key, nowMs))
      }
      await stop()
    }
  }
})

test.each(['all', 'api'] as const)(
  'thirty keys get the rate of the three that are allowed, over HTTP (role %s)',
  async (role) => {
    const server = await startTestServer({
      role,
      limits: { requestsPerMinute: 4, burstPerSecond: 1_000, maxApiKeys: 1_000 },
    })
    const keys = await Promise.all(Array.from({ length: 30 }, () => server.newKey({ scopes: ['read'] })))
    await server.setLimits({ maxApiKeys: 3 })
    const answers = []
    for (const { key } of keys) answers.push(await server.call('GET', '/v2/account', { key }))
    const passed = answers.filter(({ status }) => status === 200)
    expect([passed.length, new Set(answers.map(({ status }) => status))]).toEqual([12, new Set([200, 429])])
    for (const { headers } of answers) expect(headers.get('x-ratelimit-limit')).toBe('4')
    expect(passed.map(({ headers }) => Number(headers.get('x-ratelimit-remaining'))).slice(-4)).toEqual([3, 2, 1, 0])
    const refused = answers.at(-1)!
    expect(refused.body.error.code).toBe('RATE_LIMIT_EXCEEDED')
    expect(refused.headers.get('x-ratelimit-remaining')).toBe('0')
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    const { other } = server
    expect((await server.call('GET', '/v2/account', { key: other.keys.live })).status).toBe(200)
    await server.stop()
  },
)

function admissionIn(where: string) {
  let nowMs = startMs
  const now = () => new Date(nowMs)
  const app = createTestApp(database, { clock: { now } })
  const admission = where === 'memory' ? createMemoryAdmission(app) : createPostgresAdmission(app, now)
  const admit = async (key: string, atMs: number) => {
    nowMs = atMs
    return admission.admit(`Bearer ${key}`)
  }
  return { admit, stop: () => admission.stop() }
}

function told(verdict: Verdict): object {
  if (verdict.outcome === 'unknown_key' || verdict.outcome === 'unknown_session') return verdict
  const { outcome, remaining } = verdict
  return { outcome, remaining, ...(outcome === 'limited' && { retryAfterSeconds: verdict.retryAfterSeconds }) }
}

let made = 0

async function makeTraces(name: string): Promise<Trace[]> {
  const gapMs = fc.oneof(
    { weight: 5, arbitrary: fc.constantFrom(0, 1, 250, 999, 1000, 1001) },
    { weight: 1, arbitrary: fc.constantFrom(20_000, 59_999, 60_000) },
    { weight: 2, arbitrary: fc.integer({ min: 0, max: 5_000 }) },
  )
  const trace = fc.record({
    maxApiKeys: fc.integer({ min: 1, max: keysMax }),
    rates: fc.record({ perMinute: fc.integer({ min: 1, max: 5 }), perSecond: fc.integer({ min: 1, max: 3 }) }),
    steps: fc.array(fc.record({ key: fc.nat(keysMax - 1), gapMs }), { minLength: 24, maxLength: 40 }),
  })
  const traces: Trace[] = []
  for (const { rates, maxApiKeys, steps } of fc.sample(trace, traceCount)) {
    const accountId = `acc_${name.replace(' ', '')}${++made}`
    await database.db.execute(
      `insert into accounts (account_id, name, plan, created_at, requests_per_minute, burst_per_second, max_api_keys)
       values ($1, 'Example', 'self_hosted', now(), $2, $3, $4)`,
      [accountId, rates.perMinute, rates.perSecond, maxApiKeys],
    )
    const keys = Array.from({ length: keysMax }, (_, key) => formatKey('live', `${made}K${key}`.padStart(24, 'A')))
    await database.db.execute(
      `insert into api_keys (account_id, id, environment, name, prefix, digest, scopes, created_at)
       select $1, 'key_' || row_number() over (), 'live', 'k', 'ovt', d, '{read}', now() from unnest($2::bytea[]) d`,
      [accountId, keys.map((key) => hash('sha256', key, 'buffer'))],
    )
    traces.push({ keys, maxApiKeys, rates, steps })
  }
  return traces
}
