import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbeddedPostgres } from '@overture/server/platform/db/embedded/embedded.shell.ts'
import { readHolder } from '@overture/server/platform/db/embedded/hold.shell.ts'
import { stopOrphan } from '@overture/server/platform/db/embedded/postmaster.shell.ts'
import { migrate } from '@overture/server/platform/db/migrate.shell.ts'
import { createLogger } from '@overture/server/platform/log.shell.ts'
import { createProgramStore } from './programs/program-store.ts'
import { runSocketName, serveRun } from './programs/run-socket.ts'
import { dropDatabase, grantRightsOfTests, runOnce } from './superuser.ts'
import { dropOn, findServers, makeTemplateOn, type TestServerOfSeveral } from './distributed/test-servers.ts'

interface TestTemplate {
  url: string
  template: string
  /** The servers of a distributed database, or null for a single PostgreSQL. */
  servers: TestServerOfSeveral[] | null
  close(): Promise<void>
}

const folderPrefix = 'overture-test-'

/**
 * Answers the tests of a run on a socket: `database` starts one PostgreSQL, so that a run of pure tests starts none, and the path of a
 * program builds it. The projects of a run share the socket.
 */
export async function setup(): Promise<() => Promise<void>> {
  if (process.env[runSocketName] !== undefined) return () => Promise.resolve()
  const folder = await mkdtemp(join(tmpdir(), folderPrefix))
  const given = process.env.TEST_DATABASE_URL
  const servers = given === undefined ? null : await findServers(given)
  // Processes that the tests start inherit this variable.
  if (servers !== null) process.env['OVERTURE_CITUS'] = 'on'
  let template: Promise<TestTemplate> | null = null
  const programs = createProgramStore(join(folder, 'programs'))
  const socketPath = join(folder, 'ask')
  const server = await serveRun(socketPath, async (line) => {
    if (line !== 'database') return programs.build(line)
    template ??= given !== undefined && servers !== null ? makeDistributed(given, servers) : makeTemplate(folder)
    const { url, template: name } = await template
    return { url, template: name, servers }
  })
  process.env[runSocketName] = socketPath
  return async () => {
    server.close()
    await (await template?.catch(() => null))?.close()
    await rm(folder, { recursive: true, force: true })
  }
}

async function makeDistributed(url: string, servers: TestServerOfSeveral[]): Promise<TestTemplate> {
  const template = newTemplateName()
  await makeTemplateOn(servers, template)
  return { url, template, servers, close: () => dropOn(servers, template) }
}

function newTemplateName(): string {
  return `overture_template_${randomBytes(6).toString('hex')}`
}

async function makeTemplate(folder: string): Promise<TestTemplate> {
  const log = createLogger('silent')
  await removeLeftovers()
  const given = process.env.TEST_DATABASE_URL
  const postgres =
    given === undefined
      ? await startEmbeddedPostgres({
          dataDir: folder,
          log,
          kind: 'server',
          // The data is deleted after the run, so PostgreSQL needs no durability.
          settings: { fsync: 'off', full_page_writes: 'off', shared_buffers: '64MB', autovacuum_naptime: '10s' },
        })
      : { url: given, stop: () => Promise.resolve() }
  if (given === undefined) await grantRightsOfTests(postgres.url)
  const template = newTemplateName()
  await runOnce(postgres.url, `create database ${template}`)
  await migrate({ url: withDatabase(postgres.url, template), log })
  return {
    url: postgres.url,
    template,
    servers: null,
    async close() {
      if (given !== undefined) await dropDatabase(given, template)
      await postgres.stop()
    },
  }
}

// Stops PostgreSQL servers that killed test runs left running.
async function removeLeftovers(): Promise<void> {
  const folders = readdirSync(tmpdir())
    .filter((name) => name.startsWith(folderPrefix))
    .map((name) => join(tmpdir(), name))
  for (const folder of folders.filter((path) => existsSync(join(path, 'holder.json')))) {
    if ((await readHolder(folder)) !== null) continue
    await stopOrphan(join(folder, 'postgres'))
    await rm(folder, { recursive: true, force: true })
  }
}

function withDatabase(url: string, name: string): string {
  const changed = new URL(url)
  changed.pathname = `/${name}`
  return changed.toString()
}
