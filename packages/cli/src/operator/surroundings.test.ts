import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import fc from 'fast-check'
import { afterEach, expect, test } from 'vitest'
import { replicaStates } from '@overture/server/platform/replica/replica-state.ts'
import type { Check } from './checks.ts'
import { askPublicUrl } from './public-answers.ts'
import {
  checkBackup,
  checkConnections,
  checkDisk,
  checkKeyFile,
  checkPooler,
  checkPublicAnswers,
  checkReplica,
  type ConnectionFacts,
} from './surroundings.ts'

const gibibyte = 1024 ** 3
const statuses = (checks: Check | Check[]) => [checks].flat().map(({ status }) => status)

test('whatever is found, what is not well says what to do, and what is well says nothing to do', () => {
  const facts = fc.record({
    pooling: fc.boolean(),
    connections: fc.record({
      max: fc.integer({ min: 3, max: 2_000 }),
      nodes: fc.integer({ min: 1, max: 40 }),
      poolSize: fc.integer({ min: 4, max: 200 }),
    }),
    total: fc.integer({ min: 1, max: 4_000 }),
    share: fc.double({ min: 0, max: 1, noNaN: true }),
    age: fc.option(fc.integer({ min: 0, max: 400 })),
    mode: fc.integer({ min: 0, max: 0o777 }),
    version: fc.option(fc.constantFrom('1', '2')),
    open: fc.boolean(),
    state: fc.constantFrom(...replicaStates),
    isUnfit: fc.boolean(),
  })
  const now = new Date('2026-03-02T08:00:00Z')
  fc.assert(
    fc.property(facts, ({ pooling, connections, total, share, age, mode, version, open, state, isUnfit }) => {
      const checks = [
        checkPooler(pooling),
        checkConnections(connections),
        checkDisk({ free: total * share * gibibyte, total: total * gibibyte }, '/data'),
        checkBackup(age === null ? null : new Date(now.getTime() - age * 86_400_000), now),
        checkKeyFile(mode, '/data/encryption.key'),
        checkReplica({ state, isUnfit, reason: state === 'follows' ? null : 'Why.' }),
        ...checkPublicAnswers({ url: 'https://o.example.com', version, reason: null, metricsAreOpen: open }, '1'),
      ]
      for (const { status, fix } of checks) expect((fix?.length ?? 0) > 10).toBe(status !== 'ok')
    }),
  )
})

test('connections are enough exactly where every process can fill its pool, and the fix makes them so', () => {
  const facts = {
    max: fc.integer({ min: 30, max: 2_000 }),
    nodes: fc.integer({ min: 1, max: 4 }),
    poolSize: fc.integer({ min: 4, max: 500 }),
  }
  fc.assert(
    fc.property(fc.record(facts), (found: ConnectionFacts) => {
      const { status, fix } = checkConnections(found)
      expect(status).toBe(found.nodes * (found.poolSize + 2) + 1 <= found.max ? 'ok' : 'warning')
      if (fix === null) return
      expect(checkConnections({ ...found, max: Number(/max_connections to (\d+)/.exec(fix)![1]) }).status).toBe('ok')
      expect(checkConnections({ ...found, poolSize: Number(/POOL_SIZE to (\d+)/.exec(fix)![1]) }).status).toBe('ok')
    }),
  )
})

test.each([
  [{ free: 50 * gibibyte, total: 100 * gibibyte }, 'ok'],
  [{ free: 4 * gibibyte, total: 100 * gibibyte }, 'warning'],
  [{ free: 0.5 * gibibyte, total: 4 * gibibyte }, 'warning'],
  [{ free: 0.1 * gibibyte, total: 100 * gibibyte }, 'broken'],
])('a disk with %j is %s', (found, status) => expect(checkDisk(found, '/data').status).toBe(status))

test.each([
  [0o600, 'ok'],
  [0o400, 'ok'],
  [0o640, 'warning'],
  [0o604, 'warning'],
])('a key file of mode %i is %s', (mode, status) => expect(checkKeyFile(mode, 'key').status).toBe(status))

let server: Server | undefined
afterEach(() => server?.close())

async function answering(
  answer: (path: string) => { headers?: Record<string, string>; status: number; body?: string },
) {
  server = createServer((request, response) => {
    const { status, headers = {}, body = '' } = answer(request.url!)
    response.writeHead(status, headers).end(body)
  })
  await new Promise<void>((resolve) => server!.listen(0, '127.0.0.2', resolve))
  return `http://127.0.0.2:${(server.address() as AddressInfo).port}`
}

test('by the public URL it is seen whether this release answers, another, a stranger or nobody, and who reads metrics', async () => {
  const ours = (metrics: number) => (path: string) =>
    path === '/metrics'
      ? { status: metrics, body: 'overture_build_info 1' }
      : { status: 401, headers: { 'x-overture-version': '1' } }
  const closed = await askPublicUrl(await answering(ours(401)))
  expect(statuses(checkPublicAnswers(closed, '1'))).toEqual(['ok'])
  expect(statuses(checkPublicAnswers(closed, '2'))).toEqual(['warning'])
  server?.close()
  expect(statuses(checkPublicAnswers(await askPublicUrl(await answering(ours(200))), '1'))).toEqual(['ok', 'broken'])
  server?.close()
  const address = await answering(() => ({ status: 200, body: 'hello' }))
  const stranger = await askPublicUrl(address)
  expect([stranger.version, statuses(checkPublicAnswers(stranger, '1'))]).toEqual([null, ['warning']])
  await new Promise((resolve) => server?.close(resolve))
  const nobody = await askPublicUrl(address)
  // The connection of before breaks, or there is none any more.
  expect([nobody.version, nobody.reason === null]).toEqual([null, false])
  expect(statuses(checkPublicAnswers(nobody, '1'))).toEqual(['warning'])
})
