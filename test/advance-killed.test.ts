import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { builtProgram } from '@overture/testing/programs/program.ts'
import { createDatabase, type PoolDatabase } from '@overture/server/platform/db/pool.client.ts'
import { createLogger } from '@overture/server/platform/log.shell.ts'
import { createTestDatabase, type TestDatabase } from '@overture/testing/database.ts'
import { dropDatabase } from '@overture/testing/superuser.ts'
import type { AnswerBody } from '@overture/testing/server.ts'

// Each test starts and kills whole processes.
vi.setConfig({ testTimeout: 300_000 })

const startsAt = '2027-02-01T07:00:00.000Z'
const endsAt = '2027-02-22T07:00:00.000Z'
/** Clock times after which the server is killed, each time in a separate run. */
const killTimes = ['2027-02-01T09:30:00.000Z', '2027-02-04T10:00:00.000Z', '2027-02-11T09:00:00.000Z']
/** How often the server is killed while it writes sent messages. */
const tornTimes = 3
const acts = [
  '+open',
  '+reply',
  '+interested',
  '+bounce',
  '+softbounce',
  '+click',
  '+unsubscribe',
  '+ooo',
  '+book',
  '',
  '',
]
const main = await builtProgram(new URL('../packages/server/src/composition/main.ts', import.meta.url))

let folder: string
let prepared: TestDatabase
let testKey: string
let campaignId: string
const clones: string[] = []
const running = new Set<ChildProcess>()

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'overture-killed-'))
  prepared = await createTestDatabase()
  await prepareWorld()
})
afterAll(async () => {
  for (const child of running) child.kill('SIGKILL')
  for (const name of clones) await dropDatabase(prepared.url.replace(databaseName(prepared.url), 'postgres'), name)
  await prepared.drop()
  await rm(folder, { recursive: true, force: true })
})

describe('three weeks of the test clock', () => {
  test('have the same events in every run, even if the server is killed meanwhile', async () => {
    const log = await readCalmLog()
    expect(log.events.length).toBeGreaterThan(350)
    const again = await cloneWorld()
    await runThrough(again, [])
    expect(await readLog(again)).toEqual(log)

    const killed = await cloneWorld()
    const deaths = await runThrough(killed, killTimes)
    expect(deaths).toBe(killTimes.length)
    const after = await readLog(killed)
    expect(after.deliveries.filter(({ count }) => count > 1)).toEqual([])
    expect(after).toEqual(log)
  })

  test('have the same events if the server is killed before sent messages are committed', async () => {
    const log = await readCalmLog()
    const torn = await cloneWorld()
    await killWhileWriting(torn, tornTimes)
    const mended = await readLog(torn)
    expect(mended.deliveries.filter(({ count }) => count > 1)).toEqual([])
    expect(mended).toEqual(log)
  })
})

let calmLog: ReturnType<typeof readLog> | undefined

/** The event log of a run without kills. */
function readCalmLog(): ReturnType<typeof readLog> {
  return (calmLog ??= (async () => {
    const calm = await cloneWorld()
    await runThrough(calm, [])
    return readLog(calm)
  })())
}

/** Kills the server several times between the statement that writes sent messages and the commit of its batch. */
async function killWhileWriting(databaseUrl: string, times: number): Promise<void> {
  let server = await startServer(databaseUrl)
  call(server, 'POST', '/v2/sandbox/clock/advance', { to: endsAt }).catch(() => null)
  await withDatabase(databaseUrl, async (db) => {
    for (let deaths = 0; deaths < times; deaths++) {
      await expect.poll(() => findUncommitted(db), { timeout: 90_000, interval: 1 }).not.toBe(null)
      server.child.kill('SIGKILL')
      await once(server.child, 'exit')
      server = await startServer(databaseUrl)
    }
  })
  await expect.poll(() => readClock(server), { timeout: 120_000, interval: 100 }).toEqual({ now: endsAt, frozen: true })
  server.child.kill('SIGTERM')
  await once(server.child, 'exit')
}

/** Finds a connection whose open transaction contains sent messages. */
async function findUncommitted(db: PoolDatabase): Promise<number | null> {
  const [row] = await db.query<{ pid: number }>(
    `select a.pid from pg_stat_activity a join pg_locks l on l.pid = a.pid and l.relation = 'message_contents'::regclass
       and l.mode = 'RowExclusiveLock'
     where a.datname = current_database() and a.pid <> pg_backend_pid() and a.xact_start is not null limit 1`,
  )
  return row?.pid ?? null
}

/** Starts a server for the first time, creates a campaign through the API and freezes the clock. */
async function prepareWorld(): Promise<void> {
  const server = await startServer(prepared.url)
  testKey = server.testKey
  await withDatabase(prepared.url, (db) =>
    db.execute('update accounts set requests_per_minute = 1000000, burst_per_second = 1000000'),
  )
  await call(server, 'POST', '/v2/sandbox/clock', { frozen: true })
  await call(server, 'POST', '/v2/sandbox/clock/advance', { to: startsAt })
  const senders: string[] = []
  for (const name of ['ann', 'bea', 'cem']) {
    const fields = { email: `${name}@run.test`, fromName: name, provider: 'sandbox', timezone: 'UTC', dailyLimit: 100 }
    senders.push(
      (await call(server, 'POST', '/v2/sending-accounts', { ...fields, minGapSeconds: 60, maxGapSeconds: 240 })).id,
    )
  }
  const body = '<p>Hello {{ firstName }}, <a href="https://example.com/page">look</a> {{ "one|two" | spin }}</p>'
  const launched = await call(server, 'POST', '/v2/campaigns/launch', {
    name: 'Killed',
    sendingAccountIds: senders,
    schedule: { timezone: 'UTC', windows: [{ days: ['mon', 'tue', 'wed', 'thu', 'fri'], from: '09:00', to: '17:00' }] },
    settings: { openTracking: true, linkTracking: true, bounceProtection: { enabled: false } },
    steps: [0, 2, 3].map((days) => ({
      waitBefore: { value: days, unit: 'days' },
      variants: [{ subject: days === 0 ? 'Hello {{ firstName }}' : '', body }],
    })),
    leads: Array.from({ length: 55 }, (_, index) => ({
      email: `lead${index}${acts[index % acts.length]}@prospects.test`,
      firstName: `N${index}`,
    })),
  })
  campaignId = launched.id
  server.child.kill('SIGTERM')
  await once(server.child, 'exit')
}

/** Moves a world's clock to the end and kills the server when the clock shows each of these times. Returns the number of kills. */
async function runThrough(databaseUrl: string, killAt: readonly string[]): Promise<number> {
  let deaths = 0
  let server = await startServer(databaseUrl)
  const advancing = call(server, 'POST', '/v2/sandbox/clock/advance', { to: endsAt }).catch(() => null)
  for (const time of killAt) {
    await expect.poll(async () => (await readClock(server)).now >= time, { timeout: 90_000, interval: 5 }).toBe(true)
    server.child.kill('SIGKILL')
    await once(server.child, 'exit')
    deaths++
    server = await startServer(databaseUrl)
  }
  // The request is not repeated: the server that starts next continues the run.
  if (killAt.length === 0) expect((await advancing).now).toBe(endsAt)
  await expect.poll(() => readClock(server), { timeout: 120_000, interval: 100 }).toEqual({ now: endsAt, frozen: true })
  expect((await call(server, 'GET', `/v2/campaigns/${campaignId}`)).status).toBe('completed')
  server.child.kill('SIGTERM')
  await once(server.child, 'exit')
  return deaths
}

interface Server {
  url: string
  testKey: string
  child: ChildProcess
}

async function startServer(databaseUrl: string): Promise<Server> {
  const child = spawn(process.execPath, [main], {
    env: { ...process.env, DATABASE_URL: databaseUrl, OVERTURE_DATA_DIR: folder, PORT: '0', LOG_LEVEL: 'error' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  running.add(child)
  child.once('exit', () => running.delete(child))
  const lines: string[] = []
  for await (const line of createInterface({ input: child.stdout })) {
    lines.push(line)
    if (line.startsWith('listening on ')) break
  }
  const after = (start: string) => lines.find((line) => line.startsWith(start))?.slice(start.length) ?? ''
  return { url: after('listening on '), testKey: after('test key: '), child }
}

async function call(server: Server, method: string, path: string, body?: unknown): Promise<AnswerBody> {
  const response = await fetch(server.url + path, {
    method,
    headers: { authorization: `Bearer ${testKey}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const answer = await response.json()
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${JSON.stringify(answer)}`)
  return answer
}

const readClock = (server: Server) => call(server, 'GET', '/v2/sandbox/clock')

/** The event log without random ids. */
async function readLog(databaseUrl: string) {
  return withDatabase(databaseUrl, async (db) => {
    const events = await db.query(
      `select type, occurred_at, lead_id, step_id, variant_id, sending_account_id,
         data - 'messageId' - 'rfcMessageId' - 'threadId' - 'meetingId' - 'url' as data
       from events where environment = 'test' order by occurred_at, type, lead_id, step_id, data->>'machine', data->>'to'`,
    )
    const leads = await db.query<{ email: string }>(
      `select email, status, current_step, open_count, click_count, reply_count, interest, blocked_reason, stopped_by
       from leads where environment = 'test' order by email`,
    )
    const deliveries = await db.query<{ count: number }>(
      `select lead_id, step_id, count(*) as count from sandbox_messages
       where direction = 'to_prospect' and step_id is not null group by 1, 2 order by 1, 2`,
    )
    const leftOver = await db.query(
      `select status, count(*) from messages where status in ('queued', 'sending', 'uncertain') or claimed group by 1`,
    )
    expect(leftOver).toEqual([])
    return { events, leads, deliveries }
  })
}

// PostgreSQL can't copy a database with open connections, so each query opens and closes its own connection.
async function withDatabase<Result>(url: string, run: (db: PoolDatabase) => Promise<Result>): Promise<Result> {
  const db = createDatabase({ url, log: createLogger('silent'), connectionsMax: 1 })
  try {
    return await run(db)
  } finally {
    await db.close()
  }
}

async function cloneWorld(): Promise<string> {
  const name = `${databaseName(prepared.url)}_${clones.length + 1}`
  await administrate((execute) => execute(`create database ${name} template ${databaseName(prepared.url)}`))
  clones.push(name)
  const url = new URL(prepared.url)
  url.pathname = `/${name}`
  return url.toString()
}

async function administrate(
  run: (execute: (statement: string) => Promise<unknown>) => Promise<unknown>,
): Promise<void> {
  const url = new URL(prepared.url)
  url.pathname = '/postgres'
  await withDatabase(url.toString(), (db) => run((statement) => db.execute(statement)))
}

const databaseName = (url: string) => new URL(url).pathname.slice(1)
