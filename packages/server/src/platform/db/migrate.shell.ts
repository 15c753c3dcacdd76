import { createHash } from 'node:crypto'
import { pathToFileURL } from 'node:url'
import pg from 'pg'
import { assets, folderAt } from '../assets.shell.ts'
import { monotonicMs, sleep } from '../clock.ts'
import type { Logger } from '../log.shell.ts'
import type { AssetFolder } from '../files/packed-files.shell.ts'
import { findHidingOwner, raiseAccountWall } from './account-wall.sql.ts'
import { errorCode, isUnavailable } from './errors.ts'
import { findMismatch, sessionOfOperator, spansServers } from './several-servers.ts'
import { statementsIn } from '@overture/ground/text/sql-statements.ts'

interface MigrateOptions {
  url: string
  log: Logger
  folder?: string
  /** Applies only these files, which a backup's database had; the others are not applied yet. */
  only?: readonly string[]
  lockWaitMs?: number
  /** Whether the database should span several servers. */
  distributed?: boolean
  /** Ends the wait for a database that is not reachable. */
  signal?: AbortSignal | undefined
}

/** An error without a cause is a refusal; its message says what to do. */
export class MigrationError extends Error {
  override readonly name = 'MigrationError'
}

interface MigrationState {
  applied: string[]
  pending: string[]
  /** Files that differ on disk from their applied version. */
  changed: string[]
  /** Files applied by a newer release than this one. */
  later: string[]
}

/** The lock of migrations. While another process holds it, migrations, and so starts, wait. */
export const migrationsLock = 7_310_579_602
/** How long to wait for an unreachable database. `connectTimeoutMs` is the limit of one attempt. */
const connectBudgetMs = 30_000
const connectTimeoutMs = 10_000
const connectPauseMs = 200
const serverVersionMin = 150_000
/**
 * How long a change of a table waits for its lock. While it waits, later statements queue behind it. So it gives up after this
 * time, lets them run, and tries again.
 */
const lockWaitMs = 4_000
const lockPauseMs = 1_000
const lockTriesMax = 60

/**
 * Applies the new numbered files, each in its own transaction, under a lock for which any number of processes may wait. Returns
 * the names of the applied files. Throws MigrationError if an applied file was changed since, or the database is of a newer release
 * or from before the first release. Also throws it if the tables of another owner show no rows, or if the server is unfit for the product.
 */
export async function migrate(options: MigrateOptions): Promise<string[]> {
  const { url, log, only, signal } = options
  const files = await readMigrations(assetFolder(options))
  const client = await connectPatiently({ url, log, signal })
  try {
    const distributed = options.distributed === true
    await requireFitServer(client, distributed)
    if (distributed) await client.query(sessionOfOperator)
    await client.query('select pg_advisory_lock($1)', [migrationsLock])
    const owner = await findHidingOwner(client)
    // Continuing would look like an empty service, and new first keys would be created.
    if (owner !== undefined)
      throw new MigrationError(`The tables belong to ${owner}, so this user sees no rows. Make this user their owner.`)
    await client.query(
      `create table if not exists schema_migrations (name text primary key, checksum text not null,
         applied_at timestamptz not null default now())`,
    )
    const known = await readApplied(client)
    const refusal = findRefusal(compare(files, known))
    if (refusal !== null) throw new MigrationError(refusal)
    const fresh = files.filter((file) => !known.has(file.name) && (only?.includes(file.name) ?? true))
    await client.query(`set lock_timeout = ${options.lockWaitMs ?? lockWaitMs}`)
    for (const file of fresh) await patiently(options, file.name, () => apply(client, file, distributed))
    await patiently(options, 'account wall', () => raiseAccountWall(client, log))
    if (fresh.length > 0) log.info({ event: 'database.migrated', applied: fresh.map((file) => file.name) })
    return fresh.map((file) => file.name)
  } finally {
    // Ending the session releases the lock.
    await client.end()
  }
}

/** Returns the applied and pending files without changing anything. */
export async function migrationState(options: MigrateOptions): Promise<MigrationState> {
  const { url, log } = options
  const files = await readMigrations(assetFolder(options))
  const client = await connectPatiently({ url, log })
  try {
    const { rows } = await client.query(`select to_regclass('schema_migrations') is not null as present`)
    const known = rows[0].present ? await readApplied(client) : new Map<string, string>()
    return compare(files, known)
  } finally {
    await client.end()
  }
}

interface Migration {
  name: string
  text: string
  checksum: string
}

function assetFolder({ folder }: MigrateOptions): AssetFolder {
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

function compare(files: readonly Migration[], known: ReadonlyMap<string, string>): MigrationState {
  const migrationNames = (chosen: (file: Migration) => boolean) => files.filter(chosen).map(({ name }) => name)
  const last = files.at(-1)?.name ?? ''
  return {
    applied: migrationNames(({ name }) => known.has(name)),
    pending: migrationNames(({ name }) => !known.has(name)),
    changed: migrationNames(({ name, checksum }) => known.has(name) && known.get(name) !== checksum),
    later: [...known.keys()].filter((name) => name > last).sort(),
  }
}

/** Returns why this release can't migrate the database, with the remedy; null if it can. */
function findRefusal({ changed: [changed], later: [later] }: MigrationState): string | null {
  // A newer release keeps the files of this one. So a database with both was migrated with the files of before the first release.
  if (changed !== undefined && later !== undefined)
    return (
      `The database is from before the first release: its ${changed} differs, and this release has no ${later}. ` +
      "It can't be upgraded. Start with an empty database or data folder."
    )
  if (changed !== undefined)
    return `${changed} was changed after it was applied. Install the release that applied it, or use an empty database.`
  // An older release can't know what the later files changed.
  if (later !== undefined)
    return `A newer release migrated the database to ${later}. Start that release, or restore a backup.`
  return null
}

/** Retries while another session holds a lock for longer than other statements may be delayed. */
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

// A distributed database sends the text of a change to its other servers, which accept only one statement.
async function apply(client: pg.Client, { name, text, checksum }: Migration, oneByOne: boolean): Promise<void> {
  try {
    await client.query('begin')
    for (const statement of oneByOne ? statementsIn(text) : [text]) await client.query(statement)
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

async function requireFitServer(client: pg.Client, wantsDistributed: boolean): Promise<void> {
  const reason = unfitness(await findServerFacts(client), wantsDistributed)
  if (reason !== null) throw new MigrationError(`DATABASE_URL: ${reason}`)
}

/**
 * Connects with a client that ends with its caller or a lost connection. Waits for a database that is still starting. The first
 * failure is logged, because a start that is silent for half a minute looks hung.
 */
async function connectPatiently({ url, log, signal }: Omit<MigrateOptions, 'folder'>): Promise<pg.Client> {
  const giveUpAtMs = monotonicMs() + connectBudgetMs
  let isLogged = false
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
      if (!isLogged) {
        const { host, port, database } = client
        const reason = errorCode(error) ?? (error as Error).message
        log.warn({ event: 'database.waiting', host, port, database, reason, upToSeconds: connectBudgetMs / 1000 })
      }
      isLogged = true
      await sleep(connectPauseMs, signal)
    }
  }
}

/** The facts that decide whether a server is fit for the product. */
export interface ServerFacts {
  version: number
  /** Whether it follows another server and is read-only. */
  isStandby: boolean
  isDistributed: boolean
  /** The value for this session, as the server, the database, the user or the URL sets it. */
  synchronousCommit: string
}

/** Returns why a server can't host the product's database, with the remedy; null if it can. */
export function unfitness(facts: ServerFacts, wantsDistributed = false): string | null {
  if (facts.version < serverVersionMin) return 'PostgreSQL 15 or newer is required.'
  if (facts.isStandby) return 'this server is a read-only replica. Use its primary.'
  const mismatch = findMismatch(facts.isDistributed, wantsDistributed)
  if (mismatch !== null) return mismatch
  if (facts.synchronousCommit === 'off')
    return (
      'synchronous_commit is off, so acknowledged data can be lost in a crash: ' +
      'set it to on, for the server or with "alter database … set synchronous_commit = on".'
    )
  return null
}

export async function findServerFacts(client: pg.ClientBase): Promise<ServerFacts> {
  const { rows } = await client.query<ServerFacts>(
    `select current_setting('server_version_num')::int as version, pg_is_in_recovery() as "isStandby",
       ${spansServers} as "isDistributed",
       current_setting('synchronous_commit') as "synchronousCommit"`,
  )
  return rows[0]!
}
