import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface, type Interface } from 'node:readline'
import { afterEach, expect, test, vi } from 'vitest'
import { builtProgram } from '@overture/testing/programs/program.ts'
import { createTestDatabase } from '@overture/testing/database.ts'

// Each start is a process of the whole product, which takes seconds on a busy machine.
vi.setConfig({ testTimeout: 240_000 })

const main = await builtProgram(new URL('./main.ts', import.meta.url))
const running: ChildProcess[] = []
const folders: string[] = []
afterEach(async () => {
  for (const child of running.splice(0)) {
    if (child.exitCode === null && child.signalCode === null) await stop(child)
  }
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true })
})

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'overture-start-'))
  folders.push(folder)
  return folder
}

interface Server {
  child: ChildProcess
  /** The lines of standard output until the server reports that it is ready. */
  lines: string[]
  url: string
}

function launch(environment: Record<string, string>): { child: ChildProcess; output: Interface; errors: string[] } {
  const env = { PATH: process.env.PATH, TMPDIR: tmpdir(), PORT: '0', LOG_LEVEL: 'error', ...environment }
  const child = spawn(process.execPath, [main], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  running.push(child)
  const errors: string[] = []
  createInterface({ input: child.stderr as NodeJS.ReadableStream }).on('line', (line) => errors.push(line))
  return { child, output: createInterface({ input: child.stdout as NodeJS.ReadableStream }), errors }
}

async function start(environment: Record<string, string>): Promise<Server> {
  const { child, output, errors } = launch(environment)
  const lines: string[] = []
  for await (const line of output) {
    lines.push(line)
    if (line.startsWith('listening on ')) return { child, lines, url: line.slice('listening on '.length) }
  }
  throw new Error(`The server ended: ${errors.join('\n')}`)
}

async function stop(child: ChildProcess, name: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
  const ended = new Promise<number | null>((resolve) => child.on('exit', resolve))
  child.kill(name)
  return ended
}

async function status(url: string, key?: string): Promise<number> {
  const headers = key === undefined ? undefined : { authorization: `Bearer ${key}` }
  return (await fetch(url, { headers })).status
}

test('after SIGTERM /readyz is 503 while requests are still served', async () => {
  const database = await createTestDatabase()
  const { child, url, lines } = await start({
    DATABASE_URL: database.url,
    OVERTURE_DATA_DIR: await makeFolder(),
    OVERTURE_ENCRYPTION_KEY: 'a'.repeat(64),
    OVERTURE_DRAIN_SECONDS: '300',
  })
  const key = lines.find((line) => line.startsWith('live key: '))?.slice('live key: '.length)
  child.kill('SIGTERM')
  await expect.poll(() => status(`${url}/readyz`), { timeout: 60_000 }).toBe(503)
  expect([await status(`${url}/v2/account`, key), child.exitCode]).toEqual([200, null])
  // A second signal after some time stops the process at once.
  await expect.poll(() => child.kill('SIGTERM') && child.exitCode === null, { timeout: 60_000 }).toBe(false)
  await database.drop()
})

test('the first start prints two keys, the setup link and the address; later starts print no keys', async () => {
  const folder = await makeFolder()
  const first = await start({ OVERTURE_DATA_DIR: folder })
  expect(first.lines).toEqual([
    expect.stringMatching(/^test key: ovt_test_\w{30}$/),
    expect.stringMatching(/^live key: ovt_live_\w{30}$/),
    expect.stringMatching(/^console: http:\/\/127\.0\.0\.1:\d+\/app\/setup#[\w-]{43}$/),
    expect.stringMatching(/^listening on http:\/\/127\.0\.0\.1:\d+$/),
  ])
  const keys = first.lines.slice(0, 2).map((line) => line.slice('test key: '.length))
  for (const key of keys) expect(await status(`${first.url}/v2/account`, key)).toBe(200)
  expect(await status(`${first.url}/readyz`)).toBe(200)
  expect(await stop(first.child)).toBe(0)
  expect(existsSync(join(folder, 'holder.json'))).toBe(false)
  expect(existsSync(join(folder, 'postgres', 'postmaster.pid'))).toBe(false)

  const second = await start({ OVERTURE_DATA_DIR: folder })
  expect(second.lines).toHaveLength(2)
  expect(await status(`${second.url}/v2/account`, keys[0])).toBe(200)
  expect(await acceptLink(second)).toBe(201)
  expect(await acceptLink(second)).toBe(401)
  expect(await stop(second.child, 'SIGINT')).toBe(0)

  const third = await start({ OVERTURE_DATA_DIR: folder })
  expect(third.lines).toHaveLength(1)
  expect(await stop(third.child)).toBe(0)
})

async function acceptLink({ url, lines }: Server): Promise<number> {
  const token = lines.find((line) => line.startsWith('console: '))?.split('#')[1]
  const body = JSON.stringify({ token, name: 'Ada', email: 'ada@example.com', password: 'nine quiet lanterns drift' })
  const headers = { 'content-type': 'application/json' }
  return (await fetch(`${url}/v2/auth/accept`, { method: 'POST', headers, body })).status
}

test('a start after kill -9 takes over the running database', async () => {
  const folder = await makeFolder()
  const first = await start({ OVERTURE_DATA_DIR: folder })
  const key = first.lines[0]?.slice('test key: '.length)
  await stop(first.child, 'SIGKILL')
  expect(existsSync(join(folder, 'postgres', 'postmaster.pid'))).toBe(true)
  const second = await start({ OVERTURE_DATA_DIR: folder })
  expect(await status(`${second.url}/v2/account`, key)).toBe(200)
  expect(await stop(second.child)).toBe(0)
})

test('an API and a worker share the database of one folder', async () => {
  const folder = await makeFolder()
  const api = await start({ OVERTURE_DATA_DIR: folder, OVERTURE_ROLE: 'api' })
  const worker = await start({ OVERTURE_DATA_DIR: folder, OVERTURE_ROLE: 'worker' })
  expect(await status(`${worker.url}/readyz`)).toBe(200)
  expect(await status(`${worker.url}/v2/account`)).toBe(404)
  expect(await status(`${api.url}/v2/account`)).toBe(401)
  expect(await stop(worker.child)).toBe(0)
  expect(await status(`${api.url}/readyz`)).toBe(200)
  expect(await stop(api.child)).toBe(0)
})

test("two servers of one folder count a key's requests together", async () => {
  const folder = await makeFolder()
  const first = await start({ OVERTURE_DATA_DIR: folder })
  const authorization = `Bearer ${first.lines[0]?.slice('test key: '.length)}`
  const second = await start({ OVERTURE_DATA_DIR: folder })
  const left: string[] = []
  for (const { url } of [first, second, first, second]) {
    const answer = await fetch(`${url}/v2/account`, { headers: { authorization } })
    left.push(answer.headers.get('x-ratelimit-remaining') ?? '')
  }
  expect(left).toEqual(['59', '58', '57', '56'])
  expect(await stop(second.child)).toBe(0)
  expect(await stop(first.child)).toBe(0)
})

test('a signal during the start stops it cleanly', async () => {
  const folder = await makeFolder()
  const { child } = launch({ OVERTURE_DATA_DIR: folder })
  await expect.poll(() => existsSync(join(folder, 'holder.json')), { timeout: 20_000 }).toBe(true)
  expect(await stop(child)).toBe(0)
  expect(existsSync(join(folder, 'holder.json'))).toBe(false)
})

test('an unavailable database is reported without its password, and a signal ends the wait', async () => {
  // No process listens on port 1, and none can be given it as a free port meanwhile.
  const port = 1
  const { child, errors } = launch({
    DATABASE_URL: `postgres://someone:secret-word@127.0.0.1:${port}/overture`,
    LOG_LEVEL: 'info',
  })
  await expect.poll(() => errors.length, { timeout: 20_000 }).toBe(1)
  expect(JSON.parse(errors[0] ?? '')).toMatchObject({
    event: 'database.waiting',
    host: '127.0.0.1',
    port,
    database: 'overture',
    reason: 'ECONNREFUSED',
  })
  expect(await stop(child)).toBe(0)
  expect(errors.join('\n')).not.toContain('secret-word')
})

test('a start refused for its port prints no keys, and the next one does', async () => {
  const blocker = createServer()
  await new Promise<void>((resolve) => blocker.listen(0, '127.0.0.1', resolve))
  const folder = await makeFolder()
  const refused = launch({ OVERTURE_DATA_DIR: folder, PORT: String((blocker.address() as AddressInfo).port) })
  const printed: string[] = []
  refused.output.on('line', (line) => printed.push(line))
  expect(await new Promise((resolve) => refused.child.on('close', resolve))).toBe(1)
  expect(printed).toEqual([])
  await new Promise((resolve) => blocker.close(resolve))
  const server = await start({ OVERTURE_DATA_DIR: folder })
  expect(server.lines).toHaveLength(4)
  expect(await stop(server.child)).toBe(0)
})

test('an invalid setting is reported by name, with exit code 1', async () => {
  const blocker = createServer()
  await new Promise<void>((resolve) => blocker.listen(0, '127.0.0.1', resolve))
  const taken = String((blocker.address() as AddressInfo).port)
  const folder = await makeFolder()
  const file = join(folder, 'file')
  await writeFile(file, '')
  const cases: [string, Record<string, string>][] = [
    ['OVERTURE_DATA_DIR: ', { OVERTURE_DATA_DIR: file }],
    ['PORT: ', { PORT: taken }],
    ['OVERTURE_ROLE: ', { OVERTURE_ROLE: 'boss' }],
    ['OVERTURE_ENCRYPTION_KEY: ', { OVERTURE_ENCRYPTION_KEY: 'another key than the first' }],
  ]
  for (const [beginning, environment] of cases) {
    const { child, errors } = launch({ OVERTURE_DATA_DIR: folder, ...environment })
    expect(await new Promise((resolve) => child.on('close', resolve))).toBe(1)
    expect(errors.join('\n')).toMatch(new RegExp(`^${beginning}`))
  }
  expect(existsSync(join(folder, 'holder.json'))).toBe(false)
  await new Promise((resolve) => blocker.close(resolve))
})
