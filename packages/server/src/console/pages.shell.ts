import { spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { setPriority } from 'node:os'
import { join } from 'node:path'
import { builtFolder, inputsDigest, readBuilt } from '@overture/console/digest.ts'
import type { Logger } from '../platform/log.shell.ts'
import type { Encoding } from './encodings.ts'

/** A file of the console with its bodies, as they go out. */
export interface PageFile {
  type: string
  hashed: boolean
  bodies: ReadonlyMap<Encoding, Buffer>
}

type Pages = { state: 'ready'; files: ReadonlyMap<string, PageFile> } | { state: 'building' | 'failed' }

const types: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  json: 'application/json',
}
const suffixes: readonly [Encoding, string][] = [
  ['identity', ''],
  ['gzip', '.gz'],
  ['br', '.br'],
]
/** Leaves the machine to what serves and sends. */
const buildPriority = 15

/**
 * The built console in memory. It is looked for when somebody first asks, so that a server that nobody opens a browser
 * for does nothing about it; what is missing or out of date is then built by a child.
 */
export function createPages(log: Logger): { current(): Promise<Pages> } {
  let pages: Pages | null = null
  let looking: Promise<Pages> | null = null
  const look = async (): Promise<Pages> => {
    const [built, digest] = await Promise.all([readBuilt(), inputsDigest()])
    if (built?.digest === digest) return readPages(built.files)
    runBuild(log)
      .then(async () => (pages = await readPages((await readBuilt())?.files ?? [])))
      .catch((error: Error) => {
        log.error({ event: 'console.build_failed', reason: error.message })
        pages = { state: 'failed' }
      })
    return { state: 'building' }
  }
  return {
    async current() {
      if (pages !== null) return pages
      looking ??= look().then((found) => (pages ??= found))
      return looking
    },
  }
}

async function readPages(files: readonly { path: string; hashed: boolean }[]): Promise<Pages> {
  const entries = await Promise.all(
    files.map(async ({ path, hashed }): Promise<[string, PageFile]> => {
      const bodies = await Promise.all(suffixes.map(([encoding, suffix]) => bodyOf(path, encoding, suffix)))
      const type = types[path.split('.').at(-1) ?? ''] ?? 'application/octet-stream'
      return [path, { type, hashed, bodies: new Map(bodies.flat()) }]
    }),
  )
  return { state: 'ready', files: new Map(entries) }
}

async function bodyOf(path: string, encoding: Encoding, suffix: string): Promise<[Encoding, Buffer][]> {
  try {
    return [[encoding, await readFile(join(builtFolder, `${path}${suffix}`))]]
  } catch (error) {
    if (encoding === 'identity') throw error
    return []
  }
}

function runBuild(log: Logger): Promise<void> {
  const script = join(builtFolder, '../build.ts')
  const loader = createRequire(import.meta.url).resolve('tsx')
  log.info({ event: 'console.building' })
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['--import', loader, script], { stdio: ['ignore', 'ignore', 'pipe'] })
    const stop = (): void => void child.kill()
    process.once('exit', stop)
    if (child.pid !== undefined) lowerPriority(child.pid)
    let said = ''
    child.stderr.on('data', (chunk: Buffer) => (said = `${said}${chunk.toString()}`.slice(-saidMax)))
    child.once('error', reject)
    child.once('close', (code) => {
      process.removeListener('exit', stop)
      if (code === 0) resolve()
      else reject(new Error(said.trim() || `The build ended with ${code}.`))
    })
  })
}

const saidMax = 2_000

// A child that has ended already, or a system that knows no priorities, is no reason to fail.
function lowerPriority(pid: number): void {
  try {
    setPriority(pid, buildPriority)
  } catch {
    return
  }
}
