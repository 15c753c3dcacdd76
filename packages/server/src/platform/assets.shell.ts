import { readdir, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { brotliDecompress, gzip } from 'node:zlib'

/** Set by the build of the package `overture`, where all code lies in one folder and everything else in packs beside it. */
declare const OVERTURE_PACKAGED: boolean | undefined

const [unpack, compress] = [promisify(brotliDecompress), promisify(gzip)]

export const isPackaged = typeof OVERTURE_PACKAGED !== 'undefined' && OVERTURE_PACKAGED

/** Files that are no code, by their names: a folder of the clone, or a pack. */
export interface AssetFolder {
  names(): Promise<readonly string[]>
  /** As many as are asked for; throws where there is no such file. */
  read(names: readonly string[]): Promise<Buffer[]>
}

/** How the files of packs end; they lie beside the code. */
export const packEnding = '.pack.br'

/**
 * What a pack holds, compressed: the bytes of each file in base64. A file that ends in `.gz` lies there unpacked, and is compressed when
 * it is read: pages that are alike take a third of the room together.
 */
export type Pack = Readonly<Record<string, string>>

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

function packedFolder(file: URL): AssetFolder {
  // Read anew each time: what is asked for often keeps what it was given.
  const open = async () => JSON.parse((await unpack(await readFile(file))).toString('utf8')) as Pack
  return {
    names: async () => Object.keys(await open()),
    async read(names) {
      const pack = await open()
      return Promise.all(
        names.map(async (name) => {
          if (!Object.hasOwn(pack, name)) throw new Error(`${name} is not in ${fileURLToPath(file)}`)
          const bytes = Buffer.from(pack[name]!, 'base64')
          return name.endsWith('.gz') ? await compress(bytes, { level: 9 }) : bytes
        }),
      )
    },
  }
}

function folderOfPackage(name: string): URL {
  return pathToFileURL(`${dirname(installedFile(`${name}/package.json`))}/`)
}

function fromHere(path: string): URL {
  return new URL(path, import.meta.url)
}
