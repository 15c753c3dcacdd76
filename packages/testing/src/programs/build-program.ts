import { mkdir, readFile, symlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build, type BuildOptions, type Plugin } from 'esbuild'
import { absent, alias, external, requireBanner, threads } from '../../../overture/build/bundle.ts'

const packages = fileURLToPath(new URL('../../../', import.meta.url))

// Modules find files by their own place, so each keeps the place of its source. Threads are the exception: they are built, too. The
// module that writes the packages' bundle names the expression in a string.
const ownUrl = /\bimport\.meta\.url/g
const threadUrl = /(?<=\.boot\.mjs', )import\.meta\.url/g
const ownFolder = /\bimport\.meta\.dirname/g

function placesOfSources(threads: string): Plugin {
  return {
    name: 'places-of-sources',
    setup(builder) {
      builder.onLoad({ filter: /\.ts$/ }, async ({ path }) => {
        if (path.includes('node_modules') || path.endsWith('/bundle.ts')) return null
        const source = await readFile(path, 'utf8')
        const contents = source
          .replaceAll(threadUrl, JSON.stringify(pathToFileURL(`${threads}/`).href))
          .replaceAll(ownUrl, JSON.stringify(pathToFileURL(path).href))
          .replaceAll(ownFolder, JSON.stringify(dirname(path)))
        return { contents, loader: 'ts' }
      })
    },
  }
}

function buildOptions(outdir: string, threads: string): BuildOptions {
  return {
    outdir,
    bundle: true,
    splitting: true,
    format: 'esm',
    outExtension: { '.js': '.mjs' },
    platform: 'node',
    target: 'node20.19',
    sourcemap: 'inline',
    sourcesContent: false,
    alias,
    external: [...external, ...absent],
    plugins: [placesOfSources(threads)],
    logLevel: 'error',
    banner: { js: requireBanner },
  }
}

/** Writes the threads of the product into a new folder of a store, which can import packages, and returns the folder's path. */
export async function buildThreads(store: string): Promise<string> {
  await mkdir(store, { recursive: true })
  await symlink(join(packages, '../node_modules'), join(store, 'node_modules'))
  const folder = join(store, 'threads')
  await build({ ...buildOptions(folder, folder), entryPoints: threads })
  return folder
}

/** Writes a program of this repository into a folder as plain JavaScript and returns the path of its main file. */
export async function buildProgram(entry: string, at: { folder: string; threads: string }): Promise<string> {
  const name = basename(entry, '.ts')
  await build({ ...buildOptions(at.folder, at.threads), entryPoints: { [name]: entry } })
  return join(at.folder, `${name}.mjs`)
}
