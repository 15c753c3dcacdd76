import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { builtFolder, inputsDigest, readBuilt, type BuiltSite } from './digest.ts'
import { oneAtATime } from './one-at-a-time.ts'
import { layPages, pagesFolder } from './pages.ts'

const compressed = /\.(?:js|css|html|svg|json)$/
const hashedName = /^assets\/.*\.[\w-]{8}\.\w+$/
const inlineScript = /<script(?![^>]*\bsrc=)[^>]*>([^]*?)<\/script>/g

/** Builds the site, unless what was built last came from the same files: `npm run docs`. */
async function build(): Promise<void> {
  const digest = await inputsDigest()
  if ((await readBuilt())?.digest === digest) return
  // VitePress has one working folder, so builds run one at a time; a process that waited finds the site built.
  await oneAtATime(`${builtFolder}.lock`, async () => {
    if ((await readBuilt())?.digest !== digest) await buildFrom(digest)
  })
}

async function buildFrom(digest: string): Promise<void> {
  process.env['NODE_ENV'] = 'production'
  await layPages(pagesFolder)
  const { build: bundle } = await import('vitepress')
  const folder = `${builtFolder}.${process.pid}`
  try {
    await bundle(import.meta.dirname, { outDir: folder })
    const built: BuiltSite = { digest, files: [], scriptHashes: [] }
    const hashes = new Set<string>()
    for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue
      const file = join(entry.parentPath, entry.name)
      const path = file.slice(folder.length + 1).replaceAll('\\', '/')
      built.files.push({ path, hashed: hashedName.test(path), gzip: compressed.test(path) })
      const content = await readFile(file)
      if (path.endsWith('.html')) for (const hash of hashScripts(content.toString('utf8'))) hashes.add(hash)
      if (compressed.test(path)) await compress(file, content)
    }
    built.scriptHashes = [...hashes].toSorted()
    await writeFile(join(folder, 'build.json'), JSON.stringify(built))
    await replaceBuilt(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
    await rm(pagesFolder, { recursive: true, force: true })
  }
}

function hashScripts(html: string): string[] {
  return [...html.matchAll(inlineScript)].map(
    ([, script = '']) => `sha256-${createHash('sha256').update(script).digest('base64')}`,
  )
}

// About 500 text files: only the compressed ones are kept, and unpacked for clients that don't accept gzip.
async function compress(file: string, content: Buffer): Promise<void> {
  await writeFile(`${file}.gz`, await promisify(gzip)(content, { level: 9 }))
  await rm(file)
}

/** A reader at the same time finds the old site or the new one, or for a moment none. */
async function replaceBuilt(folder: string): Promise<void> {
  const old = `${builtFolder}.old.${process.pid}`
  await mkdir(builtFolder, { recursive: true })
  await rename(builtFolder, old)
  await rename(folder, builtFolder)
  await rm(old, { recursive: true, force: true })
}

// As a part of `npm install` a failed build does not fail the installation: the server builds a missing site at the first request.
const lenient = process.argv.includes('--lenient')
try {
  await build()
} catch (error) {
  process.stderr.write(`The documentation was not built: ${(error as Error).stack}\n`)
  if (!lenient) process.exitCode = 1
}
