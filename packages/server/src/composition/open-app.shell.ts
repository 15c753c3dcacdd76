import { ConfigError, type Config } from '../platform/config.ts'
import { type Clock, systemClock } from '../platform/clock.ts'
import { readOrCreateKeyFile } from '../platform/crypto/key-file.shell.ts'
import { createSecrets, SecretError, type Secrets } from '../platform/crypto/secrets.shell.ts'
import { startEmbeddedPostgres, type EmbeddedPostgres } from '../platform/db/embedded/embedded.shell.ts'
import { errorCode, isUnavailable } from '../platform/db/errors.ts'
import { clockSkewMsMax, measureClockSkew } from '../platform/db/clock-skew.sql.ts'
import { createListener } from '../platform/db/listener.client.ts'
import { distributedUnfitness } from '../platform/distributed/look.shell.ts'
import { migrate } from '../platform/db/migrate.shell.ts'
import type { Database, Executor } from '../platform/db/database.ts'
import { createDatabase, type PoolDatabase } from '../platform/db/pool.client.ts'
import { isTransactionPooler, openSession } from '../platform/db/pooler.client.ts'
import type { Replica } from '../platform/replica/replica.client.ts'
import { Heartbeats } from '../platform/lifecycle/heartbeats.ts'
import type { Logger } from '../platform/log.shell.ts'
import type { App } from '../platform/app.ts'
import { createNames } from '../platform/mail/names.client.ts'
import { createTenantClocks } from '../platform/tenant-clocks.sql.ts'
import { keepBeforeUpgrade } from './backup.shell.ts'
import { claimKeyId, claimLastingKeys } from './open-app.sql.ts'
import { openReplica } from '../platform/replica/open-replica.shell.ts'

/** Purposes of tokens in links of sent mail and of seals. They stay valid when the encryption key is changed. */
const linkPurposes = ['unsubscribe', 'open', 'click', 'booking', 'meeting', 'erasure']

/** The share of the database connections that records get. */
const recordsShare = 0.1

interface OpenOptions {
  config: Config
  log: Logger
  /** A command releases the embedded database when a server wants it. */
  kind: 'server' | 'command'
  /** Ends the wait for a database that can't be reached. */
  signal?: AbortSignal | undefined
}

type PoolUsage = ReturnType<PoolDatabase['usage']>

export interface OpenApp {
  app: App
  /** Set for the embedded database too. */
  databaseUrl: string
  /** Null with DATABASE_URL. */
  postgres: EmbeddedPostgres | null
  db: PoolDatabase
  /** The app with a separate connection pool for planning and sending, whose statements look rows up by key. */
  engine: App
  /** A separate connection pool for storing the results of sends, so that they never wait behind other work. */
  records: Database
  /** Used and awaited connections of each pool. */
  usage(): Record<'requests' | 'engine' | 'records', PoolUsage> & { replica?: PoolUsage }
  /** Closes all connection pools. */
  disconnect(): Promise<void>
  close(): Promise<void>
}

/** Opens what a server and a command share: the migrated database, secrets and clocks. */
export async function openApp({ config, log, kind, signal }: OpenOptions): Promise<OpenApp> {
  const postgres =
    config.databaseUrl === null
      ? await startEmbeddedPostgres({ dataDir: config.dataDir, log, kind }).catch((error) =>
          refuseSetting(error, 'OVERTURE_DATA_DIR', folderCodes),
        )
      : null
  const databaseUrl = config.databaseUrl ?? (postgres as EmbeddedPostgres).url
  const { db, engineDb, records, ...pools } = openPools({ config, log, kind }, databaseUrl)
  let replica: Replica | null = null
  const disconnect = async () => {
    await replica?.close()
    await pools.disconnect()
  }
  const close = async () => {
    await disconnect()
    await postgres?.stop()
  }
  try {
    if (postgres !== null) await keepBeforeUpgrade({ config, log, url: databaseUrl })
    await migrate({ url: databaseUrl, log, signal, distributed: config.distributed })
    if (config.distributed) await refuseUndistributed(databaseUrl)
    if (config.distributed && kind === 'server') log.warn({ event: 'database.of_several' })
    if (kind === 'server') await refuseClockSkew(db, systemClock)
    if (kind === 'server' && config.databaseUrl !== null) await refuseTransactionPooler(databaseUrl)
    if (kind === 'server' && config.role !== 'worker') replica = await openReplica({ config, log, primary: db })
    const secrets = await openSecrets(config, db)
    const names = createNames({ servers: config.network.dnsServers })
    const app: App = {
      config,
      db,
      ...(replica !== null && { replica }),
      clock: systemClock,
      clocks: createTenantClocks(systemClock),
      secrets,
      log,
      names,
      heartbeats: new Heartbeats(),
    }
    const usage = () => ({ ...pools.usage(), ...(replica !== null && { replica: replica.usage() }) })
    return { app, engine: { ...app, db: engineDb }, records, databaseUrl, postgres, db, usage, disconnect, close }
  } catch (error) {
    await close()
    if (config.databaseUrl === null) throw error
    return refuseDatabaseUrl(error)
  }
}

function openPools({ config, log, kind }: OpenOptions, url: string) {
  const connectionsMax = Math.ceil(config.databasePoolSize / 2)
  const recordsMax = Math.ceil(config.databasePoolSize * recordsShare)
  const listener = createListener({ url, log })
  if (kind === 'server') listener.watch()
  const pool = { url, log, connectionsMax, listener, watchHistory: true, distributed: config.distributed }
  const db = createDatabase(pool)
  const engineMax = Math.max(2, connectionsMax - recordsMax)
  const engineDb = createDatabase({ ...pool, connectionsMax: engineMax, plans: 'generic' })
  const records = createDatabase({ ...pool, connectionsMax: recordsMax, plans: 'generic' })
  return {
    db,
    engineDb,
    records,
    usage: () => ({ requests: db.usage(), engine: engineDb.usage(), records: records.usage() }),
    async disconnect() {
      await Promise.all([db.close(), engineDb.close(), records.close(), listener.close()])
    },
  }
}

/** Throws ConfigError if the clocks of this machine and the database differ by more than leases and limits tolerate. */
export async function refuseClockSkew(db: Executor, clock: Clock): Promise<void> {
  const skewMs = await measureClockSkew(db, clock)
  if (Math.abs(skewMs) <= clockSkewMsMax) return
  const seconds = `${(Math.abs(skewMs) / 1000).toFixed(1)} s ${skewMs > 0 ? 'ahead of' : 'behind'}`
  throw new ConfigError([
    `The clock of this machine is ${seconds} that of the database. ${clockSkewMsMax / 1000} s are allowed. Synchronize both with NTP.`,
  ])
}

/** Throws ConfigError if the servers behind the URL are distributed in a setup that can't keep our guarantees. */
async function refuseUndistributed(url: string): Promise<void> {
  const reason = await distributedUnfitness(url)
  if (reason !== null) throw new ConfigError([`DATABASE_URL: ${reason}`])
}

async function refuseTransactionPooler(url: string): Promise<void> {
  if (!(await isTransactionPooler(() => openSession(url)))) return
  throw new ConfigError([
    'DATABASE_URL: points to a pooler with transaction pooling. Use session pooling, because LISTEN and row-level security need sessions.',
  ])
}

/** Error codes of a path that can't be our folder. */
const folderCodes = ['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EEXIST', 'ENOSPC', 'ENAMETOOLONG']
/**
 * Error codes for an unknown host, a refused login, an unknown database, a missing right and no free connection. Every code of
 * an unreachable server counts too.
 */
const databaseCodes = ['ENOTFOUND', 'EAI_AGAIN', '28000', '28P01', '3D000', '42501', '53300']

/** Throws ConfigError for a database that can't be reached or used; rethrows any other error. */
export function refuseDatabaseUrl(error: unknown): never {
  const code = errorCode(error)
  const unreachable = isUnavailable(error) && (error as NodeJS.ErrnoException).syscall !== 'open'
  if (unreachable && code === null) throw new ConfigError([`DATABASE_URL: ${(error as Error).message}.`])
  return refuseSetting(error, 'DATABASE_URL', unreachable && code !== null ? [code] : databaseCodes)
}

/** Throws ConfigError with the name of the setting if the error has one of these codes; rethrows any other error. */
function refuseSetting(error: unknown, name: string, codes: readonly string[]): never {
  const code = errorCode(error)
  if (code === null || !codes.includes(code)) throw error
  const message = (error as Error).message || 'no connection'
  throw new ConfigError([`${name}: ${message}${message.includes(code) ? '' : ` (${code})`}.`])
}

/**
 * Two nodes with different keys would write secrets that the other node can't read, so the database stores the id of the key.
 * Throws ConfigError if this node has a different key.
 */
export async function openSecrets(config: Config, db: Database): Promise<Secrets> {
  const keys = config.encryptionKeys.length > 0 ? config.encryptionKeys : [await readOrCreateKeyFile(config.dataDir)]
  const all = keys.map((key) => createSecrets([key]).keyId)
  const first = createSecrets(keys, { lasting: null, linkPurposes })
  const known = await claimKeyId(db, first.keyId)
  if (!all.includes(known)) throw wrongKey()
  const lasting = await claimLastingKeys(db, first.mergeLasting(null))
  return withLasting(keys, lasting)
}

function withLasting(keys: readonly string[], lasting: Buffer): Secrets {
  try {
    return createSecrets(keys, { lasting, linkPurposes })
  } catch (error) {
    if (error instanceof SecretError) throw wrongKey()
    throw error
  }
}

function wrongKey(): ConfigError {
  return new ConfigError([
    `OVERTURE_ENCRYPTION_KEY: this is not the key that the database was first used with. ` +
      `Set that key, or "new,old" to change to a new one.`,
  ])
}
