import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

type Versions = Record<string, string>

interface Manifest {
  name: string
  version: string
  description: string
  license: string
  dependencies?: Versions
  optionalDependencies?: Versions
}

const overture = join(import.meta.dirname, '..')

/**
 * The package.json of the published package. Its dependencies are only the packages that are built for one system, since the rest is
 * bundled.
 */
export async function writeManifest(folder: string): Promise<void> {
  const { name, version, description, license } = await readManifest(overture)
  const server = await readManifest(join(overture, '../server'))
  const manifest = {
    name,
    version,
    description,
    license,
    keywords: ['email', 'outreach', 'campaigns', 'self-hosted', 'smtp', 'imap', 'sequences'],
    type: 'module',
    bin: { overture: './overture.mjs' },
    exports: { './testing': { types: './testing.d.ts', default: './testing.mjs' }, './package.json': './package.json' },
    engines: { node: '>=20.19.0' },
    dependencies: { '@node-rs/argon2': server.dependencies!['@node-rs/argon2']! },
    optionalDependencies: server.optionalDependencies,
  }
  await writeFile(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
}

async function readManifest(folder: string): Promise<Manifest> {
  return JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as Manifest
}
