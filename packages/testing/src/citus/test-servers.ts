import pg from 'pg'
import { migrate } from '@overture/server/platform/db/migrate.shell.ts'
import { distribute } from '@overture/server/platform/distributed/distribute.shell.ts'
import { createLogger } from '@overture/server/platform/log.shell.ts'

/** One of the servers that hold a database together; the first is the coordinator. `url` leads to a database that stays. */
export interface TestServerOfSeveral {
  host: string
  port: number
  url: string
}

/** Few, since each test file has all of them, and every statement over all accounts asks each. */
const shardCount = 4

/** The servers of a Citus to which the address leads; null: it is one PostgreSQL. */
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
  /** Makes an empty database of a server ready to be one of several. */
  prepare: (client: pg.Client, server: TestServerOfSeveral) => Promise<unknown>
}

const asCitus: Joining = { prepare: (client) => client.query('create extension citus') }

/** A database of this name over all servers, migrated and distributed, of which copies can be made. */
export async function makeTemplateOn(
  servers: readonly TestServerOfSeveral[],
  name: string,
  { prepare }: Joining = asCitus,
): Promise<void> {
  for (const server of servers) {
    await administer(server, `create database ${name}`)
    await administer(server, `alter database ${name} set citus.shard_count = ${shardCount}`)
    await withClient(databaseOf(server, name), (client) => prepare(client, server))
  }
  const [coordinator, ...workers] = servers as [TestServerOfSeveral, ...TestServerOfSeveral[]]
  const url = databaseOf(coordinator, name)
  await withClient(url, async (client) => {
    await client.query('select citus_set_coordinator_host($1, $2)', [coordinator.host, coordinator.port])
    for (const { host, port } of workers) await client.query('select citus_add_node($1, $2)', [host, port])
  })
  await migrate({ url, log: createLogger('silent'), citus: true })
  await withClient(url, (client) => distribute(client, () => undefined))
  // Whoever keeps it up in the background would keep it from being copied.
  for (const server of servers) {
    await administer(server, `alter database ${name} allow_connections false`)
    await administer(server, `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`)
  }
}

/** A copy of it over all servers: metadata and shards are in the copies, and the name is the same everywhere. */
export async function copyTemplateOn(
  servers: readonly TestServerOfSeveral[],
  name: string,
  template: string,
): Promise<void> {
  await Promise.all(servers.map((server) => administer(server, `create database ${name} template ${template}`)))
}

export async function dropOn(servers: readonly TestServerOfSeveral[], name: string): Promise<void> {
  // The coordinator's first: nobody asks the others for it then.
  for (const server of servers) await administer(server, `drop database if exists ${name} with (force)`)
}

export function databaseOf({ url }: Pick<TestServerOfSeveral, 'url'>, name: string): string {
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
