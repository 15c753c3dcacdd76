import pg from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { installCitusDouble } from '@overture/testing/distributed/citus-double.ts'
import { createTestDatabase, type TestDatabase } from '@overture/testing/database.ts'
import { parseConfig } from '../platform/config.ts'
import { distribute } from '../platform/distributed/distribute.shell.ts'
import { createLogger } from '../platform/log.shell.ts'
import { openApp } from './open-app.shell.ts'

// A test distributes every table.
vi.setConfig({ testTimeout: 300_000 })

let database: TestDatabase
let client: pg.Client
beforeAll(async () => {
  database = await createTestDatabase()
  client = new pg.Client({ connectionString: database.url })
  await client.connect()
  await installCitusDouble(client)
})
afterAll(async () => {
  await client.end()
  await database.drop()
})

const open = (citus: string, kind: 'server' | 'command' = 'server') => {
  const settings = { DATABASE_URL: database.url, OVERTURE_CITUS: citus, OVERTURE_ENCRYPTION_KEY: 'a'.repeat(64) }
  return openApp({ config: parseConfig(settings, '/nowhere'), log: createLogger('silent'), kind })
}

test('a server on Citus starts only if the tables are distributed', async () => {
  await expect(open('off')).rejects.toThrow(/^DATABASE_URL: .*citus/)
  await expect(open('on')).rejects.toThrow(/DATABASE_URL: .*not distributed.*run overture distribute/)
  await distribute(client, () => undefined)
  const command = await open('on', 'command')
  await command.close()
  const started = await open('on')
  try {
    const [row] = await started.engine.db.query(`select current_setting('plan_cache_mode') as plans`)
    expect(row).toEqual({ plans: 'auto' })
  } finally {
    await started.close()
  }
})

test('settings that need a single server are refused with OVERTURE_CITUS', () => {
  const refused = (settings: Record<string, string>) => () =>
    parseConfig({ OVERTURE_CITUS: 'on', ...settings }, '/nowhere')
  expect(refused({})).toThrow(/OVERTURE_CITUS: needs DATABASE_URL/)
  const replica = { DATABASE_URL: 'postgres://a.test/a', DATABASE_REPLICA_URL: 'postgres://b.test/a' }
  expect(refused(replica)).toThrow(/DATABASE_REPLICA_URL: can't be used with OVERTURE_CITUS/)
})
