import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { startLocalRegistry } from './local-registry.ts'

const root = resolve(import.meta.dirname, '../../../..')
const run = promisify(execFile)

export interface InstalledPackage {
  /** The folder of a project with Overture as its only dependency. */
  folder: string
  tarball: string
  /** The folder of the installed package. */
  installed: string
  /** The command that npm linked. */
  command: string
  remove(): Promise<void>
}

/** Builds and packs Overture as it is published, and installs the tarball like a new user, without network access. */
export async function installOverture(): Promise<InstalledPackage> {
  const place = await mkdtemp(join(tmpdir(), 'overture-package-'))
  const built = join(place, 'built')
  await run(process.execPath, ['--import', 'tsx', 'packages/overture/build.ts', built], { cwd: root })
  const packed = await run('npm', ['pack', '--json', '--pack-destination', place, built], { cwd: place })
  const [{ filename }] = JSON.parse(packed.stdout) as [{ filename: string }]
  const tarball = join(place, filename)
  const folder = await installTarball(place, tarball)
  return {
    folder,
    tarball,
    installed: join(folder, 'node_modules/overture'),
    command: join(folder, 'node_modules/.bin/overture'),
    remove: () => rm(place, { recursive: true, force: true }),
  }
}

export interface CommandResult {
  code: number
  stdout: string
  stderr: string
}

/** Runs a command of the installed package until it exits. */
export function runCommand(
  { command }: InstalledPackage,
  words: readonly string[],
  environment: Record<string, string>,
): Promise<CommandResult> {
  const env = { PATH: process.env['PATH'], LOG_LEVEL: 'fatal', ...environment }
  return new Promise((done) => {
    execFile(command, words, { env }, (error, stdout, stderr) =>
      done({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    )
  })
}

async function installTarball(place: string, tarball: string): Promise<string> {
  const folder = join(place, 'project')
  await mkdir(folder)
  await writeFile(join(folder, 'package.json'), JSON.stringify({ name: 'strangers-project', private: true }))
  const registry = await startLocalRegistry()
  try {
    const from = ['--registry', registry.url, '--cache', join(place, 'cache'), '--fetch-retries', '0']
    await run('npm', ['install', '--no-audit', '--no-fund', ...from, tarball], { cwd: folder })
  } finally {
    await registry.stop()
  }
  return folder
}

export interface StartedPackage {
  url: string
  pid: number
  /** The lines printed before the server listened, including keys. */
  printed: readonly string[]
  startedMs: number
  /** Stops the server and returns its exit code. */
  stop(): Promise<number | null>
}

interface Start {
  command: string
  args?: readonly string[]
  environment: Record<string, string>
}

/** Starts the server as an operator does and waits until it listens. */
export async function startPackage({ command, args = ['start'], environment }: Start): Promise<StartedPackage> {
  const env = { PATH: process.env['PATH'], LOG_LEVEL: 'error', PORT: '0', ...environment }
  const beganAt = performance.now()
  const child = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = once(child, 'exit') as Promise<[number | null]>
  let output = ''
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const printed: string[] = []
  for await (const line of createInterface({ input: child.stdout })) {
    printed.push(line)
    if (!line.startsWith('listening on ')) continue
    child.stdout.resume()
    return {
      url: line.slice('listening on '.length),
      pid: child.pid!,
      printed,
      startedMs: performance.now() - beganAt,
      async stop() {
        child.kill('SIGTERM')
        const [code] = await ended
        return code
      },
    }
  }
  throw new Error(`It ended before it listened: ${output}`)
}
