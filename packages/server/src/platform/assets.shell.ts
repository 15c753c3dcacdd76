import { readdir, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import { pathToFileURL } from 'node:url'
import { packedFolder, packEnding, type AssetFolder } from './files/packed-files.shell.ts'

/** Set by the build of the package `overture`, which has all code in one folder and all other files in packs beside it. */
declare const OVERTURE_PACKAGED: boolean | undefined

export const isPackaged = typeof OVERTURE_PACKAGED !== 'undefined' && OVERTURE_PACKAGED

/** The folders of all files that are not code. Only this module knows whether they are in a clone or in the package. */
export const assets = {
  migrations: assetFolder('migrations', () => fromHere('../../migrations/')),
  /** The statements that `overture distribute --check` tries. */
  statements: assetFolder('statements', () => fromHere('../../statements/')),
  docs: assetFolder('docs', () => fromHere('../../../../docs/')),
  console: assetFolder('console', () => fromHere('../../../console/dist/'), { recursive: true }),
  /** The documentation as a website. */
  site: assetFolder('site', () => fromHere('../../../../docs/site/dist/'), { recursive: true }),
  /** The files of the rendered API reference. */
  reference: assetFolder('reference', () => new URL('static/', folderOfPackage('@fastify/swagger-ui'))),
}

export type AssetName = keyof typeof assets

interface FolderOptions {
  /** Whether to include files in subfolders, named by their path. */
  recursive?: boolean
}

export function folderAt(folder: URL, { recursive = false }: FolderOptions = {}): AssetFolder {
  return {
    names: async () => (await readdir(folder, { recursive })).map((name) => name.replaceAll('\\', '/')),
    read: (names) => Promise.all(names.map((name) => readFile(new URL(name, folder)))),
  }
}

/** The path of an installed file: the main file of a package, or `name/file`. Throws if it is not installed. */
export function installedFile(name: string): string {
  return createRequire(import.meta.url).resolve(name)
}

function assetFolder(name: string, inClone: () => URL, options?: FolderOptions): AssetFolder {
  return isPackaged ? packedFolder(fromHere(`./${name}${packEnding}`)) : folderAt(inClone(), options)
}

function folderOfPackage(name: string): URL {
  return pathToFileURL(`${dirname(installedFile(`${name}/package.json`))}/`)
}

function fromHere(path: string): URL {
  return new URL(path, import.meta.url)
}
