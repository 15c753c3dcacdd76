import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { App } from '../app.ts'
import { systemClock } from '../clock.ts'
import { startEmbeddedPostgres, type EmbeddedPostgres } from '../db/embedded/embedded.shell.ts'
import { migrate } from '../db/migrate.shell.ts'
import { createDatabase, type PoolDatabase } from '../db/pool.client.ts'
import { Heartbeats } from '../lifecycle/heartbeats.ts'
import { createLogger } from '../log.shell.ts'
import { createTenantClocks } from '../tenant-clocks.sql.ts'
import { enqueueJob } from './jobs.shell.ts'
import { createJobRunner } from './runner.worker.ts'

const log = createLogger('silent')
let folder: string
let postgres: EmbeddedPostgres
let db: PoolDatabase
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'overture-restart-'))
  postgres = await startEmbeddedPostgres({ dataDir: folder, log, kind: 'server', settings: { fsync: 'off' } })
  await migrate({ url: postgres.url, log })
  db = createDatabase({ url: postgres.url, log })
})
afterAll(async () => {
  await db.close()
  await postgres.stop()
  await rm(folder, { recursive: true, force: true })
})

test('a killed database loses no acknowledged job, and the runner continues automatically', async () => {
  const ran = new Set<number>()
  const acknowledged = new Set<number>()
  const times = { clock: systemClock, clocks: createTenantClocks(systemClock) }
  const app = { db, ...times, log, heartbeats: new Heartbeats() } as unknown as App
  const runner = createJobRunner({
    app,
    pollMs: 100,
    leaseMs: 1_000,
    handlers: [{ kind: 'count', maxAttempts: 50, run: async (_context, { n }) => void ran.add(n as number) }],
  })
  await runner.start()
  const tenant = { accountId: 'acc_1', environment: 'live' as const }
  let sent = 0
  const load = async (count: number) => {
    for (let index = 0; index < count; index++) {
      const n = sent++
      const job = { kind: 'count', tenant, runAt: new Date(0), payload: { n } }
      await db
        .transaction((tx) => enqueueJob(tx, job))
        .then(
          () => acknowledged.add(n),
          () => undefined,
        )
    }
  }
  await load(20)
  const underLoad = load(200)
  process.kill(Number.parseInt(readFileSync(join(folder, 'postgres', 'postmaster.pid'), 'utf8'), 10), 'SIGQUIT')
  await underLoad
  await load(20)
  await expect.poll(() => [...acknowledged].filter((n) => !ran.has(n)), { timeout: 30_000 }).toEqual([])
  expect(acknowledged.has(sent - 1)).toBe(true)
  await runner.stop()
})
