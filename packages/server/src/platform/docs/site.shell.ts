import { join } from 'node:path'
import { builtFolder, inputsDigest, readBuilt, type BuiltSite } from '@overture/site/digest.ts'
import { assets, installedFile, isPackaged } from '../assets.shell.ts'
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
      return !isPackaged && (await readBuilt()) === null && !canBuild() ? null : pages.current()
    },
  }
}

async function findSite(): Promise<Site | null> {
  if (isPackaged)
    return readSite(JSON.parse((await assets.site.read(['build.json']))[0]!.toString('utf8')) as BuiltSite)
  const built = await readBuilt()
  if (built === null) return null
  if (canBuild() && built.digest !== (await inputsDigest())) return null
  return readSite(built)
}

async function readSite({ files, scriptHashes }: BuiltSite): Promise<Site> {
  const bodies = await assets.site.read(files.map(({ path, gzip }) => (gzip ? `${path}.gz` : path)))
  const entries = files.map(({ path, hashed, gzip }, index): [string, SiteFile] => {
    const type = types[path.split('.').at(-1) ?? ''] ?? 'application/octet-stream'
    return [path, { type, hashed, gzip, body: bodies[index]! }]
  })
  return { files: new Map(entries), scriptHashes }
}

// What builds the site is installed for development alone.
function canBuild(): boolean {
  try {
    installedFile('vitepress')
    return true
  } catch {
    return false
  }
}
