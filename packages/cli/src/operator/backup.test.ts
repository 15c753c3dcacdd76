import { execFile } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { builtCli } from '@overture/testing/programs/program.ts'
import { startOverture } from '@overture/server/composition/start.ts'
import { parseConfig } from '@overture/server/platform/config.ts'
import { createLogger } from '@overture/server/platform/log.shell.ts'
import { migrate, migrationState } from '@overture/server/platform/db/migrate.shell.ts'
import { startEmbeddedPostgres } from '@overture/server/platform/db/embedded/embedded.shell.ts'
import { lacks } from '@overture/testing/tools.ts'

// Each command is a process that loads the whole server, and some commands start their own database.
vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 })

const log = createLogger('silent')
const program = await builtCli()
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'overture-restore-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

function overture(words: readonly string[], environment: Record<string, string>) {
  const env = { PATH: process.env.PATH, LOG_LEVEL: 'fatal', ...environment }
  return new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    execFile(process.execPath, [program, ...words], { env }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    )
  })
}

async function told(words: readonly string[], environment: Record<string, string>): Promise<Record<string, unknown>> {
  const { code, stdout, stderr } = await overture([...words, '--json'], environment)
  expect([code, stderr]).toEqual([0, ''])
  return JSON.parse(stdout) as Record<string, unknown>
}

/** Starts the product like an operator, with its own database in a folder. */
async function startIn(dataDir: string) {
  const lines: string[] = []
  const environment = { OVERTURE_DATA_DIR: dataDir, PORT: '0', OVERTURE_PUBLIC_URL: 'https://overture.example.com' }
  const config = parseConfig(environment, folder)
  const server = await startOverture({ config, log, print: (line) => lines.push(line) })
  const getKey = (name: string) => lines.find((line) => line.startsWith(name))?.slice(name.length) ?? ''
  const port = lines.find((line) => line.startsWith('listening on '))!.slice('listening on '.length)
  const call = async (key: string, method: string, path: string, body?: unknown) => {
    const answer = await fetch(`${port}${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
  }
  return { server, call, live: getKey('live key: '), test: getKey('test key: ') }
}

async function countsOf(url: string): Promise<Record<string, number>> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
       and not relispartition and relpersistence = 'p' and relname <> 'settings' order by 1`,
  )
  const counts: Record<string, number> = {}
  for (const { name } of rows)
    counts[name] = (await client.query<{ n: number }>(`select count(*)::int as n from "${name}"`)).rows[0]!.n
  await client.end()
  return counts
}

test('a backup restores an installation into an empty folder: keys work and campaigns are paused', async () => {
  const from = join(folder, 'from')
  const into = join(folder, 'into')
  const file = join(folder, 'all.tar')
  const first = await startIn(from)
  const { app } = first.server
  const made = await first.call(first.live, 'POST', '/v2/campaigns', { name: 'Running' })
  const waiting = await first.call(first.live, 'POST', '/v2/campaigns', { name: 'Scheduled' })
  const rehearsed = await first.call(first.test, 'POST', '/v2/campaigns', { name: 'Rehearsed' })
  expect([made.status, waiting.status, rehearsed.status]).toEqual([201, 201, 201])
  const idOf = ({ body }: typeof made) => body['id'] as string
  const set = (id: string, status: string) =>
    app.db.execute('update campaigns set status = $2 where id = $1', [id, status])
  await set(idOf(made), 'active')
  await set(idOf(waiting), 'scheduled')
  await set(idOf(rehearsed), 'active')
  const kept = await told(['backup', file, '--include-key'], { OVERTURE_DATA_DIR: from })
  expect(kept).toMatchObject({ path: file, includesKey: true })
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  await first.server.stop()

  const checked = await told(['restore', file, '--check'], { OVERTURE_DATA_DIR: into })
  expect(checked).toMatchObject({ rows: kept['rows'], includesKey: true, sealChecked: true })
  expect(existsSync(into)).toBe(false)
  const back = await told(['restore', file], { OVERTURE_DATA_DIR: into })
  expect(back).toMatchObject({ rows: kept['rows'], paused: 2, applied: [] })
  const key = (dataDir: string) => readFile(join(dataDir, 'encryption.key'), 'utf8')
  expect(await key(into)).toBe(await key(from))
  expect((await stat(join(into, 'encryption.key'))).mode & 0o777).toBe(0o600)
  const again = await overture(['restore', file], { OVERTURE_DATA_DIR: into })
  expect([again.code, again.stderr.trim()]).toEqual([
    1,
    expect.stringMatching(/^A backup can be restored only into an empty database/),
  ])

  const second = await startIn(into)
  expect(second.live).toBe('')
  const status = async (key: string, from: typeof made) => {
    const { body } = await second.call(key, 'GET', `/v2/campaigns/${idOf(from)}`)
    return [body['status'], body['statusReason']]
  }
  expect(await status(first.live, made)).toEqual(['paused', 'restored'])
  expect(await status(first.live, waiting)).toEqual(['paused', 'restored'])
  expect(await status(first.test, rehearsed)).toEqual(['active', null])
  expect((await second.call(first.test, 'GET', `/v2/campaigns/${idOf(made)}`)).status).toBe(404)
  const events = await second.call(first.live, 'GET', '/v2/events?type=campaign.paused')
  expect((events.body['results'] as { data: unknown }[]).map(({ data }) => data)).toMatchObject([
    { reason: 'restored' },
    { reason: 'restored' },
  ])
  const { db } = second.server.app
  expect(await db.query(`select 1 from settings where name = 'sending_held'`)).toHaveLength(1)
  expect(await db.query(`select 1 from settings where name = 'restored'`)).toHaveLength(0)
  const acts = await db.query<{ action: string }>(
    `select action from audit_entries where account_id = '' order by position`,
  )
  expect(acts.map(({ action }) => action)).toContain('operator.restore')
  await second.server.stop()
})

test('the next start completes a restore that was killed, and nothing is sent before', async () => {
  const into = join(folder, 'killed')
  const file = join(folder, 'all.tar')
  await told(['restore', file], { OVERTURE_DATA_DIR: into })
  const config = parseConfig({ OVERTURE_DATA_DIR: into, PORT: '0' }, folder)
  // The state of a restore that was killed after it wrote the rows and before it paused the campaigns.
  const postgres = await startEmbeddedPostgres({ dataDir: into, log, kind: 'command' })
  const client = new pg.Client({ connectionString: postgres.url })
  await client.connect()
  await client.query(`update campaigns set status = 'active', status_reason = null where environment = 'live'`)
  await client.query(`insert into settings (name, value) values ('restored', '{"madeAt": "x", "at": "y"}')`)
  expect((await client.query(`select 1 from settings where name = 'sending_held'`)).rowCount).toBe(1)
  await client.end()
  await postgres.stop()
  const server = await startOverture({ config, log, print: () => undefined })
  const statuses = await server.app.db.query(
    `select distinct status, status_reason from campaigns where environment = 'live'`,
  )
  expect(statuses).toEqual([{ status: 'paused', statusReason: 'restored' }])
  await server.stop()
})

test('with a missing or wrong key, or if damaged, a file is refused and the folder stays unchanged', async () => {
  const into = join(folder, 'keyless')
  const from = { OVERTURE_DATA_DIR: join(folder, 'from') }
  const file = join(folder, 'keyless.tar')
  await told(['backup', file], from)
  const lacking = await overture(['restore', file], { OVERTURE_DATA_DIR: into })
  expect([lacking.code, lacking.stderr]).toEqual([
    1,
    expect.stringMatching(/^The backup was made with key \w+: set OVERTURE_ENCRYPTION_KEY/),
  ])
  const other = await overture(['restore', file], { OVERTURE_DATA_DIR: into, OVERTURE_ENCRYPTION_KEY: 'o'.repeat(64) })
  expect([other.code, other.stderr]).toEqual([1, expect.stringMatching(/another key is set\.\n$/)])
  expect(await told(['restore', file, '--check'], { OVERTURE_DATA_DIR: into })).toMatchObject({ sealChecked: false })
  for (const wrong of [program, join(folder, 'missing.tar')]) {
    const { code, stderr } = await overture(['restore', wrong], { OVERTURE_DATA_DIR: into })
    expect([code, stderr.split('\n').length]).toEqual([1, 2])
  }
  const present = await overture(['backup', file], from)
  expect([present.code, present.stderr]).toEqual([1, `${file} already exists.\n`])
  expect(existsSync(join(into, 'encryption.key'))).toBe(false)
  const key = (await readFile(join(from.OVERTURE_DATA_DIR, 'encryption.key'), 'utf8')).trim()
  expect(await told(['restore', file], { OVERTURE_DATA_DIR: into, OVERTURE_ENCRYPTION_KEY: key })).toMatchObject({
    paused: 2,
  })
})

test('an embedded database is backed up before its upgrade, and up to three backups are kept', async () => {
  const dataDir = join(folder, 'upgraded')
  const key = 'u'.repeat(64)
  const into = { OVERTURE_DATA_DIR: join(folder, 'brought-back'), OVERTURE_ENCRYPTION_KEY: key }
  for (let accounts = 1; accounts <= 4; accounts++) {
    await rm(join(dataDir, 'postgres'), { recursive: true, force: true })
    await onPostgres(dataDir, (url) => fillOlder(url, accounts))
    const { code, stderr } = await overture(['users', 'list'], {
      OVERTURE_DATA_DIR: dataDir,
      OVERTURE_ENCRYPTION_KEY: key,
    })
    expect([code, stderr]).toEqual([0, ''])
  }
  // A start without pending migrations makes no backup.
  expect((await overture(['users', 'list'], { OVERTURE_DATA_DIR: dataDir, OVERTURE_ENCRYPTION_KEY: key })).code).toBe(0)
  const files = readdirSync(join(dataDir, 'backups'))
  expect(files).toHaveLength(3)
  const brought = await told(['restore', join(dataDir, 'backups', files.at(-1)!)], into)
  expect(brought['applied']).toHaveLength(1)
  expect(await onPostgres(into.OVERTURE_DATA_DIR, countsOf)).toMatchObject({ accounts: 4, campaigns: 0 })
})

test('a database without a possible backup is not upgraded, unless the operator insists', async () => {
  const dataDir = join(folder, 'full')
  const environment = { OVERTURE_DATA_DIR: dataDir, OVERTURE_ENCRYPTION_KEY: 'u'.repeat(64) }
  await onPostgres(dataDir, (url) => fillOlder(url, 1))
  // A file at the place of the folder: not even root can create a file in it.
  await writeFile(join(dataDir, 'backups'), '')
  const pending = async () => (await onPostgres(dataDir, (url) => migrationState({ url, log }))).pending.length
  const refused = await overture(['users', 'list'], environment)
  expect([refused.code, refused.stderr]).toEqual([
    1,
    expect.stringMatching(/^OVERTURE_UPGRADE_BACKUPS: .*Nothing was changed\./),
  ])
  expect(await pending()).toBe(1)
  expect((await overture(['users', 'list'], { ...environment, OVERTURE_UPGRADE_BACKUPS: '0' })).code).toBe(0)
  expect(await pending()).toBe(0)
})

const bin15 = '/usr/lib/postgresql/15/bin'
test.skipIf(lacks('PostgreSQL 15', existsSync(join(bin15, 'postgres'))))(
  'a backup moves data to the next major version of PostgreSQL',
  async () => {
    const older = await startFifteen()
    const file = join(folder, 'of-fifteen.tar')
    const key = { OVERTURE_ENCRYPTION_KEY: 'f'.repeat(64) }
    await told(['accounts', 'create', '--name', 'Of fifteen'], {
      ...key,
      DATABASE_URL: older.url,
      OVERTURE_DATA_DIR: folder,
    })
    const { audit_entries: _, audit_unsealed: __, ...before } = await countsOf(older.url)
    await told(['backup', file], { ...key, DATABASE_URL: older.url, OVERTURE_DATA_DIR: folder })
    await older.stop()
    const into = join(folder, 'eighteen')
    expect(await told(['restore', file, '--check'], key)).toMatchObject({
      postgres: expect.stringMatching(/^15/) as string,
    })
    await told(['restore', file], { ...key, OVERTURE_DATA_DIR: into })
    const { audit_entries: ___, audit_unsealed: ____, ...after } = await onPostgres(into, countsOf)
    expect(after).toEqual(before)
    expect(before['accounts']).toBe(1)
  },
)

/** A database of the release before the last migration, with accounts in it. */
async function fillOlder(url: string, accounts: number): Promise<void> {
  const { pending } = await migrationState({ url, log })
  await migrate({ url, log, only: pending.slice(0, -1) })
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(
    `insert into accounts (account_id, name, plan, created_at) select 'acc_' || n, 'Account', 'trial', now()
     from generate_series(1, $1::int) n`,
    [accounts],
  )
  await client.end()
}

async function startFifteen(): Promise<{ url: string; stop(): Promise<void> }> {
  const home = await mkdtemp(join(tmpdir(), 'overture-fifteen-'))
  const isRoot = process.getuid?.() === 0
  const run = (words: string[]) => {
    const [command, ...rest] = isRoot
      ? ['setpriv', '--reuid=postgres', '--regid=postgres', '--clear-groups', ...words]
      : words
    return promisify(execFile)(command!, rest, { cwd: '/' })
  }
  if (isRoot) await promisify(execFile)('chown', ['postgres', home])
  const data = join(home, 'data')
  await run([
    join(bin15, 'initdb'),
    '-D',
    data,
    '-U',
    'overture',
    '--auth=trust',
    '--encoding=UTF8',
    '--locale=C.UTF-8',
    '--no-sync',
  ])
  const settings = `-c listen_addresses= -c unix_socket_directories=${home} -c fsync=off`
  await run([join(bin15, 'pg_ctl'), '-D', data, '-w', '-l', join(home, 'log'), '-o', settings, 'start'])
  return {
    url: `postgresql://overture@localhost/postgres?host=${encodeURIComponent(home)}`,
    async stop() {
      await run([join(bin15, 'pg_ctl'), '-D', data, '-m', 'immediate', 'stop'])
      await rm(home, { recursive: true, force: true })
    },
  }
}

async function onPostgres<Result>(dataDir: string, run: (url: string) => Promise<Result>): Promise<Result> {
  const postgres = await startEmbeddedPostgres({ dataDir, log, kind: 'command' })
  try {
    return await run(postgres.url)
  } finally {
    await postgres.stop()
  }
}
