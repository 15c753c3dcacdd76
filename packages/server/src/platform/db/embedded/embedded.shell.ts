import { minuteMs } from '@overture/ground/time/spans.ts'
import type { ChildProcess } from 'node:child_process'
import { chmod, mkdir } from 'node:fs/promises'
import pg from 'pg'
import { monotonicMs, sleep } from '../../clock.ts'
import type { Logger } from '../../log.shell.ts'
import { administrator, prepareCluster, socketLockIn, type Cluster } from './cluster.shell.ts'
import { takeHold, type Hold, type Holder } from './hold.shell.ts'
import { isGoneWithin, signal, stopOrphan, stopProcess } from './postmaster.shell.ts'

interface EmbeddedOptions {
  /** An absolute path. */
  dataDir: string
  log: Logger
  /** A command gives way: a server that starts waits until it has ended, and it waits for others before it stops the database. */
  kind: Holder['kind']
  settings?: Readonly<Record<string, string>>
}

export interface EmbeddedPostgres {
  url: string
  /** False if another process of the product runs it. `stop` then does nothing. */
  owned: boolean
  stop(): Promise<void>
}

const readyWithinMs = 300_000
const handOverWithinMs = minuteMs
const pollMs = 20
const commandPatienceMs = 5_000
const restartPauseMs = { min: 100, max: 5_000 }

/** Starts the PostgreSQL of a data folder, or joins the one that another process of the product runs there. */
export async function startEmbeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  await mkdir(options.dataDir, { recursive: true, mode: 0o700 })
  // Data folders of earlier releases were readable for all users. The folder of another user keeps its mode.
  await chmod(options.dataDir, 0o700).catch(() => undefined)
  const giveUpAtMs = monotonicMs() + handOverWithinMs
  for (;;) {
    const hold = await takeHold(options.dataDir, options.kind)
    if ('announce' in hold) return startHeld(options, hold)
    if (hold.url !== null && hold.kind === 'server' && (await answers(hold.url))) {
      return { url: hold.url, owned: false, stop: () => Promise.resolve() }
    }
    if (monotonicMs() > giveUpAtMs) {
      throw new Error(
        `OVERTURE_DATA_DIR: process ${hold.pid} uses ${options.dataDir} and its database does not respond.`,
      )
    }
    await sleep(pollMs)
  }
}

async function startHeld(options: EmbeddedOptions, hold: Hold): Promise<EmbeddedPostgres> {
  try {
    const cluster = await prepareAfterOrphan(options)
    const supervisor = superviseCluster(cluster, options.log)
    const stop = async () => {
      await supervisor.stop(options.kind)
      await cluster.cleanUp()
      await hold.release()
    }
    try {
      await supervisor.start()
      await createDatabaseOnce(administratorUrl(cluster))
      const url = clusterUrl(cluster, { user: 'overture', database: 'overture' })
      await hold.announce(url)
      return { url, owned: true, stop }
    } catch (error) {
      await stop()
      throw error
    }
  } catch (error) {
    await hold.release()
    throw error
  }
}

async function prepareAfterOrphan({ dataDir, settings = {}, log }: EmbeddedOptions): Promise<Cluster> {
  await stopOrphan(`${dataDir}/postgres`, [socketLockIn(dataDir)])
  const beganMs = monotonicMs()
  const cluster = await prepareCluster({ dataDir, settings })
  log.debug({ event: 'postgres.prepared', tookMs: Math.round(monotonicMs() - beganMs) })
  return cluster
}

/** Keeps one PostgreSQL running: it is restarted if it ends unexpectedly. */
function superviseCluster(cluster: Cluster, log: Logger) {
  let child: ChildProcess | null = null
  let stopping = false
  let pauseMs = restartPauseMs.min

  function launch(): ChildProcess {
    const current = cluster.start()
    child = current
    current.unref()
    current.on('error', (error) => log.error({ event: 'postgres.not_started', reason: error.message }))
    current.on('exit', (code, name) => {
      if (child === current) child = null
      if (stopping || !ready) return
      log.warn({ event: 'postgres.ended', code, signal: name, againInMs: pauseMs })
      setTimeout(() => {
        if (!stopping) launch()
      }, pauseMs)
      pauseMs = Math.min(pauseMs * 2, restartPauseMs.max)
    })
    // A minute of service resets the pause after failures.
    setTimeout(() => {
      if (child === current) pauseMs = restartPauseMs.min
    }, minuteMs).unref()
    return current
  }

  // If the process ends without a clean stop, PostgreSQL is at least told to shut down.
  const atExit = () => {
    if (child?.pid !== undefined) signal(child.pid, 'SIGINT')
  }
  let ready = false
  return {
    async start(): Promise<void> {
      process.on('exit', atExit)
      launch()
      await waitUntilReady(cluster, () => child !== null)
      ready = true
    },
    async stop(kind: Holder['kind']): Promise<void> {
      stopping = true
      const pid = child?.pid
      if (pid !== undefined) {
        // A smart shutdown lets another command that has joined finish first.
        if (kind === 'command') signal(pid, 'SIGTERM')
        if (kind !== 'command' || !(await isGoneWithin(pid, commandPatienceMs))) await stopProcess(pid)
      }
      process.off('exit', atExit)
    },
  }
}

async function waitUntilReady(cluster: Cluster, isRunning: () => boolean): Promise<void> {
  const giveUpAtMs = monotonicMs() + readyWithinMs
  const url = administratorUrl(cluster)
  for (;;) {
    const failure = await connectionFailure(url)
    if (failure === null) return
    // 28000: the server runs and refuses this login, so waiting doesn't help.
    if ('code' in failure && failure.code === '28000')
      throw new Error(`PostgreSQL refuses its own administrator: ${failure.message}`)
    if (!isRunning()) throw new Error(`PostgreSQL ended while starting:\n${cluster.logTail()}`)
    if (monotonicMs() > giveUpAtMs) throw new Error(`PostgreSQL did not become ready:\n${cluster.logTail()}`)
    await sleep(pollMs)
  }
}

async function answers(url: string): Promise<boolean> {
  return (await connectionFailure(url)) === null
}

async function connectionFailure(url: string): Promise<Error | null> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 })
  client.on('error', () => undefined)
  try {
    await client.connect()
    return null
  } catch (error) {
    return error as Error
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** Creates the product's role, which is no superuser, and its database. The role creates the role of requests. */
async function createDatabaseOnce(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => undefined)
  await client.connect()
  try {
    const { rows } = await client.query<{ hasRole: boolean; hasDatabase: boolean }>(
      `select exists (select from pg_roles where rolname = 'overture') as "hasRole",
         exists (select from pg_database where datname = 'overture') as "hasDatabase"`,
    )
    if (rows[0]?.hasRole === false) await client.query('create role overture login createrole')
    if (rows[0]?.hasDatabase === false) await client.query('create database overture owner overture')
  } finally {
    await client.end()
  }
}

function administratorUrl(cluster: Cluster): string {
  return clusterUrl(cluster, { user: administrator, database: 'postgres' })
}

function clusterUrl(cluster: Cluster, { user, database }: { user: string; database: string }): string {
  return `postgresql://${user}@localhost/${database}?host=${encodeURIComponent(cluster.socketFolder)}`
}
