import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { readBuilt } from '@overture/console/digest.ts'
import { readBuilt as readBuiltSite } from '@overture/site/digest.ts'
import { assets, type AssetName } from '@overture/server/platform/assets.shell.ts'
import { packEnding, packFiles } from '@overture/server/platform/files/packed-files.shell.ts'

/** The files of each folder that are published. */
const contents: Record<AssetName, () => Promise<string[]>> = {
  migrations: () => ending('migrations', '.sql'),
  statements: () => ending('statements', '.json'),
  docs: () => ending('docs', '.md'),
  console: consoleFiles,
  site: siteFiles,
  reference: () => Promise.resolve(['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png']),
}

/** Writes all files that are not code into the folder, as one pack per kind. */
export async function writePacks(folder: string): Promise<void> {
  for (const name of Object.keys(contents) as AssetName[]) {
    const files = (await contents[name]()).toSorted()
    if (files.length === 0) throw new Error(`There is nothing to pack of ${name}.`)
    const bodies = await assets[name].read(files)
    const plain = files.map((file, index): [string, Buffer] => {
      const bytes = bodies[index]!
      return [file, file.endsWith('.gz') ? gunzipSync(bytes) : bytes]
    })
    await writeFile(join(folder, `${name}${packEnding}`), packFiles(plain))
  }
}

async function ending(name: AssetName, suffix: string): Promise<string[]> {
  return (await assets[name].names()).filter((file) => file.endsWith(suffix))
}

/** Lists each file of the console, its compressed forms, and the list of files itself. */
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
