import { ConfigError, type Config } from '../config.ts'
import type { Database } from '../db/database.ts'
import { isTransactionPooler, openSession } from '../db/pooler.client.ts'
import { Replica } from './replica.client.ts'
import type { Logger } from '../log.shell.ts'

/** The replica's share of the process's connections. */
const replicaShare = 0.5
const setting = 'DATABASE_REPLICA_URL'

interface ReplicaOptions {
  config: Config
  log: Logger
  primary: Database
}

/**
 * Opens the configured replica and starts polling it; null if none is configured. A replica that is not reachable or lags doesn't
 * prevent the start, but is logged. Throws ConfigError for a server that can never be used.
 */
export async function openReplica({ config, log, primary }: ReplicaOptions): Promise<Replica | null> {
  if (config.replica === null) return null
  const connectionsMax = Math.ceil(config.databasePoolSize * replicaShare)
  const replica = new Replica({ ...config.replica, log, primary, connectionsMax })
  try {
    const { state, reason, isUnfit } = await replica.look()
    if (isUnfit) throw new ConfigError([`${setting}: ${reason}`])
    if (state !== 'gone') await refusePooler(config.replica.url)
    replica.start()
    return replica
  } catch (error) {
    await replica.close()
    throw error
  }
}

async function refusePooler(url: string): Promise<void> {
  if (!(await isTransactionPooler(() => openSession(url)))) return
  throw new ConfigError([
    `${setting}: points to a pooler with transaction pooling. Use session pooling, because row-level security needs sessions.`,
  ])
}
