import { mkdir, readFile, symlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build, type BuildOptions, type Plugin } from 'esbuild'
import { absent, alias, external, requireBanner, threads } from '../../../overture/build/bundle.ts'

const packages = fileURLToPath(new URL('../../../', import.meta.url))

// Modules find files by their own place, so each keeps the place of its source. Threads are the exception: they are built, too. The
// module that writes the packages' bundle names the expression in a string.
const ownUrl = /(?<!\.boot\.mjs', )\bimport\.meta\.url/g
const ownFolder = /\bimport\.meta\.dirname/g
const places: Plugin = {
  name: 'places-of-sources',
  setup(builder) {
    builder.onLoad({ filter: /\.ts$/ }, async ({ path }) => {
      if (path.includes('node_modules') || path.endsWith('/bundle.ts')) return null
      const source = await readFile(path, 'utf8')
      const contents = source
        .replaceAll(ownUrl, JSON.stringify(pathToFileURL(path).href))
        .replaceAll(ownFolder, JSON.stringify(dirname(path)))
      return { contents, loader: 'ts' }
    })
  },
}

const options = {
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
  plugins: [places],
  logLevel: 'error',
  banner: { js: requireBanner },
} as const satisfies BuildOptions

/**
 * Writes a program of this repository into a new folder as plain JavaScript and returns the path of its main file. It starts in a
 * fifth of the time that the sources need.
 */
export async function buildProgram(entry: string, folder: string): Promise<string> {
  await mkdir(folder, { recursive: true })
  // Packages that are not bundled are found from the folder.
  await symlink(join(packages, '../node_modules'), join(folder, 'node_modules'))
  const name = basename(entry, '.ts')
  await build({ ...options, entryPoints: { [name]: entry, ...threads }, outdir: folder })
  return join(folder, `${name}.mjs`)
}
