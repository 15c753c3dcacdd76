import { join } from 'node:path'
import { builtFolder, inputsDigest, readBuilt, type BuiltSite } from '@overture/site/digest.ts'
import { assets, installedFile, isPackaged } from '../assets.shell.ts'
import type { AssetFolder } from '../files/packed-files.shell.ts'
import { createBuiltPages, runBuild, type BuiltPages } from '../built-pages.shell.ts'
import type { Logger } from '../log.shell.ts'
import { KeptFiles } from './kept-files.ts'

/**
 * The cache for the packaged site, in compressed bytes: enough for the pages that people read in an hour, but not for the whole
 * reference.
 */
const keptBytesMax = 2 * 1024 * 1024

/** A file of the site as it was built. */
export interface SiteFile {
  type: string
  hashed: boolean
  /** Whether its bytes are compressed by gzip. */
  gzip: boolean
  /** Returns its bytes, read on request. */
  body(): Promise<Buffer>
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

/** The site of this version, loaded on the first request. Null if the site is neither built nor can be built here. */
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
  // The packaged site never changes. In a clone the site may be rebuilt, which deletes its files, so they are loaded at once.
  if (isPackaged) return openSite(assets.site)
  const built = await readBuilt()
  if (built === null) return null
  if (canBuild() && built.digest !== (await inputsDigest())) return null
  const names = built.files.map(storedName)
  const bodies = await assets.site.read(names)
  const all = new Map(names.map((name, index) => [name, bodies[index]!]))
  return toSite(built, async (name) => all.get(name)!)
}

/** The site of a folder that never changes: only its list is read before a page is requested. */
export async function openSite(folder: AssetFolder): Promise<Site> {
  const [list] = await folder.read(['build.json'])
  const files = new KeptFiles(async (name) => (await folder.read([name]))[0]!, keptBytesMax)
  return toSite(JSON.parse(list!.toString('utf8')) as BuiltSite, (name) => files.get(name))
}

/** Only names from the list reach `read`, whatever name is requested. */
function toSite({ files, scriptHashes }: BuiltSite, read: (name: string) => Promise<Buffer>): Site {
  const entries = files.map((file): [string, SiteFile] => {
    const { path, hashed, gzip } = file
    const type = types[path.split('.').at(-1) ?? ''] ?? 'application/octet-stream'
    return [path, { type, hashed, gzip, body: () => read(storedName(file)) }]
  })
  return { files: new Map(entries), scriptHashes }
}

function storedName({ path, gzip }: BuiltSite['files'][number]): string {
  return gzip ? `${path}.gz` : path
}

// The builder of the site is only installed for development.
function canBuild(): boolean {
  try {
    installedFile('vitepress')
    return true
  } catch {
    return false
  }
}
