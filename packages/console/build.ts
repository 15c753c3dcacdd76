import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { builtFolder, inputsDigest, readBuilt, type BuildFiles } from './digest.ts'

const compressed = /\.(?:js|css|html|svg|json)$/
const hashedName = /^assets\//

/** Builds the console, unless the last build was made from the same files. */
async function build(): Promise<void> {
  const digest = await inputsDigest()
  if ((await readBuilt())?.digest === digest) return
  // Every caller, including tests, gets the production build that is served, and not the development build of React.
  process.env['NODE_ENV'] = 'production'
  const { build: bundle } = await import('vite')
  const folder = `${builtFolder}.${process.pid}`
  try {
    const outputs = await bundle({
      configFile: join(import.meta.dirname, 'vite.config.ts'),
      build: { outDir: folder, emptyOutDir: true },
    })
    const built: BuildFiles = { digest, files: [], modules: modulesIn(outputs) }
    for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue
      const path = join(entry.parentPath, entry.name)
        .slice(folder.length + 1)
        .replaceAll('\\', '/')
      built.files.push({ path, hashed: hashedName.test(path) })
      if (compressed.test(path)) await compress(join(folder, path))
    }
    await writeFile(join(folder, 'build.json'), JSON.stringify(built))
    await replaceBuilt(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** The files of packages in the build. Modules that the bundler adds itself have no file. */
function modulesIn(outputs: unknown): string[] {
  const all = [outputs].flat() as { output?: { moduleIds?: string[] }[] }[]
  const ids = all.flatMap(({ output = [] }) => output.flatMap(({ moduleIds = [] }) => moduleIds))
  const own = ids.flatMap((id) => /node_modules\/.*$/.exec(id.replaceAll('\\', '/').replace(/[?#].*$/, ''))?.[0] ?? [])
  return [...new Set(own)].toSorted()
}

async function compress(file: string): Promise<void> {
  const content = await readFile(file)
  await writeFile(`${file}.gz`, await promisify(gzip)(content, { level: 9 }))
  const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY }
  await writeFile(`${file}.br`, await promisify(brotliCompress)(content, { params }))
}

/** Replaces the built files. A reader at the same time finds the old build, the new one, or for a moment none. */
async function replaceBuilt(folder: string): Promise<void> {
  const old = `${builtFolder}.old.${process.pid}`
  await mkdir(builtFolder, { recursive: true })
  await rename(builtFolder, old)
  await rename(folder, builtFolder)
  await rm(old, { recursive: true, force: true })
}

// As a part of `npm install` a failed build does not fail the installation: the server builds a missing console at the first request.
const lenient = process.argv.includes('--lenient')
try {
  await build()
} catch (error) {
  process.stderr.write(`The console was not built: ${(error as Error).stack}\n`)
  if (!lenient) process.exitCode = 1
}
