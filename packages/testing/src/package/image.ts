import { execFile, spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { startLocalRegistry } from './local-registry.ts'

const root = resolve(import.meta.dirname, '../../../..')
const run = promisify(execFile)
/** The folders of a Debian system that programs need to run. A real image has them from its base image. */
const systemFolders = ['/usr', '/bin', '/sbin', '/lib', '/lib64']
const known = /^(?:FROM|WORKDIR|COPY|RUN|LABEL|USER|VOLUME|ENV|EXPOSE|HEALTHCHECK|ENTRYPOINT|CMD) \S/

interface Step {
  name: string
  rest: string
}

export interface Image {
  /** The command of the container in a root folder built by the steps. `words` replace CMD. */
  command: string
  args(words?: readonly string[]): string[]
  environment: Record<string, string>
  /** The command of HEALTHCHECK in the same root folder. */
  health: string[]
  /** The folder that is mounted as the volume at /data. */
  volume: string
  remove(): Promise<void>
}

/** Parses a Dockerfile into stages, each a list of steps. */
export function readStages(text: string): Step[][] {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  const unknown = lines.find((line) => !known.test(line))
  if (unknown !== undefined) throw new Error(`Not a step of a Dockerfile: ${unknown}`)
  const stages: Step[][] = []
  for (const line of lines) {
    const [, name = '', rest = ''] = /^(\w+) (.*)$/.exec(line)!
    if (name === 'FROM') stages.push([])
    stages.at(-1)!.push({ name, rest })
  }
  return stages
}

/** Whether this machine allows processes with their own root folder (bwrap). */
export function canMakeRoots(): boolean {
  const place = ['--ro-bind', '/', '/', '--unshare-user', '--uid', '10001', '--gid', '10001']
  return spawnSync('bwrap', [...place, '--', 'true']).status === 0
}

/** Runs the steps of a Dockerfile without a container. Each step runs in a root folder with the programs of this system. */
export async function makeImage(dockerfile: string): Promise<Image> {
  const place = await mkdtemp(join(tmpdir(), 'overture-image-'))
  const [build, last] = readStages(readFileSync(join(root, dockerfile), 'utf8')) as [Step[], Step[]]
  const built = join(place, 'built')
  await takeBuildSteps(build, place, built)

  const system = join(place, 'root')
  mkdirSync(join(system, 'etc'), { recursive: true })
  writeFileSync(join(system, 'etc/passwd'), 'root:x:0:0:root:/root:/bin/sh\n')
  writeFileSync(join(system, 'etc/group'), 'root:x:0:\n')
  for (const path of systemFolders.filter(isLink)) symlinkSync(readlinkSync(path), join(system, path))
  for (const { name, rest } of last) {
    if (name === 'COPY') copy(rest, built, system)
    if (name === 'RUN') await run('bwrap', [...rootArguments(system), '--', '/bin/sh', '-ec', rest])
  }
  const argument = (name: string) => last.find((step) => step.name === name)?.rest ?? ''
  const list = (text: string) => JSON.parse(text.slice(text.indexOf('['))) as string[]
  const volume = argument('VOLUME')
  const writable = ['--remount-ro', '/', '--bind', join(system, volume), volume]
  const started = [...rootArguments(system), ...writable, '--chdir', argument('WORKDIR'), '--die-with-parent', '--']
  return {
    command: 'bwrap',
    args: (words = list(argument('CMD'))) => [...started, ...list(argument('ENTRYPOINT')), ...words],
    environment: Object.fromEntries(
      argument('ENV')
        .split(' ')
        .map((pair) => pair.split('=') as [string, string]),
    ),
    health: [...started, ...list(argument('HEALTHCHECK'))],
    volume: join(system, volume),
    remove: () => rm(place, { recursive: true, force: true }),
  }
}

/** Runs the build steps in this clone, where dependencies are installed already. A local registry serves packages from it. */
async function takeBuildSteps(steps: readonly Step[], place: string, built: string): Promise<void> {
  const registry = await startLocalRegistry()
  const environment = { npm_config_registry: registry.url, npm_config_cache: join(place, 'cache') }
  try {
    for (const { name, rest } of steps) {
      if (name !== 'RUN') continue
      const script = rest.replace(/^npm ci [^&]*&& /, '').replaceAll('/overture/built', built)
      await run('/bin/sh', ['-ec', script], { cwd: root, env: { ...process.env, ...environment } })
    }
  } finally {
    await registry.stop()
  }
}

function copy(rest: string, built: string, system: string): void {
  const [, from = '', to = ''] = /^--from=build (\S+) (\S+)$/.exec(rest)!
  if (from !== '/overture/built') throw new Error(`COPY of something else than what was built: ${rest}`)
  mkdirSync(dirname(join(system, to)), { recursive: true })
  cpSync(built, join(system, to), { recursive: true, verbatimSymlinks: true })
}

/** Processes run with the image's user id, whichever user starts them outside. */
function rootArguments(system: string): string[] {
  const folders = systemFolders.filter((path) => existsSync(path) && !isLink(path))
  const placed = folders.flatMap((path) => ['--ro-bind', path, path])
  // The folder of Node.js, if it is not in a system folder.
  const node = dirname(dirname(process.execPath))
  const elsewhere = systemFolders.some((path) => process.execPath.startsWith(`${path}/`))
    ? []
    : ['--ro-bind', node, node]
  const user = ['--unshare-user', '--uid', '10001', '--gid', '10001']
  return [
    ...user,
    '--bind',
    system,
    '/',
    ...placed,
    ...elsewhere,
    '--proc',
    '/proc',
    '--dev',
    '/dev',
    '--tmpfs',
    '/tmp',
  ]
}

function isLink(path: string): boolean {
  return existsSync(path) && lstatSync(path).isSymbolicLink()
}
