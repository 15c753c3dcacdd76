import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { superuserUrl } from '../superuser.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startEmbeddedPostgres } from '@overture/server/platform/db/embedded/embedded.shell.ts'
import { planDistribution } from '@overture/server/platform/distributed/distribute.shell.ts'
import { createLogger } from '@overture/server/platform/log.shell.ts'
import { installCitusDouble } from './citus-double.ts'
import {
  copyTemplateOn,
  databaseUrl,
  dropOn,
  findServers,
  makeTemplateOn,
  type TestServerOfSeveral,
} from './test-servers.ts'

let folder: string
let started: Awaited<ReturnType<typeof startEmbeddedPostgres>>[]
let servers: TestServerOfSeveral[]

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'overture-several-'))
  const start = (name: string) =>
    startEmbeddedPostgres({
      dataDir: join(folder, name),
      log: createLogger('silent'),
      kind: 'server',
      settings: { fsync: 'off', shared_buffers: '16MB' },
    })
  started = [await start('one'), await start('two')]
  servers = started.map(({ url }, index) => ({ host: `server-${index}.test`, port: 5432, url: superuserUrl(url) }))
})
afterAll(async () => {
  for (const postgres of started) await postgres.stop()
  await rm(folder, { recursive: true, force: true })
})

async function ask<Row extends pg.QueryResultRow>(url: string, ...texts: readonly string[]): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    let rows: Row[] = []
    for (const text of texts) ({ rows } = await client.query<Row>(text))
    return rows
  } finally {
    await client.end()
  }
}

const names = async (server: TestServerOfSeveral) =>
  (
    await ask<{ name: string }>(
      server.url,
      `select datname as name from pg_database where datname ~ '^several_' order by 1`,
    )
  ).map(({ name }) => name)

test('a database on several servers is created, copied and dropped on each', async () => {
  const [coordinator] = servers as [TestServerOfSeveral]
  await makeTemplateOn(servers, 'several_template', {
    prepare: async (client, server) => {
      if (server === coordinator) await installCitusDouble(client)
    },
  })
  await copyTemplateOn(servers, 'several_copy', 'several_template')
  for (const server of servers) expect(await names(server)).toEqual(['several_copy', 'several_template'])

  const copy = databaseUrl(coordinator, 'several_copy')
  const client = new pg.Client({ connectionString: copy })
  await client.connect()
  // Settings of a database are not copied with the database.
  await client.query('set search_path = public, citus_double')
  expect(await planDistribution(client)).toEqual([])
  const { rows } = await client.query<{ name: string }>(
    'select nodename as name from pg_dist_node where nodename ~ $1 order by groupid',
    ['^server'],
  )
  expect(rows.map(({ name }) => name)).toEqual(['server-0.test', 'server-1.test'])
  await client.end()

  const asCopy = new URL(copy)
  asCopy.searchParams.set('options', '-c search_path=public,citus_double')
  const found = await findServers(asCopy.toString())
  expect(found?.map(({ host }) => host)).toEqual(expect.arrayContaining(['server-0.test', 'server-1.test']))
  expect(new URL(found![0]!.url).hostname).toBe('server-0.test')
  expect(await findServers(coordinator.url)).toBeNull()

  for (const name of ['several_copy', 'several_template']) await dropOn(servers, name)
  for (const server of servers) expect(await names(server)).toEqual([])
})
