import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The folder of the built pages. */
export const builtFolder = join(import.meta.dirname, 'dist')

export interface BuildFiles {
  /** A digest of all inputs. The same inputs make the same pages. */
  digest: string
  /** Paths below `/app/`. Files with a hash in their name never change. */
  files: { path: string; hashed: boolean }[]
  /** Files of other packages in the build, by their path from the root of the repository. */
  modules: string[]
}

const packages = join(import.meta.dirname, '..')
const folders = ['console/src', 'console/public', 'sdk/src', 'contract/src', 'ground/src/text']
const files = ['index.html', 'package.json', 'vite.config.ts', 'build.ts', 'digest.ts'].map((name) => `console/${name}`)

/** A digest of all files that the pages are built from. */
export async function inputsDigest(): Promise<string> {
  const found = await Promise.all(folders.map((folder) => filesBelow(folder)))
  const hash = createHash('sha256')
  for (const path of [...found.flat(), ...files].sort()) {
    hash.update(`${path}\0`)
    hash.update(await readFile(join(packages, path)))
  }
  return hash.digest('hex')
}

/** Reads the description of the last build; null if there is none. */
export async function readBuilt(): Promise<BuildFiles | null> {
  try {
    return JSON.parse(await readFile(join(builtFolder, 'build.json'), 'utf8')) as BuildFiles
  } catch {
    return null
  }
}

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(join(packages, folder), { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile() && !/\.test\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name).slice(packages.length + 1))
}
