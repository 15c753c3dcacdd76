import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pagesElsewhere } from './sections.ts'

/** Where the built site lies. */
export const builtFolder = join(import.meta.dirname, 'dist')

export interface BuiltSite {
  /** A hash over all inputs: the same inputs make the same pages. */
  digest: string
  /** Paths below `/docs/`. Files with a hash in their name never change; text files are stored only as `.gz`. */
  files: { path: string; hashed: boolean; gzip: boolean }[]
  /** Hashes of the inline scripts of the pages, as a Content-Security-Policy names them. */
  scriptHashes: string[]
}

const root = join(import.meta.dirname, '../..')
const folders = ['docs', 'packages/contract/src', 'packages/contract/document', 'packages/cli/src']
const notInputs = /(?:^|\/)(?:dist|dist\.[^/]*|node_modules|screenshots|\.temp)\/|\.test\.ts$/

/** One text for all that the site is made from. */
export async function inputsDigest(): Promise<string> {
  const found = await Promise.all(folders.map(filesBelow))
  const hash = createHash('sha256')
  for (const path of [...found.flat(), ...Object.values(pagesElsewhere)].toSorted()) {
    hash.update(`${path}\0`)
    hash.update(await readFile(join(root, path)))
  }
  return hash.digest('hex')
}

/** The last build, or null if there is none. */
export async function readBuilt(): Promise<BuiltSite | null> {
  try {
    return JSON.parse(await readFile(join(builtFolder, 'build.json'), 'utf8')) as BuiltSite
  } catch {
    return null
  }
}

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(join(root, folder), { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(root.length + 1)
        .replaceAll('\\', '/'),
    )
    .filter((path) => !notInputs.test(path))
}
