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
/** Of a system of Debian, what programs need to run; an image has them from its base. */
const systemFolders = ['/usr', '/bin', '/sbin', '/lib', '/lib64']
const known = /^(?:FROM|WORKDIR|COPY|RUN|LABEL|USER|VOLUME|ENV|EXPOSE|HEALTHCHECK|ENTRYPOINT|CMD) \S/

interface Step {
  name: string
  rest: string
}

export interface Image {
  /** Command and words as a container starts with, in a root that the steps made; `words` stand in the place of CMD. */
  command: string
  args(words?: readonly string[]): string[]
  environment: Record<string, string>
  /** Of HEALTHCHECK, in the same root. */
  health: string[]
  /** What stands in for a volume at /data. */
  volume: string
  remove(): Promise<void>
}

/** The stages of a Dockerfile, each as its steps. */
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

/** Whether a root of its own can be made here at all. */
export function canMakeRoots(): boolean {
  const place = ['--ro-bind', '/', '/', '--unshare-user', '--uid', '10001', '--gid', '10001']
  return spawnSync('bwrap', [...place, '--', 'true']).status === 0
}

/** Takes the steps of a Dockerfile without a container: each in a root that begins with the programs of this system. */
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
  const one = (name: string) => last.find((step) => step.name === name)?.rest ?? ''
  const list = (text: string) => JSON.parse(text.slice(text.indexOf('['))) as string[]
  const volume = one('VOLUME')
  const writable = ['--remount-ro', '/', '--bind', join(system, volume), volume]
  const started = [...rootArguments(system), ...writable, '--chdir', one('WORKDIR'), '--die-with-parent', '--']
  return {
    command: 'bwrap',
    args: (words = list(one('CMD'))) => [...started, ...list(one('ENTRYPOINT')), ...words],
    environment: Object.fromEntries(
      one('ENV')
        .split(' ')
        .map((pair) => pair.split('=') as [string, string]),
    ),
    health: [...started, ...list(one('HEALTHCHECK'))],
    volume: join(system, volume),
    remove: () => rm(place, { recursive: true, force: true }),
  }
}

/** In this clone, which is installed already; packages come from what it has. */
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

/** Who runs it is the user of the image, whoever that is outside. */
function rootArguments(system: string): string[] {
  const folders = systemFolders.filter((path) => existsSync(path) && !isLink(path))
  const placed = folders.flatMap((path) => ['--ro-bind', path, path])
  // Where Node.js was installed beside the system.
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
