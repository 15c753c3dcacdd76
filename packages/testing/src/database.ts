import { randomBytes } from 'node:crypto'
import type { PoolDatabase } from '@overture/server/platform/db/pool.client.ts'
import { createDatabase } from '@overture/server/platform/db/pool.client.ts'
import { createLogger } from '@overture/server/platform/log.shell.ts'
import { dropDatabase, runOnce } from './superuser.ts'
import { askRun, runSocketName } from './programs/run-socket.ts'
import { prepared } from './time-spent.ts'
import { copyTemplateOn, dropOn, type TestServerOfSeveral } from './distributed/test-servers.ts'

export interface TestDatabase {
  db: PoolDatabase
  url: string
  drop(): Promise<void>
}

/** Creates a database with every migration applied, for one test file. Close it with `drop` in `afterAll`. */
export function createTestDatabase(): Promise<TestDatabase> {
  return prepared('database', makeDatabase)
}

async function makeDatabase(): Promise<TestDatabase> {
  const { url: serverUrl, template, servers } = await askForServer()
  const name = `test_${randomBytes(8).toString('hex')}`
  if (servers === null) await runOnce(serverUrl, `create database ${name} template ${template}`)
  else await copyTemplateOn(servers, name, template)
  const address = new URL(serverUrl)
  address.pathname = `/${name}`
  const url = address.toString()
  const db = createDatabase({ url, log: createLogger('silent'), connectionsMax: 10, distributed: servers !== null })
  return {
    db,
    url,
    async drop() {
      await db.close()
      if (servers === null) await dropDatabase(serverUrl, name)
      else await dropOn(servers, name)
    },
  }
}

interface TestServer {
  url: string
  template: string
  servers: TestServerOfSeveral[] | null
}

function askForServer(): Promise<TestServer> {
  const socket = process.env[runSocketName]
  if (socket === undefined) throw new Error('A database is made in a run of tests only.')
  return askRun(socket, 'database')
}
