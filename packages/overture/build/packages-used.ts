import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A third-party package whose code is part of the bundle. */
export interface UsedPackage {
  name: string
  version: string
  license: string
  folder: string
}

const root = join(import.meta.dirname, '../../..')
const packageFolder = /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/

/** The packages of the given files, each once, sorted by name. The files are paths from the root of the repository. */
export function listPackages(files: readonly string[]): UsedPackage[] {
  const folders = new Set(files.flatMap((file) => packageFolder.exec(file)?.[0] ?? []))
  return [...folders].map(read).toSorted((left, right) => (packageKey(left) < packageKey(right) ? -1 : 1))
}

export function packageKey({ name, version }: Pick<UsedPackage, 'name' | 'version'>): string {
  return `${name}@${version}`
}

function read(path: string): UsedPackage {
  const folder = join(root, path)
  const { name, version, license, licenses } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const stated: unknown = license ?? licenses?.[0]
  return { name, version, license: typeof stated === 'string' ? stated : (stated as { type: string }).type, folder }
}
