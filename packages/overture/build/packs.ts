import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { brotliCompressSync, constants, gunzipSync } from 'node:zlib'
import { readBuilt } from '@overture/console/digest.ts'
import { readBuilt as readBuiltSite } from '@overture/site/digest.ts'
import { assets, packEnding, type AssetName, type Pack } from '@overture/server/platform/assets.shell.ts'

/** A window over all pages, for they are alike. */
const params = { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS }

/** What of each folder goes along. */
const contents: Record<AssetName, () => Promise<string[]>> = {
  migrations: () => ending('migrations', '.sql'),
  docs: () => ending('docs', '.md'),
  console: consoleFiles,
  site: siteFiles,
  reference: () => Promise.resolve(['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png']),
}

/** Puts everything that is no code into the folder, a pack for each kind. */
export async function writePacks(folder: string): Promise<void> {
  for (const name of Object.keys(contents) as AssetName[]) {
    const files = (await contents[name]()).toSorted()
    if (files.length === 0) throw new Error(`There is nothing to pack of ${name}.`)
    const bodies = await assets[name].read(files)
    const plain = bodies.map((bytes, index) => (files[index]!.endsWith('.gz') ? gunzipSync(bytes) : bytes))
    const pack: Pack = Object.fromEntries(files.map((file, index) => [file, plain[index]!.toString('base64')]))
    await writeFile(join(folder, `${name}${packEnding}`), brotliCompressSync(JSON.stringify(pack), { params }))
  }
}

async function ending(name: AssetName, suffix: string): Promise<string[]> {
  return (await assets[name].names()).filter((file) => file.endsWith(suffix))
}

/** Each file as it is and as it was compressed, and the list of them. */
async function consoleFiles(): Promise<string[]> {
  const built = await readBuilt()
  if (built === null) throw new Error('The console is not built: npm run prepare')
  const all = new Set(await assets.console.names())
  const variants = built.files.flatMap(({ path }) => [path, `${path}.gz`, `${path}.br`])
  return ['build.json', ...variants.filter((file) => all.has(file))]
}

async function siteFiles(): Promise<string[]> {
  const built = await readBuiltSite()
  if (built === null) throw new Error('The documentation is not built: npm run docs')
  return ['build.json', ...built.files.map(({ path, gzip }) => (gzip ? `${path}.gz` : path))]
}
