import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { startEmbeddedPostgres } from '@overture/server/platform/db/embedded/embedded.shell.ts'
import { readHolder } from '@overture/server/platform/db/embedded/hold.shell.ts'
import { stopOrphan } from '@overture/server/platform/db/embedded/postmaster.shell.ts'
import { migrate } from '@overture/server/platform/db/migrate.shell.ts'
import { createLogger } from '@overture/server/platform/log.shell.ts'
import { programSocketName } from './programs/program.ts'
import { createProgramStore, serveProgramStore } from './programs/program-store.ts'
import { dropDatabase, grantRightsOfTests, runOnce } from './superuser.ts'
import { dropOn, findServers, makeTemplateOn, type TestServerOfSeveral } from './citus/test-servers.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** Socket that returns the database of this test run: `{url, template, servers}` or `{error}`, one line of JSON. */
    databaseSocket: string
  }
}

interface TestTemplate {
  url: string
  template: string
  /** The servers of a Citus cluster, or null for a single PostgreSQL. */
  servers: TestServerOfSeveral[] | null
  close(): Promise<void>
}

const folderPrefix = 'overture-test-'

/** The name of the variable with the socket of the run's database, which the projects of a run share. */
const databaseSocketName = 'OVERTURE_TEST_DATABASE'

/** Starts one PostgreSQL per run when the first test asks for it, so that a run of pure tests starts none. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const shared = process.env[databaseSocketName]
  if (shared !== undefined) {
    project.provide('databaseSocket', shared)
    return () => Promise.resolve()
  }
  const folder = await mkdtemp(join(tmpdir(), folderPrefix))
  const given = process.env.TEST_DATABASE_URL
  const servers = given === undefined ? null : await findServers(given)
  // Processes that the tests start inherit this variable.
  if (servers !== null) process.env['OVERTURE_CITUS'] = 'on'
  let template: Promise<TestTemplate> | null = null
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    template ??= given !== undefined && servers !== null ? makeDistributed(given, servers) : makeTemplate(folder)
    template.then(
      ({ url, template: name }) => socket.end(`${JSON.stringify({ url, template: name, servers })}\n`),
      (error: Error) => socket.end(`${JSON.stringify({ error: error.message })}\n`),
    )
  })
  const path = join(folder, 'ask')
  await new Promise<void>((resolve) => server.listen(path, resolve))
  project.provide('databaseSocket', path)
  process.env[databaseSocketName] = path
  const programSocket = join(folder, 'build')
  const programs = await serveProgramStore(createProgramStore(join(folder, 'programs')), programSocket)
  process.env[programSocketName] = programSocket
  return async () => {
    programs.close()
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
