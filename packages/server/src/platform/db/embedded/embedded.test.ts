import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, readFileSync } from 'node:fs'
import { chmod, lstat, mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { afterEach, expect, test } from 'vitest'
import { createLogger } from '../../log.shell.ts'
import { memoryBytes } from '../../machine.shell.ts'
import { migrate } from '../migrate.shell.ts'
import { createDatabase } from '../pool.client.ts'
import { administrator, sharedBuffersMb } from './cluster.shell.ts'
import { startEmbeddedPostgres, type EmbeddedPostgres } from './embedded.shell.ts'
import { fittingUser, parsePasswd, writeAccessRules } from './identity.shell.ts'
import { lacks } from '@overture/testing/tools.ts'

const log = createLogger('silent')
const settings = { fsync: 'off' }
const cleanups: (() => Promise<unknown> | void)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'overture-embedded-'))
  cleanups.push(() => rm(folder, { recursive: true, force: true }))
  return folder
}

async function start(dataDir: string, kind: 'server' | 'command' = 'server'): Promise<EmbeddedPostgres> {
  const postgres = await startEmbeddedPostgres({ dataDir, log, kind, settings })
  cleanups.push(() => postgres.stop())
  return postgres
}

async function ask<Row>(url: string, text: string): Promise<Row[]> {
  const db = createDatabase({ url, log })
  try {
    return await db.query<Row>(text)
  } finally {
    await db.close()
  }
}

function postmasterPid(dataDir: string): number {
  return Number.parseInt(readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8'), 10)
}

/** Starts another process, which runs the database of a folder until it is killed. */
async function startElsewhere(dataDir: string, kind: string): Promise<ChildProcess> {
  const module = fileURLToPath(new URL('./embedded.shell.ts', import.meta.url))
  const logger = fileURLToPath(new URL('../../log.shell.ts', import.meta.url))
  const program = `
    const { startEmbeddedPostgres } = await import(${JSON.stringify(module)})
    const { createLogger } = await import(${JSON.stringify(logger)})
    const postgres = await startEmbeddedPostgres({ dataDir: ${JSON.stringify(dataDir)}, log: createLogger('silent'),
      kind: ${JSON.stringify(kind)}, settings: { fsync: 'off' } })
    process.stdin.on('end', async () => { await postgres.stop(); process.exit(0) }).resume()
    console.log('ready')`
  const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', program], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  cleanups.push(() => void child.kill('SIGKILL'))
  for await (const line of createInterface({ input: child.stdout as NodeJS.ReadableStream }))
    if (line === 'ready') break
  return child
}

test('a clean stop keeps the data and leaves no process or holder file', async () => {
  const dataDir = await makeFolder()
  const first = await startEmbeddedPostgres({ dataDir, log, kind: 'server', settings })
  await ask(first.url, 'create table kept (id integer)')
  const pid = postmasterPid(dataDir)
  await first.stop()
  expect(() => process.kill(pid, 0)).toThrow('ESRCH')
  expect(existsSync(join(dataDir, 'holder.json'))).toBe(false)
  const second = await start(dataDir)
  expect(await ask(second.url, 'select count(*) as n from kept')).toEqual([{ n: 0 }])
})

test('listens only on a socket, sorts by code point and is version 18', async () => {
  const { url } = await start(await makeFolder())
  const [row] = await ask(
    url,
    `select current_setting('listen_addresses') as addresses, current_setting('server_version_num')::int / 10000 as major,
       (select datlocprovider::text || datlocale from pg_database where datname = current_database()) as locale`,
  )
  expect(row).toEqual({ addresses: '', major: 18, locale: 'bC.UTF-8' })
})

test("the product's role isn't superuser and can enforce row-level security", async () => {
  const { url } = await start(await makeFolder())
  await migrate({ url, log })
  expect(
    await ask(url, 'select current_user as me, rolsuper, rolcreatedb from pg_roles where rolname = current_user'),
  ).toEqual([{ me: 'overture', rolsuper: false, rolcreatedb: false }])
  expect(
    await ask(
      url,
      `select count(*)::int as walled from pg_policy p join pg_roles r on r.oid = any (p.polroles) where rolname = 'overture_request'`,
    ),
  ).toEqual([{ walled: expect.any(Number) }])
  await expect(ask(url, `copy (select 1) to program 'true'`)).rejects.toThrow(/permission denied/)
  await expect(ask(url, `select pg_read_file('postgresql.conf')`)).rejects.toThrow(/permission denied/)
})

test('after kill -9 the next start ends the orphaned database and loses nothing', async () => {
  const dataDir = await makeFolder()
  const child = await startElsewhere(dataDir, 'server')
  const { url } = JSON.parse(readFileSync(join(dataDir, 'holder.json'), 'utf8')) as { url: string }
  await ask(url, 'create table kept as select 1 as id')
  const orphan = postmasterPid(dataDir)
  child.kill('SIGKILL')
  await new Promise((resolve) => child.on('exit', resolve))
  expect(process.kill(orphan, 0)).toBe(true)
  const postgres = await start(dataDir)
  expect(postmasterPid(dataDir)).not.toBe(orphan)
  expect(await ask(postgres.url, 'select id from kept')).toEqual([{ id: 1 }])
})

/** Process ids that a postmaster.pid may contain after a crash, by the process that has the id now. */
const strangers: [string, (folder: string) => Promise<number>][] = [
  ['a process that is gone', async () => idOf(spawn('true'), true)],
  ['a zombie process', () => makeZombie()],
  ['this process', async () => process.pid],
  ['another process', async () => idOf(keep(spawn('sleep', ['600'])), false)],
  ['another process in the same folder', async (cwd) => idOf(keep(spawn('sleep', ['600'], { cwd })), false)],
]

const kept: ChildProcess[] = []
afterEach(() => {
  for (const child of kept.splice(0)) child.kill('SIGKILL')
})

function keep(child: ChildProcess): ChildProcess {
  kept.push(child)
  return child
}

async function idOf(child: ChildProcess, ended: boolean): Promise<number> {
  if (ended) await new Promise((resolve) => child.once('exit', resolve))
  return child.pid as number
}

// A child of a shell that was replaced by `sleep`, which never waits for its children. The child ends after that.
async function makeZombie(): Promise<number> {
  const parent = keep(
    spawn('sh', ['-c', 'cat <&3 & echo $!; exec sleep 600'], { stdio: ['ignore', 'pipe', 'ignore', 'pipe'] }),
  )
  const [first] = await once(parent.stdout as NodeJS.ReadableStream, 'data')
  const pid = Number.parseInt(String(first), 10)
  const patience = { timeout: 60_000 }
  await expect.poll(() => readFileSync(`/proc/${parent.pid}/comm`, 'utf8'), patience).toBe('sleep\n')
  ;(parent.stdio[3] as Writable).end()
  await expect.poll(() => readFileSync(`/proc/${pid}/stat`, 'utf8'), patience).toContain(') Z ')
  return pid
}

test.each(strangers)("starts despite lock files with %s, and doesn't touch that process", async (_name, find) => {
  const dataDir = await makeFolder()
  await (await startEmbeddedPostgres({ dataDir, log, kind: 'server', settings })).stop()
  const folder = join(dataDir, 'postgres')
  const pid = await find(folder)
  await writeFile(join(folder, 'postmaster.pid'), `${pid}\n${folder}\n`)
  await writeFile(join(dataDir, 'run', '.s.PGSQL.5432.lock'), `${pid}\n${folder}\n`)
  await writeFile(
    join(dataDir, 'holder.json'),
    JSON.stringify({ pid, startedAt: 'long ago', kind: 'server', url: 'x' }),
  )
  expect((await start(dataDir)).owned).toBe(true)
  for (const child of kept) expect([child.exitCode, child.signalCode]).toEqual([null, null])
})

test("starts with a left-over socket lock, also of another folder's running server", async () => {
  const [dataDir, elsewhere] = [await makeFolder(), await makeFolder()]
  await (await startEmbeddedPostgres({ dataDir, log, kind: 'server', settings })).stop()
  const other = await start(elsewhere)
  const lock = join(dataDir, 'run', '.s.PGSQL.5432.lock')
  for (const pid of [await idOf(spawn('true'), true), await makeZombie(), postmasterPid(elsewhere)]) {
    await writeFile(lock, `${pid}\n${join(dataDir, 'postgres')}\n`)
    const postgres = await startEmbeddedPostgres({ dataDir, log, kind: 'server', settings })
    expect(postgres.owned).toBe(true)
    await postgres.stop()
  }
  expect(await ask(other.url, 'select 1 as one')).toEqual([{ one: 1 }])
})

test('a command joins a running server and leaves it running', async () => {
  const dataDir = await makeFolder()
  const server = await start(dataDir)
  const command = await startEmbeddedPostgres({ dataDir, log, kind: 'command', settings })
  expect(command).toMatchObject({ owned: false, url: server.url })
  await command.stop()
  expect(await ask(server.url, 'select 1 as one')).toEqual([{ one: 1 }])
})

test('a server waits for a command that uses the database, and takes over', async () => {
  const dataDir = await makeFolder()
  const command = await startElsewhere(dataDir, 'command')
  const server = start(dataDir)
  command.stdin?.end()
  expect((await server).owned).toBe(true)
})

test('a PostgreSQL that dies is restarted, and callers only wait', async () => {
  const dataDir = await makeFolder()
  const { url } = await start(dataDir)
  const db = createDatabase({ url, log })
  cleanups.push(() => db.close())
  await db.execute('create table kept (id integer)')
  const pid = postmasterPid(dataDir)
  process.kill(pid, 'SIGKILL')
  const isReplaced = () => existsSync(join(dataDir, 'postgres', 'postmaster.pid')) && postmasterPid(dataDir) !== pid
  await expect.poll(isReplaced, { timeout: 20_000 }).toBe(true)
  const insert = () => db.transaction((tx) => tx.execute('insert into kept values (1)'))
  await expect.poll(() => insert().catch((error: Error) => error.message), { timeout: 20_000 }).toBe(1)
})

test.skipIf(lacks('a root user', process.getuid?.() === 0))(
  'as root, also below a folder that only root can enter',
  async () => {
    const outer = await makeFolder()
    chmodSync(outer, 0o700)
    const dataDir = join(outer, 'a folder', 'data')
    await mkdir(dataDir, { recursive: true })
    const address = new URL((await start(dataDir)).url)
    address.username = administrator
    const [row] = await ask<{ path: string }>(address.toString(), `select current_setting('data_directory') as path`)
    expect(row?.path).toMatch(/^\/proc\/self\/fd\/\d+$/)
  },
)

test.skipIf(lacks('a root user', process.getuid?.() === 0))('as an ordinary user', async () => {
  const ordinaryUser = parsePasswd(readFileSync('/etc/passwd', 'utf8')).find((user) => user.name === 'nobody')
  const dataDir = await makeFolder()
  chmodSync(dataDir, 0o777)
  const module = fileURLToPath(new URL('./embedded.shell.ts', import.meta.url))
  const program = `
    const { startEmbeddedPostgres } = await import(${JSON.stringify(module)})
    const log = { info() {}, debug() {}, warn() {}, error() {} }
    const postgres = await startEmbeddedPostgres({ dataDir: ${JSON.stringify(join(dataDir, 'data'))}, log, kind: 'server' })
    await postgres.stop()
    console.log('stopped')`
  const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', program], {
    uid: ordinaryUser?.uid,
    gid: ordinaryUser?.gid,
    env: { PATH: process.env.PATH, TMPDIR: dataDir, HOME: dataDir },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const lines: string[] = []
  for await (const line of createInterface({ input: child.stdout as NodeJS.ReadableStream })) lines.push(line)
  expect(lines).toEqual(['stopped'])
})

test('a data folder with a path too long for a socket can be used', async () => {
  const dataDir = join(await makeFolder(), 'x'.repeat(120))
  const { url } = await start(dataDir)
  expect(await ask(url, 'select 1 as one')).toEqual([{ one: 1 }])
})

test("caches an eighth of the machine's memory, within bounds", async () => {
  const gibibyte = 2 ** 30
  expect([0.5, 2, 4, 8, 64].map((of) => sharedBuffersMb(of * gibibyte))).toEqual([128, 256, 512, 1024, 4096])
  const { url } = await start(await makeFolder())
  const [setting] = await ask<{ mb: number }>(
    url,
    `select setting::int / 128 as mb from pg_settings where name = 'shared_buffers'`,
  )
  expect(setting?.mb).toBeGreaterThanOrEqual(128)
  expect(setting?.mb).toBe(sharedBuffersMb(memoryBytes()))
})

test.skipIf(lacks('a root user', process.getuid?.() === 0))(
  "the PostgreSQL user can't enter the folder or log in",
  async () => {
    const dataDir = await makeFolder()
    await chmod(dataDir, 0o755)
    const { url } = await start(dataDir)
    expect((await stat(dataDir)).mode & 0o777).toBe(0o700)
    const { uid, gid } = await stat(join(dataDir, 'postgres'))
    expect(uid).not.toBe(0)
    await chmod(dataDir, 0o755)
    const program = `
    const { default: pg } = await import(${JSON.stringify(import.meta.resolve('pg'))})
    const client = new pg.Client({ connectionString: ${JSON.stringify(url)} })
    await client.connect().then(() => console.log('in'), (error) => console.log(error.code))
    await client.end().catch(() => undefined)`
    const child = keep(
      spawn(process.execPath, ['--input-type=module', '-e', program], {
        uid,
        gid,
        cwd: '/',
        stdio: ['ignore', 'pipe', 'inherit'],
      }),
    )
    const lines: string[] = []
    for await (const line of createInterface({ input: child.stdout as NodeJS.ReadableStream })) lines.push(line)
    expect(lines).toEqual(['28000'])
  },
)

test.skipIf(lacks('a root user', process.getuid?.() === 0))(
  'a folder whose owner runs other programs gets a new owner with its data',
  async () => {
    const dataDir = await makeFolder()
    const first = await startEmbeddedPostgres({ dataDir, log, kind: 'server', settings })
    await ask(first.url, 'create table kept as select 1 as id')
    await first.stop()
    const { uid, gid } = await stat(join(dataDir, 'postgres'))
    const other = keep(spawn('sleep', ['600'], { uid, gid, cwd: '/' }))
    const second = await start(dataDir)
    expect((await stat(join(dataDir, 'postgres'))).uid).not.toBe(uid)
    expect(await ask(second.url, 'select id from kept')).toEqual([{ id: 1 }])
    expect(other.exitCode).toBeNull()
  },
)

const users = [
  { name: 'games', uid: 5, gid: 5 },
  { name: 'postgres', uid: 101, gid: 101 },
  { name: 'overture', uid: 102, gid: 102 },
  { name: 'ada', uid: 1000, gid: 1000 },
  { name: 'nobody', uid: 65534, gid: 65534 },
]

test.each([
  ['overture first', 0, [], 'overture'],
  ['the owner of the folder before', 101, [], 'postgres'],
  ['a user that runs no other program', 102, [102], 'postgres'],
  ['a system user as the last choice', 0, [101, 102], 'games'],
  ['no person', 0, [5, 101, 102], undefined],
  ['a person who already owns the folder', 1000, [5, 101, 102], 'ada'],
  ['no user if only nobody is left', 65534, [5, 101, 102, 1000], undefined],
] as const)('PostgreSQL runs as %s', (_name, owner, busy, expected) => {
  expect(fittingUser(users, { owner, busy: new Set(busy) })?.name).toBe(expected)
})

test('access rules are not written through a symbolic link', async () => {
  const folder = await makeFolder()
  const target = join(folder, 'target')
  await writeFile(target, 'as it was')
  await chmod(target, 0o644)
  for (const name of ['pg_hba.conf', 'pg_ident.conf']) await symlink(target, join(folder, `${name}.new`))
  await writeAccessRules(folder, null)
  expect(await readFile(target, 'utf8')).toBe('as it was')
  expect((await lstat(join(folder, 'pg_hba.conf'))).isFile()).toBe(true)
  expect(await readFile(join(folder, 'pg_hba.conf'), 'utf8')).toContain('local all all peer map=overture')
})
