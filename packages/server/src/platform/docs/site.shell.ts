import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { builtFolder, inputsDigest, readBuilt, type BuiltSite } from '@overture/site/digest.ts'
import { createBuiltPages, runBuild, type BuiltPages } from '../built-pages.shell.ts'
import type { Logger } from '../log.shell.ts'

/** A file of the site as it was built. */
export interface SiteFile {
  type: string
  hashed: boolean
  /** Its bytes are compressed by gzip. */
  gzip: boolean
  body: Buffer
}

export interface Site {
  files: ReadonlyMap<string, SiteFile>
  scriptHashes: readonly string[]
}

const types: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  json: 'application/json',
}

/** The site of this version in memory, from when somebody first asks; null: it is not there, and nothing that builds it is. */
export function createSite(log: Logger): { current(): Promise<BuiltPages<Site> | null> } {
  const pages = createBuiltPages({
    find: findSite,
    build: () => runBuild(join(builtFolder, '../build.ts'), { log, event: 'docs.building' }),
    failed: (error) => log.error({ event: 'docs.build_failed', reason: error.message }),
  })
  return {
    async current() {
      return (await readBuilt()) === null && !canBuild() ? null : pages.current()
    },
  }
}

async function findSite(): Promise<Site | null> {
  const built = await readBuilt()
  if (built === null) return null
  if (canBuild() && built.digest !== (await inputsDigest())) return null
  return readSite(built)
}

async function readSite({ files, scriptHashes }: BuiltSite): Promise<Site> {
  const entries = await Promise.all(
    files.map(async ({ path, hashed, gzip }): Promise<[string, SiteFile]> => {
      const type = types[path.split('.').at(-1) ?? ''] ?? 'application/octet-stream'
      const body = await readFile(join(builtFolder, gzip ? `${path}.gz` : path))
      return [path, { type, hashed, gzip, body }]
    }),
  )
  return { files: new Map(entries), scriptHashes }
}

// What builds the site is installed for development alone.
function canBuild(): boolean {
  try {
    createRequire(import.meta.url).resolve('vitepress')
    return true
  } catch {
    return false
  }
}
