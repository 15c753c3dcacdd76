import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { standbyAvailable, startStandbyPair, type StandbyPair } from '@overture/testing/server/standby.server.ts'
import { liftLimits } from '@overture/testing/kills/product-caller.ts'
import { parseConfig } from '../platform/config.ts'
import { replicaReads } from './routes.ts'
import { startOverture } from './start.ts'
import { lacks } from '@overture/testing/tools.ts'

// Each test starts a second PostgreSQL.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 })

const patient = { timeout: 60_000, interval: 20 }
const lagMsMax = 5_000

type Running = Awaited<ReturnType<typeof startOverture>>

describe.skipIf(lacks('PostgreSQL 15', standbyAvailable()))('a replica (skipped without Debian PostgreSQL 15)', () => {
  let pair: StandbyPair
  let folder: string
  let server: Running
  let standby: pg.Client
  const keys: Record<string, string> = {}
  const logged: { event: string; reason?: string }[] = []
  const log = pino({ level: 'info', base: undefined }, { write: (line: string) => void logged.push(JSON.parse(line)) })

  const configured = (environment: Record<string, string> = {}) =>
    parseConfig(
      {
        DATABASE_URL: pair.primaryUrl,
        DATABASE_REPLICA_URL: pair.standbyUrl,
        OVERTURE_REPLICA_LAG_MS_MAX: String(lagMsMax),
        OVERTURE_DATA_DIR: folder,
        OVERTURE_ENCRYPTION_KEY: 'r'.repeat(64),
        OVERTURE_ROLE: 'api',
        PORT: '0',
        ...environment,
      },
      folder,
    )
  const starting = (environment?: Record<string, string>, print: (line: string) => void = () => undefined) =>
    startOverture({ config: configured(environment), log, print })
  const openStandby = async () => {
    standby = new pg.Client({ connectionString: pair.standbyUrl })
    standby.on('error', () => undefined)
    await standby.connect()
  }

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'overture-replica-'))
    pair = await startStandbyPair()
    await openStandby()
    server = await starting({}, (line) => {
      const [, name, key] = /^(\w+) key: (\S+)$/.exec(line) ?? []
      if (name !== undefined && key !== undefined) keys[name] = key
    })
  })
  afterAll(async () => {
    await server?.stop()
    await standby?.end().catch(() => undefined)
    await pair?.stop()
    await rm(folder, { recursive: true, force: true })
  })

  const call = async (method: string, path: string, body?: unknown, key = keys['live']) => {
    const headers: Record<string, string> = { authorization: `Bearer ${key}` }
    if (body !== undefined) headers['content-type'] = 'application/json'
    const sent = body === undefined ? {} : { body: JSON.stringify(body) }
    const response = await fetch(server.url + path, { method, headers, ...sent })
    return { status: response.status, text: await response.text() }
  }
  const state = async () => ((await (await fetch(`${server.url}/healthz`)).json()) as { replica: string }).replica
  const readFrom = async (name: string): Promise<number> => {
    const text = await (await fetch(`${server.url}/metrics`)).text()
    return Number(new RegExp(`overture_replica_reads_total\\{how="${name}"\\} (\\d+)`).exec(text)?.[1] ?? 0)
  }
  let written = 0
  const write = async () => {
    const email = `person${++written}@example.com`
    expect((await call('POST', '/v2/suppressions', { email })).status).toBeLessThan(300)
    return email
  }
  const seen = async () => {
    const email = await write()
    expect(await listed()).toContain(email)
  }
  const listed = async () => (await call('GET', '/v2/suppressions?limit=100')).text

  test('is read, and a client sees its own writes in the next list', async () => {
    await expect.poll(state, patient).toBe('follows')
    await liftLimits(pair.primaryUrl)
    const before = await readFrom('replica')
    for (let round = 0; round < 40; round++) {
      await seen()
    }
    expect(await readFrom('replica')).toBeGreaterThan(before)
  })

  test('shows concurrent clients their own writes', async () => {
    await Promise.all(
      Array.from({ length: 8 }, async () => {
        for (let round = 0; round < 5; round++) {
          await seen()
        }
      }),
    )
  })

  test('serves all its operations without a second read from the primary', async () => {
    const document = (await (await fetch(`${server.url}/openapi.json`)).json()) as {
      paths: Record<string, Record<string, { operationId: string }>>
    }
    const gets = Object.entries(document.paths).flatMap(([path, { get }]) =>
      get !== undefined && replicaReads.includes(get.operationId) ? [[get.operationId, path] as const] : [],
    )
    expect(gets.map(([name]) => name).toSorted()).toEqual(replicaReads.toSorted())
    const ids = await madeResources()
    const [again, replica] = [await readFrom('both'), await readFrom('replica')]
    for (const [name, path] of gets) {
      const filled = path.replace(/^\/v2\/([^/]+)\/\{id\}/, (_, noun: string) => `/v2/${noun}/${ids[noun] ?? 'none'}`)
      const query = name === 'getGroupedAnalytics' ? '?groupBy=campaign' : ''
      const { status, text } = await call('GET', filled.replace('{leadId}', 'none') + query)
      expect([name, status, status === 200 || status === 404 ? '' : text]).toEqual([
        name,
        expect.toBeOneOf([200, 404]),
        '',
      ])
    }
    expect(await readFrom('both')).toBe(again)
    expect(await readFrom('replica')).toBeGreaterThanOrEqual(replica + gets.length - 2)
  })

  async function madeResources(): Promise<Record<string, string>> {
    const sender = { email: 'ada@sender.example.com', fromName: 'Ada', provider: 'sandbox' }
    await call('POST', '/v2/sending-accounts', sender)
    const campaign = await call('POST', '/v2/campaigns', { name: 'C' })
    const hook = await call('POST', '/v2/webhooks', { url: 'https://hook.example.com/', events: ['message.sent'] })
    const idOf = ({ text }: { text: string }) => (JSON.parse(text) as { id?: string }).id ?? 'none'
    return { campaigns: idOf(campaign), webhooks: idOf(hook) }
  }

  test('is not read in the test environment', async () => {
    const before = await readFrom('replica')
    expect((await call('GET', '/v2/suppressions', undefined, keys['test'])).status).toBe(200)
    expect(await readFrom('replica')).toBe(before)
  })

  test('that lags is skipped and reported, and read again after it caught up', async () => {
    await standby.query('select pg_wal_replay_pause()')
    await seen()
    expect(await state()).toBe('lags')
    expect(logged.filter(({ event }) => event === 'replica.lags').at(-1)?.reason).toMatch(
      /DATABASE_URL is read until it catches up/,
    )
    const [replica, primary] = [await readFrom('replica'), await readFrom('primary')]
    await seen()
    expect([await readFrom('replica'), await readFrom('primary')]).toEqual([replica, primary + 1])
    await standby.query('select pg_wal_replay_resume()')
    await expect.poll(state, patient).toBe('follows')
    await listed()
    expect(await readFrom('replica')).toBeGreaterThan(replica)
  })

  test('that lags at the start is reported, and the server starts', async () => {
    await standby.query('select pg_wal_replay_pause()')
    await write()
    logged.length = 0
    const second = await starting({ OVERTURE_REPLICA_LAG_MS_MAX: '50' })
    expect(logged.find(({ event }) => event === 'replica.lags')?.reason).toMatch(/^The replica lags by more than 50 ms/)
    await second.stop()
    await standby.query('select pg_wal_replay_resume()')
    await expect.poll(state, patient).toBe('follows')
  })

  test('that is killed and restarted several times costs no response and hides no data', async () => {
    let isOver = false
    const reading = (async () => {
      for (let rounds = 0; !isOver || rounds < 20; rounds++) {
        await seen()
      }
      return null
    })().catch((error: Error) => error)
    for (let kill = 0; kill < 3; kill++) {
      await pair.stopStandby()
      await expect.poll(state, patient).toBe('gone')
      await pair.startStandby()
      await expect.poll(state, patient).toBe('follows')
    }
    isOver = true
    expect(await reading).toBeNull()
    await openStandby()
  })

  test('that is no replica is refused at the start with advice', async () => {
    await expect(starting({ DATABASE_REPLICA_URL: pair.primaryUrl })).rejects.toThrow(
      /^DATABASE_REPLICA_URL: this server is not a replica.*Use a standby/,
    )
    const other = new URL(pair.standbyUrl)
    other.pathname = '/template1'
    await expect(starting({ DATABASE_REPLICA_URL: other.toString() })).rejects.toThrow(
      /^DATABASE_REPLICA_URL: this is another database/,
    )
    const alone = { OVERTURE_DATA_DIR: folder, DATABASE_REPLICA_URL: pair.standbyUrl }
    expect(() => parseConfig(alone, folder)).toThrow(/^DATABASE_REPLICA_URL: needs DATABASE_URL/)
  })

  test('that became a primary is not read any more', async () => {
    await pair.promoteStandby()
    await expect.poll(state, patient).toBe('gone')
    expect(logged.filter(({ event }) => event === 'replica.gone').at(-1)?.reason).toMatch(/is not a replica/)
    await seen()
  })
})
