import { fork, type ChildProcess } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { systemClock } from '../packages/server/src/platform/clock.ts'
import { parseConfig } from '../packages/server/src/platform/config.ts'
import { createSecrets } from '@overture/server/platform/crypto/secrets.shell.ts'
import { grantRightsOfTests } from '@overture/testing/superuser.ts'
import { startEmbeddedPostgres } from '@overture/server/platform/db/embedded/embedded.shell.ts'
import { migrate } from '@overture/server/platform/db/migrate.shell.ts'
import { createDatabase, type PoolDatabase } from '@overture/server/platform/db/pool.client.ts'
import { Heartbeats } from '@overture/server/platform/lifecycle/heartbeats.ts'
import { createLogger } from '@overture/server/platform/log.shell.ts'
import { createNames } from '@overture/server/platform/mail/names.client.ts'
import { createTenantClocks } from '../packages/server/src/platform/tenant-clocks.sql.ts'
import type { App } from '../packages/server/src/platform/app.ts'

export interface Stage {
  app: App
  /** The app with the connection pool of planning and sending. */
  engine: App
  db: PoolDatabase
  url: string
  close(): Promise<void>
}

/** Starts a PostgreSQL with the product's settings, and creates an App for it. */
export async function openStage(): Promise<Stage> {
  const folder = await mkdtemp(join(tmpdir(), 'overture-bench-'))
  const log = createLogger('error')
  const postgres = await startEmbeddedPostgres({
    dataDir: folder,
    log,
    kind: 'server',
    settings: JSON.parse(process.env.OVERTURE_BENCH_PG_SETTINGS ?? '{}'),
  })
  await grantRightsOfTests(postgres.url)
  await migrate({ url: postgres.url, log })
  const db = createDatabase({ url: postgres.url, log })
  const engineDb = createDatabase({ url: postgres.url, log, plans: 'generic' })
  const config = parseConfig(
    {
      DATABASE_URL: postgres.url,
      OVERTURE_ALLOW_PRIVATE_TARGETS: '1',
      LOG_LEVEL: 'error',
      OVERTURE_PUBLIC_URL: 'https://mail.example.com',
    },
    folder,
  )
  const app: App = {
    config,
    db,
    clock: systemClock,
    clocks: createTenantClocks(systemClock),
    secrets: createSecrets(['the key of a benchmark run']),
    names: createNames({ servers: [] }),
    log,
    heartbeats: new Heartbeats(),
  }
  return {
    app,
    engine: { ...app, db: engineDb },
    db,
    url: postgres.url,
    async close() {
      await Promise.all([db.close(), engineDb.close()])
      await postgres.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

export interface SinkFigures {
  accepted: number
  /** CPU time since the start. */
  cpuMs: number
}

export interface Sink {
  port: number
  told(): Promise<SinkFigures>
  stop(): void
}

export async function startSink(answersAfterMs = 0): Promise<Sink> {
  const sink = fileURLToPath(new URL('./sink.ts', import.meta.url))
  const child = fork(sink, [String(answersAfterMs)], { execArgv: ['--import', 'tsx'] })
  const { port } = await answer<{ port: number }>(child)
  return {
    port,
    told() {
      const figures = answer<SinkFigures>(child)
      child.send('tell')
      return figures
    },
    stop: () => void child.kill(),
  }
}

function answer<Told>(child: ChildProcess): Promise<Told> {
  return new Promise((resolve) => child.once('message', (message) => resolve(message as Told)))
}

export interface Measured {
  seconds: number
  /** User and system time of this process. */
  cpuSeconds: number
}

export async function measure(run: () => Promise<void>): Promise<Measured> {
  const cpu = process.cpuUsage()
  const startedMs = performance.now()
  await run()
  const used = process.cpuUsage(cpu)
  return { seconds: (performance.now() - startedMs) / 1000, cpuSeconds: (used.user + used.system) / 1e6 }
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? 0
}

export function line(name: string, ratio: number, detail: string): void {
  process.stdout.write(`${name.padEnd(44)} ${ratio.toFixed(2).padStart(7)}   ${detail}\n`)
}
