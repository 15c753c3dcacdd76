import { readdir, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import { pathToFileURL } from 'node:url'
import { packedFolder, packEnding, type AssetFolder } from './files/packed-files.shell.ts'

/** Set by the build of the package `overture`, where all code lies in one folder and everything else in packs beside it. */
declare const OVERTURE_PACKAGED: boolean | undefined

export const isPackaged = typeof OVERTURE_PACKAGED !== 'undefined' && OVERTURE_PACKAGED

/** Where everything lies that is no code. Nothing else knows, in a clone or in the package. */
export const assets = {
  migrations: assetFolder('migrations', () => fromHere('../../migrations/')),
  docs: assetFolder('docs', () => fromHere('../../../../docs/')),
  console: assetFolder('console', () => fromHere('../../../console/dist/'), { recursive: true }),
  /** The documentation as it is read in a browser. */
  site: assetFolder('site', () => fromHere('../../../../docs/site/dist/'), { recursive: true }),
  /** Of the rendered reference of the API. */
  reference: assetFolder('reference', () => new URL('static/', folderOfPackage('@fastify/swagger-ui'))),
}

export type AssetName = keyof typeof assets

interface FolderOptions {
  /** With what lies in folders below, named by its path. */
  recursive?: boolean
}

export function folderAt(folder: URL, { recursive = false }: FolderOptions = {}): AssetFolder {
  return {
    names: async () => (await readdir(folder, { recursive })).map((name) => name.replaceAll('\\', '/')),
    read: (names) => Promise.all(names.map((name) => readFile(new URL(name, folder)))),
  }
}

/** The file that a name leads to among what is installed: a package's main one, or `name/file`. Throws where it is not. */
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
