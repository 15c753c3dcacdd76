import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import pg from 'pg'
import { pack as createPack } from 'tar-stream'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createTestDatabase, type TestDatabase } from '@overture/testing/database.ts'
import { insertFilled, listColumns, valueThatFills, type TableColumn } from '@overture/testing/filled-tables.sql.ts'
import { createSecrets } from '../crypto/secrets.shell.ts'
import { describeSchema } from '../db/describe-schema.sql.ts'
import { migrate, migrationState } from '../db/migrate.shell.ts'
import { createDatabase } from '../db/pool.client.ts'
import { createLogger } from '../log.shell.ts'
import { BackupError, parseHeader } from './backup.ts'
import { checkBackup, requireSeal, restoreBackup } from './restore-backup.shell.ts'
import { dropDatabase } from '@overture/testing/superuser.ts'
import { writeBackup } from './write-backup.shell.ts'

// Each test copies whole databases.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 })

const log = createLogger('silent')
const key = 'k'.repeat(64)
let source: TestDatabase
let folder: string
let file: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'overture-backup-'))
  file = join(folder, 'whole.tar')
  source = await createTestDatabase()
  await fill(source.url)
  await write(source.url, file)
})
afterAll(async () => {
  await source.drop()
  await rm(folder, { recursive: true, force: true })
})

const write = (url: string, path: string) => writeBackup({ url, path, keys: [key], includedKey: null })

async function onClient<Result>(url: string, run: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(`set timezone = 'UTC'`)
    return await run(client)
  } finally {
    await client.end()
  }
}

/** Fills every table with rows, in three months if it is partitioned by month, and advances the sequences. */
async function fill(url: string): Promise<void> {
  await onClient(url, async (client) => {
    const byTable = new Map<string, TableColumn[]>()
    for (const column of await listColumns(client, []))
      if (column.table !== 'schema_migrations')
        byTable.set(column.table, [...(byTable.get(column.table) ?? []), column])
    for (const month of ['2026-07-01', '2026-08-01', '2026-09-01'])
      await client.query('select create_events_month($1), create_audit_month($1)', [month])
    await client.query('set session_replication_role = replica')
    const many = Array.from({ length: 3 }, (_, index) => `row ${index}`)
    for (const [at, salt] of many.entries()) {
      for (const [table, columns] of byTable) {
        const valueOf = (column: TableColumn) =>
          column.name === 'recorded_at' || (table === 'audit_entries' && column.name === 'at')
            ? new Date(Date.UTC(2026, 6 + at, 15))
            : column.name === 'position' && column.type === 'bigint'
              ? at + 1
              : valueThatFills(column, { accountId: `acc ${salt}`, salt })
        await insertFilled(client, { table, columns, valueOf })
      }
    }
    await client.query('set session_replication_role = origin')
    await client.query(`select setval('events_position', 4711)`)
    await client.query(`insert into settings (name, value) values ('encryption_key_id', to_jsonb($1::text))`, [
      createSecrets([key]).keyId,
    ])
  })
}

interface Contents {
  schema: string
  rows: Record<string, string>
  sequences: Record<string, string>
  months: string[]
}

/** The whole content of a database, except for data that a crash may empty and data that a restore adds. */
async function contentsOf(url: string): Promise<Contents> {
  const db = createDatabase({ url, log, connectionsMax: 1 })
  const schema = await describeSchema(db)
  await db.close()
  return onClient(url, async (client) => {
    const { rows: tables } = await client.query<{ name: string }>(
      `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
         and not relispartition and relpersistence = 'p' order by 1`,
    )
    const rows: Contents['rows'] = {}
    for (const { name } of tables) {
      const text = name === 'schema_migrations' ? 't.name' : 't::text'
      const kept = name === 'settings' ? `where name not in ('restored', 'sending_held')` : ''
      const { rows: found } = await client.query<{ sum: string }>(
        `select count(*) || ' ' || coalesce(md5(string_agg(${text}, ' ' order by ${text})), '') as sum from "${name}" t ${kept}`,
      )
      rows[name] = found[0]!.sum
    }
    const sequences = await client.query<{ name: string; value: string | null }>(
      `select sequencename as name, last_value::text as value from pg_sequences where schemaname = 'public' order by 1`,
    )
    const months = await client.query<{ name: string }>(
      `select relname as name from pg_class where relispartition and relkind = 'r' order by 1`,
    )
    return {
      schema,
      rows,
      sequences: Object.fromEntries(sequences.rows.map(({ name, value }) => [name, String(value)])),
      months: months.rows.map(({ name }) => name),
    }
  })
}

/** A database without tables. */
async function emptyDatabase(): Promise<{ url: string; drop(): Promise<void> }> {
  const name = `empty_${randomBytes(8).toString('hex')}`
  await onClient(source.url, (client) => client.query(`create database ${name} template template0`))
  const address = new URL(source.url)
  address.pathname = `/${name}`
  return {
    url: address.toString(),
    drop: () => dropDatabase(source.url, name),
  }
}

async function inEmpty(run: (url: string) => Promise<void>): Promise<void> {
  const database = await emptyDatabase()
  try {
    await run(database.url)
  } finally {
    await database.drop()
  }
}

async function bring(url: string, path: string) {
  return restoreBackup({ url, log, path, checked: await checkBackup(path) })
}

const relations = (url: string) =>
  onClient(url, async (client) => {
    const { rows } = await client.query<{ count: number }>(
      `select count(*)::int as count from pg_class where relnamespace = 'public'::regnamespace`,
    )
    return rows[0]!.count
  })

test('a restore gives back every table row for row, with months, sequences, keys and indexes', async () => {
  const before = await contentsOf(source.url)
  const empty = Object.entries(before.rows).filter(([, sum]) => sum.startsWith('0 '))
  expect(empty.map(([name]) => name)).toEqual([])
  expect(before.months).toEqual(expect.arrayContaining(['events_2026_07', 'audit_entries_2026_09']))
  await inEmpty(async (url) => {
    const { rows, applied } = await bring(url, file)
    expect(applied).toEqual([])
    expect(rows).toBeGreaterThan(200)
    expect(await contentsOf(url)).toEqual(before)
    await onClient(url, async (client) => {
      const held = await client.query(`select 1 from settings where name in ('sending_held', 'restored')`)
      expect(held.rowCount).toBe(2)
    })
  })
})

test('a damaged or foreign file is refused, or restores the same content', async () => {
  const whole = await readFile(file)
  const good = await checkBackup(file)
  const damaged = join(folder, 'damaged.tar')
  const positions = fc.nat(whole.length - 1)
  const damage = fc.oneof(
    positions.map((at) => whole.subarray(0, at)),
    fc.tuple(positions, fc.integer({ min: 1, max: 255 })).map(([at, by]) => {
      const bytes = Buffer.from(whole)
      bytes[at] = bytes[at]! ^ by
      return bytes
    }),
    fc.tuple(positions, positions).map(([from, to]) => Buffer.concat([whole.subarray(0, from), whole.subarray(to)])),
    fc.uint8Array({ maxLength: 4_000 }).map((bytes) => Buffer.from(bytes)),
    fc.constantFrom(gzipSync(whole), Buffer.alloc(10_240), Buffer.concat([whole, whole])),
  )
  let refused = 0
  await fc.assert(
    fc.asyncProperty(damage, async (bytes) => {
      await writeFile(damaged, bytes)
      const read = await checkBackup(damaged).catch((error: unknown) => {
        expect(error).toBeInstanceOf(BackupError)
        expect((error as Error).message).toMatch(/^\S.*\.$/)
        return null
      })
      if (read === null) refused++
      else expect(read).toEqual(good)
    }),
    { numRuns: 250 },
  )
  expect(refused).toBeGreaterThan(150)
})

test('a damaged file leaves the database empty, and an undamaged one can be restored afterwards', async () => {
  const torn = join(folder, 'torn.tar')
  await writeFile(torn, await readFile(file))
  await truncate(torn, 200_000)
  await inEmpty(async (url) => {
    await expect(bring(url, torn)).rejects.toThrow(/is incomplete\.$/)
    expect(await relations(url)).toBe(0)
    // The checked file is not the one that is restored.
    await expect(restoreBackup({ url, log, path: torn, checked: await checkBackup(file) })).rejects.toThrow(BackupError)
    await onClient(url, async (client) => {
      expect((await client.query('select 1 from accounts')).rowCount).toBe(0)
      expect((await client.query('select 1 from settings')).rowCount).toBe(0)
    })
    await bring(url, file)
    expect((await contentsOf(url)).rows).toEqual((await contentsOf(source.url)).rows)
  })
})

test('a restore interrupted by the database leaves only empty tables, and can be repeated', async () => {
  await inEmpty(async (url) => {
    let killed = false
    const dying = restoreBackup({
      url,
      log,
      path: file,
      checked: await checkBackup(file),
      onProgress: (done) => {
        if (done < 0.5 || killed) return
        killed = true
        void onClient(source.url, (client) =>
          client.query(
            `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'overture restore'`,
          ),
        )
      },
    })
    // The file is small, so the restore may end before it is killed: then all rows are there.
    const ended = await dying.then(
      () => 'whole' as const,
      () => 'nothing' as const,
    )
    if (ended === 'nothing') {
      await onClient(url, async (client) => expect((await client.query('select 1 from accounts')).rowCount).toBe(0))
      await bring(url, file)
    }
    expect((await contentsOf(url)).rows).toEqual((await contentsOf(source.url)).rows)
  })
})

test('a database with any content is not changed', async () => {
  const full = await createTestDatabase()
  await fill(full.url)
  const before = await contentsOf(full.url)
  await expect(bring(full.url, file)).rejects.toThrow(/into an empty database, but \w+ has rows/)
  expect(await contentsOf(full.url)).toEqual(before)
  await full.drop()
  await inEmpty(async (url) => {
    await onClient(url, (client) => client.query('create table theirs (id integer)'))
    await expect(bring(url, file)).rejects.toThrow(/this one has a table theirs/)
    expect(await relations(url)).toBe(1)
  })
})

/** A copy of the file with some entries changed. */
async function rewritten(path: string, change: (name: string, bytes: Buffer) => Buffer | null): Promise<string> {
  const { extract } = await import('tar-stream')
  const { createReadStream } = await import('node:fs')
  const { buffer } = await import('node:stream/consumers')
  const pack = createPack()
  const written = buffer(pack)
  for await (const entry of createReadStream(path).pipe(extract())) {
    const bytes = change(entry.header.name, await buffer(entry))
    if (bytes !== null) pack.entry({ name: entry.header.name }, bytes)
  }
  pack.finalize()
  const target = join(folder, `${randomBytes(4).toString('hex')}.tar`)
  await writeFile(target, await written)
  return target
}

test('a changed backup with correct digests has no valid seal', async () => {
  const secrets = createSecrets([key])
  requireSeal(await checkBackup(file), secrets)
  requireSeal(await checkBackup(file), createSecrets(['another key of ours', key]))
  const forged = await rewritten(file, (name, bytes) => {
    if (name !== 'manifest.json') return bytes
    const { manifest, seal } = JSON.parse(bytes.toString()) as { manifest: string; seal: string }
    return Buffer.from(JSON.stringify({ manifest: ` ${manifest}`, seal }))
  })
  const read = await checkBackup(forged)
  expect(() => requireSeal(read, secrets)).toThrow(/seal is not valid/)
  const own = await checkBackup(file)
  expect(() => requireSeal(own, createSecrets(['somebody else’s key']))).toThrow(/seal is not valid/)
  for (const entry of ['overture-backup.json', 'manifest.json', 'tables/accounts/00000001.copy']) {
    const lacking = await rewritten(file, (name, bytes) => (name === entry ? null : bytes))
    await expect(checkBackup(lacking)).rejects.toThrow(BackupError)
  }
})

test('names in a file must be valid names of tables and columns', () => {
  const header = (name: string) =>
    JSON.stringify({
      format: 1,
      madeAt: '2026-03-02T08:00:00.000Z',
      version: '1',
      postgres: '18',
      keyId: 'ab',
      migrations: [{ name: 'a', checksum: 'a'.repeat(64) }],
      tables: [{ name, columns: [name], months: [] }],
      sequences: [],
    })
  expect(parseHeader(header('leads')).tables[0]?.name).toBe('leads')
  const name = fc.string().filter((text) => !/^[a-z_][a-z0-9_]*$/.test(text))
  fc.assert(
    fc.property(name, (text) => {
      expect(() => parseHeader(header(text))).toThrow(BackupError)
    }),
  )
  expect(() => parseHeader(JSON.stringify({ format: 2 }))).toThrow(/newer release/)
})

test('a backup of an earlier release is restored into its own tables, and then migrated', async () => {
  const all = (await migrationState({ url: source.url, log })).applied
  const older = await emptyDatabase()
  await migrate({ url: older.url, log, only: all.slice(0, -1) })
  await onClient(older.url, (client) =>
    client.query(`insert into settings (name, value) values ('encryption_key_id', to_jsonb($1::text))`, [
      createSecrets([key]).keyId,
    ]),
  )
  const path = join(folder, 'older.tar')
  await write(older.url, path)
  await older.drop()
  await inEmpty(async (url) => {
    expect((await bring(url, path)).applied).toEqual(all.slice(-1))
    expect((await contentsOf(url)).schema).toBe((await contentsOf(source.url)).schema)
  })
})

test('a backup of a later release is refused before any change', async () => {
  const later = await createTestDatabase()
  await onClient(later.url, (client) =>
    client.query(`insert into schema_migrations (name, checksum) values ('9999_later.sql', repeat('a', 64))`),
  )
  const path = join(folder, 'later.tar')
  await write(later.url, path)
  await later.drop()
  await inEmpty(async (url) => {
    await expect(bring(url, path)).rejects.toThrow(/9999_later\.sql, which this release does not know/)
    expect(await relations(url)).toBe(0)
  })
})

test('a backup during writes is consistent', async () => {
  const busy = await createTestDatabase()
  const count = (client: pg.Client, table: string) =>
    client.query(`insert into ${table} (name, value) select 'n ' || gen_random_uuid(), '1'`)
  await onClient(busy.url, (client) => client.query('create table twin (name text, value jsonb)'))
  await onClient(busy.url, (client) => client.query(`comment on table twin is 'platform: As many as settings.'`))
  let writing = true
  const writer = onClient(busy.url, async (client) => {
    while (writing) {
      await client.query('begin')
      await count(client, 'settings')
      await count(client, 'twin')
      await client.query('commit')
    }
  })
  const twins = () => onClient(busy.url, async (client) => (await client.query('select 1 from twin limit 1')).rowCount)
  await expect.poll(twins, { timeout: 60_000 }).toBe(1)
  for (let round = 0; round < 3; round++) {
    const path = join(folder, `busy-${round}.tar`)
    await write(busy.url, path)
    const { tables } = await checkBackup(path)
    const rows = (name: string) => tables.find((table) => table.name === name)?.rows
    expect(rows('settings')).toBe(rows('twin'))
    expect(rows('twin')).toBeGreaterThan(0)
  }
  writing = false
  await writer
  await busy.drop()
})

test('an existing file is not overwritten, and a failed backup leaves no file', async () => {
  const before = await readFile(file)
  await expect(write(source.url, file)).rejects.toThrow(/already exists/)
  expect(await readFile(file)).toEqual(before)
  const nowhere = join(folder, 'missing', 'backup.tar')
  await expect(write(source.url, nowhere)).rejects.toThrow(/ENOENT/)
  const other = { path: join(folder, 'other.tar'), keys: ['x'.repeat(20)], includedKey: null }
  await expect(writeBackup({ url: source.url, ...other })).rejects.toThrow(/another key is set/)
  expect((await readdir(folder)).filter((name) => name.endsWith('.part'))).toEqual([])
})
