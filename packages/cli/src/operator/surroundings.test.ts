import { createServer, type Server } from 'node:http'
import { createServer as createTcpServer, type AddressInfo, type Server as TcpServer } from 'node:net'
import fc from 'fast-check'
import { afterEach, expect, test } from 'vitest'
import { replicaStates } from '@overture/server/platform/replica/replica-state.ts'
import type { Check } from './checks.ts'
import { tryMailPorts } from './mail-ports.ts'
import { askPublicUrl } from './public-answers.ts'
import {
  checkBackup,
  checkConnections,
  checkDisk,
  checkKeyFile,
  checkMailPorts,
  checkPooler,
  checkPublicAnswers,
  checkReleases,
  checkReplica,
  checkScheme,
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
    scheme: fc.constantFrom(null, 'http', 'https'),
    releases: fc.array(fc.constantFrom(null, '1', '2')),
    reasons: fc.array(fc.constantFrom(null, 'ECONNREFUSED'), { minLength: 1, maxLength: 3 }),
    state: fc.constantFrom(...replicaStates),
    isUnfit: fc.boolean(),
  })
  const now = new Date('2026-03-02T08:00:00Z')
  fc.assert(
    fc.property(facts, ({ pooling, connections, total, share, age, mode, version, open, state, isUnfit, ...more }) => {
      const url = 'https://o.example.com'
      const ports = more.reasons.map((reason, at) => ({ port: at, reason }))
      const checks = [
        checkPooler(pooling),
        checkConnections(connections),
        checkDisk({ free: total * share * gibibyte, total: total * gibibyte }, '/data'),
        checkBackup(age === null ? null : new Date(now.getTime() - age * 86_400_000), now),
        checkKeyFile(mode, '/data/encryption.key'),
        checkReplica({ state, isUnfit, reason: state === 'follows' ? null : 'Why.' }),
        ...checkPublicAnswers({ url, version, reason: null, scheme: more.scheme, metricsAreOpen: open }, '1'),
        ...checkScheme({ url, scheme: more.scheme }),
        checkReleases(more.releases, '1'),
        checkMailPorts('mail.example.com', ports),
        checkMailPorts(null, []),
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

test.each([
  ['https://o.example.com', 'https', 'ok'],
  ['http://o.example.com', 'http', 'ok'],
  ['https://o.example.com', 'http', 'warning'],
  ['http://o.example.com', 'https', 'warning'],
])('%s that the server takes for %s is %s', (url, scheme, status) => {
  expect(statuses(checkScheme({ url, scheme }))).toEqual([status])
})

test('what a server says of the scheme is read by the public URL, and of nobody else', async () => {
  const headers = { 'x-overture-version': '1', 'x-overture-scheme': 'http' }
  const told = await askPublicUrl(await answering(() => ({ status: 200, headers })))
  expect(told.scheme).toBe('http')
  server?.close()
  const stranger = await askPublicUrl(
    await answering(() => ({ status: 200, headers: { 'x-overture-scheme': 'http' } })),
  )
  expect(stranger.scheme).toBeNull()
})

test('releases are the same, or the doctor names those that are not', () => {
  expect(checkReleases(['1', '1'], '1').status).toBe('ok')
  expect(checkReleases(['1', '2', null], '1')).toMatchObject({
    status: 'warning',
    message: expect.stringMatching(/2, one before .*; this is 1/),
  })
})

test('ports of a mail server are reached, refused or silent, each within its time', async () => {
  const open = createTcpServer((socket) => socket.on('error', () => undefined)).listen(0, '127.0.0.1')
  const closed = createTcpServer().listen(0, '127.0.0.1')
  await Promise.all([open, closed].map((one) => new Promise((listening) => one.once('listening', listening))))
  const portOf = (one: TcpServer) => (one.address() as AddressInfo).port
  const ports = [portOf(open), portOf(closed)]
  await new Promise((done) => closed.close(done))
  const answers = await tryMailPorts('127.0.0.1', ports, 5_000)
  expect(answers).toEqual([
    { port: ports[0], reason: null },
    { port: ports[1], reason: 'ECONNREFUSED' },
  ])
  expect(checkMailPorts('127.0.0.1', answers)).toMatchObject({ status: 'warning' })
  expect(checkMailPorts('127.0.0.1', answers.slice(0, 1))).toMatchObject({ status: 'ok' })
  expect(checkMailPorts('127.0.0.1', answers.slice(1))).toMatchObject({ status: 'broken' })
  expect((await tryMailPorts('mail.invalid', [465], 5_000))[0]!.reason).not.toBeNull()
  await new Promise((done) => open.close(done))
})
