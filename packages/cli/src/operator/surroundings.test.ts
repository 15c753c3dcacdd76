import { createServer, type Server } from 'node:http'
import {
  connect,
  createServer as createTcpServer,
  type AddressInfo,
  type Server as TcpServer,
  type Socket,
} from 'node:net'
import { spawn, type ChildProcess } from 'node:child_process'
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
  checkMailProviders,
  checkPooler,
  checkProxy,
  checkPublicAnswers,
  checkReleases,
  checkReplica,
  checkScheme,
  type ConnectionFacts,
  type PortAnswer,
} from './surroundings.ts'

const gibibyte = 1024 ** 3
const statuses = (checks: Check | Check[]) => [checks].flat().map(({ status }) => status)

test('every problem has a fix, and a healthy check has none', () => {
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
      const ports = more.reasons.map((reason, at) => ({ port: at, reason, isSilent: reason !== null && at % 2 === 0 }))
      const checks = [
        checkPooler(pooling),
        checkConnections(connections),
        checkDisk({ free: total * share * gibibyte, total: total * gibibyte }, '/data'),
        checkBackup(age === null ? null : new Date(now.getTime() - age * 86_400_000), now),
        checkKeyFile(mode, '/data/encryption.key'),
        checkReplica({ state, isUnfit, reason: state === 'follows' ? null : 'Why.' }),
        ...checkPublicAnswers(
          { url, version, reason: null, scheme: more.scheme, proxyIsUnknown: open, metricsAreOpen: open },
          '1',
        ),
        ...checkScheme({ url, scheme: more.scheme }),
        ...checkProxy({ url, proxyIsUnknown: open }),
        checkReleases(more.releases, '1'),
        checkMailPorts('mail.example.com', ports),
        checkMailPorts(null, []),
      ]
      for (const { status, fix } of checks) expect((fix?.length ?? 0) > 10).toBe(status !== 'ok')
    }),
  )
})

test('connections suffice if every process can fill its pool, and the suggested fix is enough', () => {
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

test('the public URL check distinguishes this release, another, a foreign server, none and open metrics', async () => {
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
  const unreachable = await askPublicUrl(address)
  // Either the previous connection breaks, or there is none any more.
  expect([unreachable.version, unreachable.reason === null]).toEqual([null, false])
  expect(statuses(checkPublicAnswers(unreachable, '1'))).toEqual(['warning'])
})

test.each([
  ['https://o.example.com', 'https', 'ok'],
  ['http://o.example.com', 'http', 'ok'],
  ['https://o.example.com', 'http', 'warning'],
  ['http://o.example.com', 'https', 'warning'],
])('%s with requests as %s is %s', (url, scheme, status) => {
  expect(statuses(checkScheme({ url, scheme }))).toEqual([status])
})

test("the scheme is read from Overture's own responses only", async () => {
  const headers = { 'x-overture-version': '1', 'x-overture-scheme': 'http' }
  const own = await askPublicUrl(await answering(() => ({ status: 200, headers })))
  expect(own.scheme).toBe('http')
  server?.close()
  const stranger = await askPublicUrl(
    await answering(() => ({ status: 200, headers: { 'x-overture-scheme': 'http' } })),
  )
  expect(stranger.scheme).toBeNull()
})

test('an unknown proxy fails the check, a configured proxy is not mentioned', async () => {
  const headers = { 'x-overture-version': '1', 'x-overture-proxy': 'unknown' }
  const unknown = await askPublicUrl(await answering(() => ({ status: 200, headers })))
  expect(checkProxy(unknown)).toMatchObject([
    { status: 'broken', fix: expect.stringContaining('OVERTURE_TRUSTED_PROXIES') },
  ])
  server?.close()
  const known = await askPublicUrl(await answering(() => ({ status: 200, headers: { 'x-overture-version': '1' } })))
  expect(checkProxy(known)).toEqual([])
})

test('different releases are named', () => {
  expect(checkReleases(['1', '1'], '1').status).toBe('ok')
  expect(checkReleases(['1', '2', null], '1')).toMatchObject({
    status: 'warning',
    message: expect.stringMatching(/2, a release before .*; this is 1/),
  })
})

const listeners: TcpServer[] = []
afterEach(() => {
  for (const one of listeners.splice(0)) one.close()
})

async function listening(talk: (socket: Socket) => void): Promise<number> {
  const made = createTcpServer((socket) => {
    socket.on('error', () => undefined)
    talk(socket)
  })
  listeners.push(made)
  await new Promise<void>((resolve) => made.listen(0, '127.0.0.1', resolve))
  return (made.address() as AddressInfo).port
}

const greet = (socket: Socket) => void socket.resume().write('220 mail.example.com ESMTP\r\n')
const generousMs = 60_000

test('each mail port is reported as reachable or refused', async () => {
  const open = await listening(greet)
  const closed = await listening(greet)
  await new Promise((done) => listeners.pop()!.close(done))
  const ports = [
    { port: open, tls: false },
    // A server that greets on a TLS port is reachable all the same.
    { port: open, tls: true },
    { port: closed, tls: false },
  ]
  const answers = await tryMailPorts('127.0.0.1', ports, generousMs)
  expect(answers.map(({ reason }) => reason)).toEqual([null, null, 'ECONNREFUSED'])
  expect(checkMailPorts('127.0.0.1', answers)).toMatchObject({ status: 'warning' })
  expect(checkMailPorts('127.0.0.1', answers.slice(0, 2))).toMatchObject({ status: 'ok' })
  expect(checkMailPorts('127.0.0.1', answers.slice(2))).toMatchObject({
    status: 'broken',
    fix: expect.stringContaining('allow outgoing connections to these ports'),
  })
  expect((await tryMailPorts('mail.invalid', [{ port: 465, tls: true }], generousMs))[0]!.reason).not.toBeNull()
})

const bothWays = [
  { tls: false, how: 'by which the server greets' },
  { tls: true, how: 'of TLS' },
]

test.each(bothWays)(
  'a port $how that accepts connections without a greeting is reported within the limit',
  async ({ tls }) => {
    const sockets: Socket[] = []
    const port = await listening((socket) => void sockets.push(socket))
    // Retries with a longer limit until a connection is made, however slow the machine is. Then the limit passes without
    // a greeting.
    const answers = await until((msMax) => tryMailPorts('127.0.0.1', [{ port, tls }], msMax))
    const check = checkMailPorts('127.0.0.1', answers)
    expect(check).toMatchObject({ status: 'broken', message: expect.stringMatching(/no greeting within [\d.]+ s/) })
    expect(check.fix).toContain('a filter in between blocks these connections')
    for (const socket of sockets) socket.destroy()
  },
)

async function until(look: (msMax: number) => Promise<PortAnswer[]>): Promise<PortAnswer[]> {
  for (let msMax = 200; ; msMax *= 2) {
    const answers = await look(msMax)
    if (msMax >= generousMs || answers.every(({ isSilent }) => isSilent)) return answers
  }
}

test('a port that closes without a greeting is not a mail server', async () => {
  const port = await listening((socket) => void socket.resume().end())
  const [answer] = await tryMailPorts('127.0.0.1', [{ port, tls: false }], generousMs)
  expect(answer).toEqual({ port, reason: 'closed without a greeting', isSilent: false })
})

test('a port without a reply to connections is reported within the limit', async () => {
  const [child, port] = await deaf()
  const others: Socket[] = []
  try {
    // The system accepts a few connections for a process that does not accept them. After those it no longer answers.
    for (let count = 0; count < 20; count++)
      others.push(connect({ host: '127.0.0.1', port }).on('error', () => undefined))
    const tried = [1, 2, 3].flatMap(() => [
      { port, tls: false },
      { port, tls: true },
    ])
    const answers = await tryMailPorts('127.0.0.1', tried, 500)
    const check = checkMailPorts('127.0.0.1', answers)
    expect(answers.map(({ reason }) => reason)).toEqual(tried.map(() => expect.stringContaining('within 0.5 s')))
    expect([check.status, check.fix!.length > 10]).toEqual(['broken', true])
  } finally {
    for (const other of others) other.destroy()
    child.kill('SIGKILL')
  }
})

/** A process that listens, and was stopped before it accepted a connection. */
async function deaf(): Promise<[ChildProcess, number]> {
  const script = `const one = require('net').createServer().listen({ port: 0, host: '127.0.0.1', backlog: 1 },
    () => console.log(one.address().port))`
  const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] })
  const port = Number(
    await new Promise((resolve) => child.stdout.once('data', (chunk: Buffer) => resolve(String(chunk)))),
  )
  child.kill('SIGSTOP')
  return [child, port]
}

test('a refused client secret fails, a secret that expires within thirty days warns', () => {
  const now = new Date('2026-11-26T09:00:00.000Z')
  const check = (refusing: { provider: string; accounts: number }[], secretExpiresOn: string | null) =>
    checkMailProviders(refusing, { secretExpiresOn, now })
  expect(check([{ provider: 'microsoft', accounts: 12 }], null)).toMatchObject({
    status: 'broken',
    message: expect.stringContaining('microsoft (12 sending accounts wait)'),
  })
  expect(check([], '2026-12-01')).toMatchObject({ status: 'warning', message: expect.stringContaining('2026-12-01') })
  expect([check([], '2027-12-01').status, check([], null).status]).toEqual(['ok', 'ok'])
})
