import { spawn, type ChildProcess } from 'node:child_process'
import { closeSync, existsSync, openSync, readFileSync, statSync } from 'node:fs'
import { chmod, chown, lchown, mkdir, mkdtemp, readdir, readFile, rename, rm, truncate } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { memoryBytes } from '../../machine.shell.ts'
import { locateBinaries } from './binaries.shell.ts'
import { canEnter, chooseIdentity, writeAccessRules, type Identity } from './identity.shell.ts'

/** The files of one PostgreSQL and how to start it. It does not decide which process may start it. */
export interface Cluster {
  databaseFolder: string
  socketFolder: string
  start(): ChildProcess
  /** The last lines that PostgreSQL wrote. */
  logTail(): string
  /** Removes the files outside of the data folder. */
  cleanUp(): Promise<void>
}

interface ClusterOptions {
  dataDir: string
  settings: Readonly<Record<string, string>>
}

const majorVersion = '18'
/** The superuser of the database. The product logs in as it only to create its own role and database. */
export const administrator = 'postgres'
const logBytesMax = 10 * 1024 * 1024
// The path of a socket has at most 107 bytes on Linux, 103 elsewhere.
const socketPathLengthMax = 100
const socketName = '.s.PGSQL.5432'

/** The path of the socket's lock file if the socket is inside the data folder. */
export function socketLockIn(dataDir: string): string {
  return join(dataDir, 'run', `${socketName}.lock`)
}

const baseSettings: Readonly<Record<string, string>> = {
  listen_addresses: '',
  unix_socket_permissions: '0700',
  max_connections: '100',
  // A new database grows fast: with this setting its statistics are updated within seconds instead of a minute.
  autovacuum_naptime: '5s',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_checkpoints: 'off',
  log_min_messages: 'warning',
  log_min_error_statement: 'panic',
  jit: 'off',
  max_wal_size: '2GB',
}

const mebibyte = 2 ** 20

/**
 * The size of PostgreSQL's own cache in MiB: an eighth of the memory of the machine or container, 128 to 4,096. The memory is
 * only allocated when used, so a small database needs little.
 */
export function sharedBuffersMb(bytes: number): number {
  return Math.min(4096, Math.max(128, Math.floor(bytes / 8 / mebibyte)))
}

/** Creates the database folder at the first call. */
export async function prepareCluster({ dataDir, settings }: ClusterOptions): Promise<Cluster> {
  const databaseFolder = join(dataDir, 'postgres')
  const who = chooseIdentity(databaseFolder)
  const binaries = await locateBinaries(who, dataDir)
  const logFile = join(dataDir, 'postgres.log')
  if ((statSync(logFile, { throwIfNoEntry: false })?.size ?? 0) > logBytesMax) await truncate(logFile)
  if (!existsSync(join(databaseFolder, 'PG_VERSION'))) {
    await initialize({ dataDir, databaseFolder, binaries, who, logFile, sync: settings.fsync !== 'off' })
  }
  await requireSameVersion(databaseFolder)
  await takeOver(databaseFolder, who)
  await writeAccessRules(databaseFolder, who)
  const socketFolder = await makeSocketFolder(dataDir, who)
  const all = { ...baseSettings, shared_buffers: `${sharedBuffersMb(memoryBytes())}MB`, ...settings }
  return {
    databaseFolder,
    socketFolder,
    start() {
      const folder = openFor(databaseFolder, who)
      const sockets = openFor(socketFolder, who)
      const flags = Object.entries({ ...all, unix_socket_directories: sockets.path(4) }).map(
        ([name, value]) => `--${name}=${value}`,
      )
      const options = { who, logFile, folders: [folder.descriptor, sockets.descriptor] }
      return run(join(binaries, 'bin', 'postgres'), ['-D', folder.path(3), ...flags], options)
    },
    logTail: () => readFileSync(logFile, 'utf8').trimEnd().split('\n').slice(-10).join('\n'),
    cleanUp: () =>
      socketFolder.startsWith(dataDir) ? Promise.resolve() : rm(socketFolder, { recursive: true, force: true }),
  }
}

interface Initialization {
  dataDir: string
  databaseFolder: string
  binaries: string
  who: Identity | null
  logFile: string
  sync: boolean
}

// Created under another name first, so that a killed initdb leaves nothing that looks like a database.
async function initialize({ dataDir, databaseFolder, binaries, who, logFile, sync }: Initialization): Promise<void> {
  const fresh = join(dataDir, 'postgres.new')
  await rm(fresh, { recursive: true, force: true })
  await makeOwnFolder(fresh, who)
  const folder = openFor(fresh, who)
  const child = run(
    join(binaries, 'bin', 'initdb'),
    [
      '-D',
      folder.path(3),
      `--username=${administrator}`,
      '--auth=trust',
      '--encoding=UTF8',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      '--locale=C',
      '--no-instructions',
      ...(sync ? [] : ['--no-sync']),
    ],
    { who, logFile, folders: [folder.descriptor] },
  )
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject)
    child.on('exit', resolve)
  })
  if (code !== 0) throw new Error(`PostgreSQL could not create its database folder. See ${logFile}`)
  await rename(fresh, databaseFolder)
}

async function requireSameVersion(databaseFolder: string): Promise<void> {
  const version = (await readFile(join(databaseFolder, 'PG_VERSION'), 'utf8')).trim()
  if (version === majorVersion) return
  throw new Error(`${databaseFolder} was created by PostgreSQL ${version}, but this release contains ${majorVersion}.`)
}

async function makeSocketFolder(dataDir: string, who: Identity | null): Promise<string> {
  const inside = join(dataDir, 'run')
  if (join(inside, socketName).length <= socketPathLengthMax) {
    await makeOwnFolder(inside, who)
    return inside
  }
  const outside = await mkdtemp(join(tmpdir(), 'overture-'))
  await makeOwnFolder(outside, who)
  return outside
}

/** Changes the owner of a folder from an earlier release, which may belong to a user who runs other programs. */
async function takeOver(folder: string, who: Identity | null): Promise<void> {
  if (who === null || statSync(folder).uid === who.uid) return
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }))
    await lchown(join(entry.parentPath, entry.name), who.uid, who.gid)
  await lchown(folder, who.uid, who.gid)
}

async function makeOwnFolder(folder: string, who: Identity | null): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await chmod(folder, 0o700)
  if (who !== null) await chown(folder, who.uid, who.gid)
}

/**
 * Returns how a child that runs as another user reaches a folder. If that user can't enter a parent folder (a clone in /root),
 * this process opens the folder and passes the descriptor: `/proc/self/fd` leads directly to it.
 */
function openFor(
  folder: string,
  who: Identity | null,
): { path(descriptor: number): string; descriptor: number | null } {
  if (canEnter(folder, who)) return { path: () => folder, descriptor: null }
  return { path: (descriptor) => `/proc/self/fd/${descriptor}`, descriptor: openSync(folder, 'r') }
}

interface RunOptions {
  who: Identity | null
  logFile: string
  /** Passed as descriptors 3, 4 … and closed here. */
  folders: (number | null)[]
}

function run(program: string, flags: string[], { who, logFile, folders }: RunOptions): ChildProcess {
  const log = openSync(logFile, 'a', 0o600)
  try {
    return spawn(program, flags, {
      // The child has its own session: Ctrl-C in a terminal reaches only this process, which stops the child at the right time.
      detached: true,
      cwd: '/',
      env: { PATH: process.env.PATH ?? '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' },
      stdio: ['ignore', log, log, ...folders.map((descriptor) => descriptor ?? 'ignore')],
      ...(who === null ? {} : { uid: who.uid, gid: who.gid }),
    })
  } finally {
    closeSync(log)
    for (const descriptor of folders) if (descriptor !== null) closeSync(descriptor)
  }
}
