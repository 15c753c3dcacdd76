import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createLogger } from '../log.shell.ts'
import type { TestDatabase } from '@overture/testing/database.ts'
import { runAsSuperuser } from '@overture/testing/superuser.ts'
import { createTestDatabase } from '@overture/testing/database.ts'
import { migrate, MigrationError, migrationState } from './migrate.shell.ts'

const log = createLogger('silent')
let database: TestDatabase
let folder: string
beforeAll(async () => {
  database = await createTestDatabase()
  folder = await mkdtemp(join(tmpdir(), 'overture-migrations-'))
})
afterAll(async () => {
  await database.drop()
  await rm(folder, { recursive: true })
})

test('four concurrent migrations apply each file once', async () => {
  for (const number of [1, 2, 3]) {
    await writeFile(
      join(folder, `900${number}_four.sql`),
      `create table four_${number} (id integer); select pg_sleep(0.2);`,
    )
  }
  const module = fileURLToPath(new URL('./migrate.shell.ts', import.meta.url))
  const program = `
    const { migrate } = await import(${JSON.stringify(module)})
    const log = { info() {} }
    const applied = await migrate({ url: ${JSON.stringify(database.url)}, folder: ${JSON.stringify(folder)}, log })
    console.log(applied.length)`
  const run = () => promisify(execFile)(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', program])
  const counts = (await Promise.all([run(), run(), run(), run()])).map(({ stdout }) => Number(stdout))
  expect(counts.reduce((sum, count) => sum + count)).toBe(3)
})

test('a failed file changes nothing, and earlier files stay applied', async () => {
  const files = await mkdtemp(join(tmpdir(), 'overture-migrations-'))
  await writeFile(join(files, '9101_good.sql'), 'create table good (id integer)')
  await writeFile(join(files, '9102_bad.sql'), 'create table half (id integer); select nonsense')
  const options = { url: database.url, folder: files, log }
  await expect(migrate(options)).rejects.toThrow('9102_bad.sql')
  expect(await migrationState(options)).toEqual({
    applied: ['9101_good.sql'],
    pending: ['9102_bad.sql'],
    changed: [],
    later: [],
  })
  expect(await database.db.query(`select to_regclass('half') as half`)).toEqual([{ half: null }])
  await rm(files, { recursive: true })
})

test('refuses a file that was changed after it was applied', async () => {
  const files = await mkdtemp(join(tmpdir(), 'overture-migrations-'))
  const options = { url: database.url, folder: files, log }
  await writeFile(join(files, '9201_changed.sql'), 'create table changed (id integer)')
  await migrate(options)
  await writeFile(join(files, '9201_changed.sql'), 'select 1')
  await expect(migrate(options)).rejects.toThrow(
    /^9201_changed\.sql was changed after it was applied\. Install the release that applied it/,
  )
  expect((await migrationState(options)).changed).toEqual(['9201_changed.sql'])
  await rm(files, { recursive: true })
})

test('tables of another owner are reported and not treated as an empty database', async () => {
  const user = `other_${new URL(database.url).pathname.slice(-8)}`
  for (const statement of [
    `create role ${user} login`,
    `grant create on schema public to ${user}`,
    `grant select, insert, update, delete on all tables in schema public to ${user}`,
  ])
    await runAsSuperuser(database.url, statement)
  const url = new URL(database.url)
  url.username = user
  try {
    await expect(migrate({ url: url.toString(), log })).rejects.toThrow(
      /^The tables belong to \S+, so this user sees no rows/,
    )
  } finally {
    await runAsSuperuser(database.url, `drop owned by ${user}; drop role ${user}`)
  }
})

test('a database of a newer release is refused and not changed', async () => {
  const own = await createTestDatabase()
  const options = { url: own.url, log }
  await own.db.execute(`insert into schema_migrations (name, checksum) values ('9999_later.sql', 'x')`)
  await own.db.execute(`delete from schema_migrations where name = '0022_signals.sql'`)
  await expect(migrate(options)).rejects.toThrow(/newer release migrated the database to 9999_later\.sql/)
  expect(await migrationState(options)).toMatchObject({ pending: ['0022_signals.sql'], later: ['9999_later.sql'] })
  await own.drop()
})

test('refuses a database from before the first release, and changes nothing in it', async () => {
  const own = await createTestDatabase()
  const options = { url: own.url, log }
  // The files of that time had the same first names and ended with 0343.
  await own.db.execute(`update schema_migrations set checksum = 'x' where name < '0020'`)
  await own.db.execute(`delete from schema_migrations where name >= '0020'`)
  await own.db.execute(
    `insert into schema_migrations (name, checksum) values ('0161_history.sql', 'x'), ('0343_proven_replies.sql', 'x')`,
  )
  const before = await own.db.query('select name, checksum, applied_at from schema_migrations order by name')
  const refusal = migrate(options)
  await expect(refusal).rejects.toThrow(MigrationError)
  await expect(refusal).rejects.toThrow(
    'The database is from before the first release: its 0001_platform.sql differs, and this release has no 0161_history.sql. ' +
      "It can't be upgraded. Start with an empty database or data folder.",
  )
  expect(await own.db.query('select name, checksum, applied_at from schema_migrations order by name')).toEqual(before)
  await own.drop()
})

test('a change that waits for a lock steps back, lets others through, and is tried again', async () => {
  const own = await createTestDatabase()
  const files = await mkdtemp(join(tmpdir(), 'overture-migrations-'))
  await writeFile(join(files, '9999_wide.sql'), 'alter table accounts add column wide integer')
  let waits = 0
  let waited: () => void
  const stepsBack = new Promise<void>((resolve) => (waited = resolve))
  const telling = { info() {}, warn: () => (++waits >= 2 ? waited() : undefined) } as never
  let migrating: Promise<string[]> | undefined
  await own.db.transaction(async (tx) => {
    await tx.query('select 1 from accounts limit 1')
    migrating = migrate({ url: own.url, log: telling, folder: files, lockWaitMs: 100 })
    await stepsBack
    // The waiting migration blocks no other statement between two tries.
    await own.db.query('select 1 from accounts limit 1')
  })
  expect(await migrating).toEqual(['9999_wide.sql'])
  expect(await own.db.query('select wide from accounts')).toEqual([])
  await own.drop()
  await rm(files, { recursive: true })
})
