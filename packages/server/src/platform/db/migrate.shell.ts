import { createHash } from 'node:crypto'
import { pathToFileURL } from 'node:url'
import pg from 'pg'
import { assets, folderAt } from '../assets.shell.ts'
import { monotonicMs, sleep } from '../clock.ts'
import type { Logger } from '../log.shell.ts'
import type { AssetFolder } from '../files/packed-files.shell.ts'
import { findHidingOwner, raiseAccountWall } from './account-wall.sql.ts'
import { errorCode, isUnavailable } from './errors.ts'

interface MigrateOptions {
  url: string
  log: Logger
  folder?: string
  /** Of the files, those that a backup's database had; the others wait. */
  only?: readonly string[]
  lockWaitMs?: number
  /** Whether it is meant to be a database of several servers. */
  citus?: boolean
  /** Ends the wait for a database that can't be reached. */
  signal?: AbortSignal | undefined
}

/** Without a cause it is a refusal, which says itself what to do. */
export class MigrationError extends Error {
  override readonly name = 'MigrationError'
}

interface MigrationState {
  applied: string[]
  pending: string[]
  /** Applied once, and different on disk now. */
  changed: string[]
  /** Applied by a newer release than this one. */
  later: string[]
}

/** What a session needs before it changes tables of several servers. */
export const sessionOfOperator = `set citus.enable_unsafe_triggers = on; set citus.propagate_set_commands = 'local'`
/** Whoever holds it keeps migrations, and so starts, waiting. */
export const migrationsLock = 7_310_579_602
/** How long a database that can't be reached is waited for, and how long it has for one connection. */
const connectBudgetMs = 30_000
const connectTimeoutMs = 10_000
const connectPauseMs = 200
const serverVersionMin = 150_000
/**
 * A change of a table that waits for its lock holds up whoever comes behind it: it steps back after so long, lets them
 * pass, and comes again.
 */
const lockWaitMs = 4_000
const lockPauseMs = 1_000
const lockTriesMax = 60

/**
 * Applies the numbered files that are new, each in a transaction of its own, under a lock that any number of processes
 * may wait for. Answers the names of what it applied. Throws MigrationError when an applied file was changed since, and
 * where somebody else's tables would show no rows, where the database is of a newer release, and where the
 * server can't keep the promises.
 */
export async function migrate(options: MigrateOptions): Promise<string[]> {
  const { url, log, only, signal } = options
  const files = await readMigrations(folderOf(options))
  const client = await connectPatiently({ url, log, signal })
  try {
    await requireFitServer(client, options.citus === true)
    if (options.citus === true) await client.query(sessionOfOperator)
    await client.query('select pg_advisory_lock($1)', [migrationsLock])
    const owner = await findHidingOwner(client)
    // Going on would look like an empty service, with first keys of its own.
    if (owner !== undefined)
      throw new MigrationError(`The tables belong to ${owner} and show this user no rows: make it their owner.`)
    await client.query(
      `create table if not exists schema_migrations (name text primary key, checksum text not null,
         applied_at timestamptz not null default now())`,
    )
    const known = await readApplied(client)
    const changed = files.find((file) => known.has(file.name) && known.get(file.name) !== file.checksum)
    if (changed !== undefined) throw new MigrationError(`${changed.name} was changed after it was applied.`)
    const [later] = laterThan(files, known)
    if (later !== undefined)
      throw new MigrationError(
        `A newer release has brought the database to ${later}: start that one, or bring a backup back.`,
      )
    const fresh = files.filter((file) => !known.has(file.name) && (only?.includes(file.name) ?? true))
    await client.query(`set lock_timeout = ${options.lockWaitMs ?? lockWaitMs}`)
    for (const file of fresh) await patiently(options, file.name, () => apply(client, file))
    await patiently(options, 'account wall', () => raiseAccountWall(client, log))
    if (fresh.length > 0) log.info({ event: 'database.migrated', applied: fresh.map((file) => file.name) })
    return fresh.map((file) => file.name)
  } finally {
    // Ending the session gives the lock back.
    await client.end()
  }
}

/** What is applied and what is not, without changing anything. */
export async function migrationState(options: MigrateOptions): Promise<MigrationState> {
  const { url, log } = options
  const files = await readMigrations(folderOf(options))
  const client = await connectPatiently({ url, log })
  try {
    const { rows } = await client.query(`select to_regclass('schema_migrations') is not null as present`)
    const known = rows[0].present ? await readApplied(client) : new Map<string, string>()
    return {
      applied: files.filter((file) => known.has(file.name)).map((file) => file.name),
      pending: files.filter((file) => !known.has(file.name)).map((file) => file.name),
      changed: files
        .filter((file) => known.has(file.name) && known.get(file.name) !== file.checksum)
        .map((file) => file.name),
      later: laterThan(files, known),
    }
  } finally {
    await client.end()
  }
}

interface Migration {
  name: string
  text: string
  checksum: string
}

function folderOf({ folder }: MigrateOptions): AssetFolder {
  return folder === undefined ? assets.migrations : folderAt(pathToFileURL(`${folder}/`))
}

async function readMigrations(folder: AssetFolder): Promise<Migration[]> {
  const names = (await folder.names()).filter((name) => /^\d{4}_[a-z0-9_]+\.sql$/.test(name)).toSorted()
  const texts = (await folder.read(names)).map((bytes) => bytes.toString('utf8'))
  return names.map((name, index) => {
    const text = texts[index]!
    return { name, text, checksum: createHash('sha256').update(text).digest('hex') }
  })
}

/** What was applied and comes after all that this release has: an older release can't know what it changed. */
function laterThan(files: readonly Migration[], known: ReadonlyMap<string, string>): string[] {
  const last = files.at(-1)?.name ?? ''
  return [...known.keys()].filter((name) => name > last).sort()
}

/** Again, where somebody who works beside it holds a lock for longer than others may be kept waiting. */
async function patiently({ log, signal }: MigrateOptions, name: string, run: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return await run()
    } catch (error) {
      const cause = error instanceof MigrationError ? error.cause : error
      if (errorCode(cause) !== '55P03' || tries >= lockTriesMax || signal?.aborted) throw error
      log.warn({ event: 'database.migration_waits', name, tries })
      await sleep(lockPauseMs, signal)
    }
  }
}

async function apply(client: pg.Client, { name, text, checksum }: Migration): Promise<void> {
  try {
    await client.query('begin')
    await client.query(text)
    await client.query('insert into schema_migrations (name, checksum) values ($1, $2)', [name, checksum])
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => undefined)
    throw new MigrationError(`${name}: ${(error as Error).message}`, { cause: error })
  }
}

async function readApplied(client: pg.Client): Promise<Map<string, string>> {
  const { rows } = await client.query<{ name: string; checksum: string }>(
    'select name, checksum from schema_migrations',
  )
  return new Map(rows.map((row) => [row.name, row.checksum]))
}

async function requireFitServer(client: pg.Client, wantsCitus: boolean): Promise<void> {
  const reason = unfitness(await findServerFacts(client), wantsCitus)
  if (reason !== null) throw new MigrationError(`DATABASE_URL: ${reason}`)
}

/**
 * A client that outlives neither the caller nor a lost connection; waits for a database that is still starting, and says
 * so at the first refusal: a start that is silent for half a minute looks hung.
 */
async function connectPatiently({ url, log, signal }: Omit<MigrateOptions, 'folder'>): Promise<pg.Client> {
  const giveUpAtMs = monotonicMs() + connectBudgetMs
  let told = false
  for (;;) {
    const client = new pg.Client({
      connectionString: url,
      application_name: 'overture migrations',
      connectionTimeoutMillis: connectTimeoutMs,
    })
    client.on('error', () => undefined)
    try {
      await client.connect()
      return client
    } catch (error) {
      await client.end().catch(() => undefined)
      if (!isUnavailable(error) || monotonicMs() > giveUpAtMs || signal?.aborted) throw error
      if (!told) {
        const { host, port, database } = client
        const reason = errorCode(error) ?? (error as Error).message
        log.warn({ event: 'database.waiting', host, port, database, reason, upToSeconds: connectBudgetMs / 1000 })
      }
      told = true
      await sleep(connectPauseMs, signal)
    }
  }
}

/** What decides whether a server can keep the promises. */
export interface ServerFacts {
  version: number
  /** It follows another server, and can only be read. */
  isStandby: boolean
  hasCitus: boolean
  /** Of this session, as the server, the database, the user or the address set it. */
  synchronousCommit: string
}

/** Why a server can't hold the product's database, and what to do; null: it can. */
export function unfitness(facts: ServerFacts, wantsCitus = false): string | null {
  if (facts.version < serverVersionMin) return 'PostgreSQL 15 or newer is needed.'
  if (facts.isStandby)
    return 'this server follows another one and can only be read, and what was written last is missing here: name the one it follows.'
  if (facts.hasCitus && !wantsCitus)
    return (
      'this database has the extension citus, on which events would be lost without an error where it is not prepared for them: ' +
      'use a database without it, and one per group of accounts where one is not enough; ' +
      'or run overture distribute and set OVERTURE_CITUS=on, as "Citus" in docs/operating.md says.'
    )
  if (wantsCitus && !facts.hasCitus)
    return (
      'OVERTURE_CITUS is on, and this database lacks the extension citus: ' +
      'name the coordinator, create the extension there, or set it off.'
    )
  if (facts.synchronousCommit === 'off')
    return (
      'synchronous_commit is off, and what was answered could be gone after a crash: ' +
      'set it to on, for the server or with "alter database … set synchronous_commit = on".'
    )
  return null
}

export async function findServerFacts(client: pg.ClientBase): Promise<ServerFacts> {
  const { rows } = await client.query<ServerFacts>(
    `select current_setting('server_version_num')::int as version, pg_is_in_recovery() as "isStandby",
       exists (select from pg_extension where extname = 'citus') as "hasCitus",
       current_setting('synchronous_commit') as "synchronousCommit"`,
  )
  return rows[0]!
}
