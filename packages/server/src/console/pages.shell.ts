import { join } from 'node:path'
import { builtFolder, inputsDigest, readBuilt, type BuildFiles } from '@overture/console/digest.ts'
import { assets, isPackaged } from '../platform/assets.shell.ts'
import { createBuiltPages, runBuild, type BuiltPages } from '../platform/built-pages.shell.ts'
import type { Logger } from '../platform/log.shell.ts'
import type { Encoding } from './encodings.ts'

/** A file of the console, with one ready-to-send body per encoding. */
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
      if (isPackaged) {
        const [list] = await assets.console.read(['build.json'])
        return readPages((JSON.parse(list!.toString('utf8')) as BuildFiles).files)
      }
      const [built, digest] = await Promise.all([readBuilt(), inputsDigest()])
      return built?.digest === digest ? readPages(built.files) : null
    },
    build: () => runBuild(join(builtFolder, '../build.ts'), { log, event: 'console.building' }),
    failed: (error) => log.error({ event: 'console.build_failed', reason: error.message }),
  })
}

async function readPages(files: BuildFiles['files']): Promise<ReadonlyMap<string, PageFile>> {
  const built = new Set(await assets.console.names())
  const variants = files.flatMap(({ path }) => suffixes.map(([, suffix]) => `${path}${suffix}`))
  const names = variants.filter((name) => built.has(name))
  const contents = await assets.console.read(names)
  const bodies = new Map(names.map((name, index) => [name, contents[index]!]))
  const entries = files.map(({ path, hashed }): [string, PageFile] => {
    const type = types[path.split('.').at(-1) ?? ''] ?? 'application/octet-stream'
    const found = suffixes.flatMap(([encoding, suffix]): [Encoding, Buffer][] => {
      const body = bodies.get(`${path}${suffix}`)
      return body === undefined ? [] : [[encoding, body]]
    })
    return [path, { type, hashed, bodies: new Map(found) }]
  })
  return new Map(entries)
}
