import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runAsSuperuser } from '@overture/testing/superuser.ts'
import { createTestDatabase, type TestDatabase } from '@overture/testing/database.ts'
import { createLogger } from '../log.shell.ts'
import { findServerFacts, migrate, type ServerFacts, unfitness } from './migrate.shell.ts'

const fit: ServerFacts = { version: 150_000, isStandby: false, isDistributed: false, synchronousCommit: 'on' }
let database: TestDatabase
let admin: pg.Client

beforeAll(async () => {
  database = await createTestDatabase()
  admin = new pg.Client({ connectionString: database.url })
  await admin.connect()
})
afterAll(async () => {
  await admin.end()
  await database.drop()
})

const start = () => migrate({ url: database.url, log: createLogger('silent') })
const name = () => new URL(database.url).pathname.slice(1)

test.each<[string, Partial<ServerFacts>, RegExp]>([
  ['an old server', { version: 140_012 }, /15 or newer/],
  ['a standby', { isStandby: true }, /read-only replica.*Use its primary/],
  ['a database of several servers', { isDistributed: true }, /citus.*use a database without it/],
  ['a server that replies before it has written', { synchronousCommit: 'off' }, /synchronous_commit.*set it to on/],
])('%s is refused with advice', (_what, facts, sentence) => expect(unfitness({ ...fit, ...facts })).toMatch(sentence))

test.each(['on', 'local', 'remote_write', 'remote_apply'])('synchronous_commit = %s is accepted', (setting) =>
  expect(unfitness({ ...fit, synchronousCommit: setting })).toBeNull(),
)

test('the test server is accepted', async () => {
  expect(unfitness(await findServerFacts(admin))).toBeNull()
  expect(await start()).toEqual([])
})

test('a database with Citus is refused before any change', async () => {
  // The extension is not available everywhere. Its row in pg_extension is all that the check reads.
  await runAsSuperuser(
    database.url,
    `set allow_system_table_mods = on;
     insert into pg_extension (oid, extname, extowner, extnamespace, extrelocatable, extversion)
     select 99999, 'citus', oid, 'pg_catalog'::regnamespace, false, '13.2' from pg_roles where rolname = current_user`,
  )
  await expect(start()).rejects.toThrow(/^DATABASE_URL: .*citus/)
  await runAsSuperuser(database.url, `delete from pg_extension where extname = 'citus'`)
  expect(await start()).toEqual([])
})

test('a server with synchronous_commit off is refused, and accepted after it is on', async () => {
  await admin.query(`alter database ${name()} set synchronous_commit = off`)
  await expect(start()).rejects.toThrow(/^DATABASE_URL: synchronous_commit is off/)
  await admin.query(`alter database ${name()} set synchronous_commit = on`)
  expect(await start()).toEqual([])
})
