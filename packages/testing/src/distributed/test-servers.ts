import pg from 'pg'
import { migrate } from '@overture/server/platform/db/migrate.shell.ts'
import { distribute } from '@overture/server/platform/distributed/distribute.shell.ts'
import { createLogger } from '@overture/server/platform/log.shell.ts'

/**
 * One of the servers that share a distributed database; the first is the coordinator. `url` is the address of a database that is
 * never dropped.
 */
export interface TestServerOfSeveral {
  host: string
  port: number
  url: string
}

/** Few shards, since each test file creates all of them, and every statement over all accounts queries each. */
const shardCount = 4

/** Finds the servers of the Citus cluster at this address. Returns null if the address is a single PostgreSQL. */
export async function findServers(url: string): Promise<TestServerOfSeveral[] | null> {
  return withClient(url, async (client) => {
    const { rows: extension } = await client.query(`select 1 from pg_extension where extname = 'citus'`)
    if (extension.length === 0) return null
    const { rows } = await client.query<{ host: string; port: number }>(
      'select nodename as host, nodeport as port from pg_dist_node where isactive order by groupid',
    )
    return rows.map(({ host, port }) => {
      const address = new URL(url)
      address.hostname = host
      address.port = String(port)
      return { host, port, url: address.toString() }
    })
  })
}

export interface Joining {
  /** Prepares an empty database of one server to join the others. */
  prepare: (client: pg.Client, server: TestServerOfSeveral) => Promise<unknown>
}

const asCitus: Joining = { prepare: (client) => client.query('create extension citus') }

/** Creates a database of this name on all servers, migrated and distributed, as a template for copies. */
export async function makeTemplateOn(
  servers: readonly TestServerOfSeveral[],
  name: string,
  { prepare }: Joining = asCitus,
): Promise<void> {
  for (const server of servers) {
    await administer(server, `create database ${name}`)
    await administer(server, `alter database ${name} set citus.shard_count = ${shardCount}`)
    await withClient(databaseUrl(server, name), (client) => prepare(client, server))
  }
  const [coordinator, ...workers] = servers as [TestServerOfSeveral, ...TestServerOfSeveral[]]
  const url = databaseUrl(coordinator, name)
  await withClient(url, async (client) => {
    await client.query('select citus_set_coordinator_host($1, $2)', [coordinator.host, coordinator.port])
    for (const { host, port } of workers) await client.query('select citus_add_node($1, $2)', [host, port])
  })
  await migrate({ url, log: createLogger('silent'), distributed: true })
  await withClient(url, (client) => distribute(client, () => undefined))
  // PostgreSQL can't copy a database while a background process is connected to it.
  for (const server of servers) {
    await administer(server, `alter database ${name} allow_connections false`)
    await administer(server, `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`)
  }
}

/** Copies the template on all servers. The copies contain metadata and shards, so the database name must be the same on every server. */
export async function copyTemplateOn(
  servers: readonly TestServerOfSeveral[],
  name: string,
  template: string,
): Promise<void> {
  await Promise.all(servers.map((server) => administer(server, `create database ${name} template ${template}`)))
}

export async function dropOn(servers: readonly TestServerOfSeveral[], name: string): Promise<void> {
  // Drops the coordinator's database first, so that the coordinator no longer queries the others.
  for (const server of servers) await administer(server, `drop database if exists ${name} with (force)`)
}

export function databaseUrl({ url }: Pick<TestServerOfSeveral, 'url'>, name: string): string {
  const address = new URL(url)
  address.pathname = `/${name}`
  return address.toString()
}

function administer({ url }: TestServerOfSeveral, statement: string): Promise<unknown> {
  return withClient(url, (client) => client.query(statement))
}

async function withClient<Result>(url: string, run: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await run(client)
  } finally {
    await client.end()
  }
}
