import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chown, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const binaries = '/usr/lib/postgresql/15/bin'
const run = promisify(execFile)

/** Whether Debian's PostgreSQL, which includes pg_basebackup, is installed. Tests that need it are skipped with a message if it isn't. */
export function standbyAvailable(): boolean {
  return existsSync(join(binaries, 'pg_basebackup'))
}

export interface StandbyPair {
  primaryUrl: string
  /** The URL of the standby, which replicates the primary and accepts reads. */
  standbyUrl: string
  stopStandby(): Promise<void>
  startStandby(): Promise<void>
  /** Stops the replication and lets the standby accept writes. */
  promoteStandby(): Promise<void>
  stop(): Promise<void>
}

/** Starts two real servers in a temporary folder, on Unix sockets. The second streams from the first. */
export async function startStandbyPair(): Promise<StandbyPair> {
  const folder = await mkdtemp(join(tmpdir(), 'overture-standby-'))
  const owner = await prepareOwner(folder)
  const ask = (program: string, parameters: readonly string[]) =>
    run(...owner(join(binaries, program), parameters), { cwd: '/' })
  const data = (name: string) => join(folder, name)
  const start = (name: string, port: number) => {
    const settings = `-c listen_addresses= -c unix_socket_directories=${folder} -c port=${port} -c fsync=off`
    return ask('pg_ctl', ['-D', data(name), '-w', '-s', '-l', join(folder, `${name}.log`), '-o', settings, 'start'])
  }
  const stop = async () => {
    for (const name of ['standby', 'primary'])
      await ask('pg_ctl', ['-D', data(name), '-s', '-m', 'immediate', 'stop']).catch(() => undefined)
    await rm(folder, { recursive: true, force: true })
  }
  const url = (port: number) => `postgresql://overture@localhost:${port}/postgres?host=${folder}`
  try {
    const cluster = ['-U', 'overture', '--auth=trust', '--encoding=UTF8', '--locale=C.UTF-8', '--no-sync']
    await ask('initdb', ['-D', data('primary'), ...cluster])
    await start('primary', 5401)
    const from = ['-h', folder, '-p', '5401', '-U', 'overture']
    await ask('pg_basebackup', ['-D', data('standby'), ...from, '-R', '-X', 'stream', '-c', 'fast', '--no-sync'])
    await start('standby', 5402)
    const standby = (...rest: string[]) => ask('pg_ctl', ['-D', data('standby'), '-s', '-w', ...rest])
    return {
      primaryUrl: url(5401),
      standbyUrl: url(5402),
      stopStandby: async () => void (await standby('-m', 'immediate', 'stop')),
      startStandby: async () => void (await start('standby', 5402)),
      promoteStandby: async () => void (await standby('promote')),
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

type Command = [file: string, parameters: readonly string[]]

/** PostgreSQL doesn't run as root, so under root it runs as Debian's user `postgres`. */
async function prepareOwner(folder: string): Promise<(file: string, parameters: readonly string[]) => Command> {
  if (process.getuid?.() !== 0) return (file, parameters) => [file, parameters]
  const { stdout } = await run('id', ['-u', 'postgres'])
  await chown(folder, Number(stdout), -1)
  const asOther = ['--reuid=postgres', '--regid=postgres', '--clear-groups']
  return (file, parameters) => ['setpriv', [...asOther, file, ...parameters]]
}
