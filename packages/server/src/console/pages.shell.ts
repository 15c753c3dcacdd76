import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { builtFolder, inputsDigest, readBuilt } from '@overture/console/digest.ts'
import { createBuiltPages, runBuild, type BuiltPages } from '../platform/built-pages.shell.ts'
import type { Logger } from '../platform/log.shell.ts'
import type { Encoding } from './encodings.ts'

/** A file of the console with its bodies, as they go out. */
export interface PageFile {
  type: string
  hashed: boolean
  bodies: ReadonlyMap<Encoding, Buffer>
}

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

/** The built console in memory. */
export function createPages(log: Logger): { current(): Promise<BuiltPages<ReadonlyMap<string, PageFile>>> } {
  return createBuiltPages({
    async find() {
      const [built, digest] = await Promise.all([readBuilt(), inputsDigest()])
      return built?.digest === digest ? readPages(built.files) : null
    },
    build: () => runBuild(join(builtFolder, '../build.ts'), { log, event: 'console.building' }),
    failed: (error) => log.error({ event: 'console.build_failed', reason: error.message }),
  })
}

async function readPages(files: readonly { path: string; hashed: boolean }[]): Promise<ReadonlyMap<string, PageFile>> {
  const entries = await Promise.all(
    files.map(async ({ path, hashed }): Promise<[string, PageFile]> => {
      const bodies = await Promise.all(suffixes.map(([encoding, suffix]) => bodyOf(path, encoding, suffix)))
      const type = types[path.split('.').at(-1) ?? ''] ?? 'application/octet-stream'
      return [path, { type, hashed, bodies: new Map(bodies.flat()) }]
    }),
  )
  return new Map(entries)
}

async function bodyOf(path: string, encoding: Encoding, suffix: string): Promise<[Encoding, Buffer][]> {
  try {
    return [[encoding, await readFile(join(builtFolder, `${path}${suffix}`))]]
  } catch (error) {
    if (encoding === 'identity') throw error
    return []
  }
}
