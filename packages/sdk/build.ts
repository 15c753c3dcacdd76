import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { build } from 'esbuild'

/** Builds the published package, into packages/sdk/dist or the given folder: ESM, CJS, types and a package.json. */
const folder = import.meta.dirname
const dist = process.argv[2] ?? join(folder, 'dist')
const entries = ['index', 'webhooks', 'testing'] as const

rmSync(dist, { recursive: true, force: true })
mkdirSync(dist)
const shared = { bundle: true, platform: 'neutral', target: 'es2022', outdir: dist, legalComments: 'none' } as const
const entryPoints = entries.map((name) => join(folder, 'src', `${name}.ts`))
await build({ ...shared, entryPoints, format: 'esm', splitting: true, chunkNames: 'shared-[hash]' })
await build({ ...shared, entryPoints, format: 'cjs', outExtension: { '.js': '.cjs' } })
writeTypes()
writeManifest()
for (const file of ['README.md']) cpSync(join(folder, file), join(dist, file))
cpSync(join(folder, '../../LICENSE'), join(dist, 'LICENSE'))
console.log(`${readdirSync(dist, { recursive: true }).length} files written to ${dist}`)

function writeTypes(): void {
  const typescript = join(folder, '../../node_modules/typescript/bin/tsc')
  const types = join(dist, 'types')
  execFileSync(process.execPath, [typescript, '-p', join(folder, 'tsconfig.build.json'), '--outDir', types])
  const needed = reachable(types)
  for (const name of readdirSync(types, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.d.ts')) continue
    const text = readFileSync(join(types, name), 'utf8')
    if (!needed.has(name)) {
      rmSync(join(types, name))
      continue
    }
    // CommonJS needs the same types under other file names.
    for (const [from, to] of [
      ['js', 'ts'],
      ['cjs', 'cts'],
    ] as const) {
      const target = join(dist, 'types', name.replace(/\.d\.ts$/, `.d.${to}`))
      writeFileSync(target, text.replaceAll(/(from|import\() ?'(\.[^']*)\.ts'/g, `$1 '$2.${from}'`))
    }
  }
}

/** The declaration files that the given declarations import. */
function reachable(types: string): Set<string> {
  const found = new Set<string>()
  const visit = (name: string): void => {
    if (found.has(name)) return
    found.add(name)
    for (const [, path = ''] of readFileSync(join(types, name), 'utf8').matchAll(/from '(\.[^']*)\.ts'/g))
      visit(`${join(dirname(name), path)}.d.ts`)
  }
  for (const entry of entries) visit(`${entry}.d.ts`)
  return found
}

function writeManifest(): void {
  const { name, version, description, license, type } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const exports = Object.fromEntries(
    entries.map((entry) => [
      entry === 'index' ? '.' : `./${entry}`,
      {
        import: { types: `./types/${entry}.d.ts`, default: `./${entry}.js` },
        require: { types: `./types/${entry}.d.cts`, default: `./${entry}.cjs` },
      },
    ]),
  )
  const manifest = {
    name,
    version,
    description,
    license,
    type,
    sideEffects: false,
    engines: { node: '>=20.19.0' },
    main: './index.cjs',
    module: './index.js',
    types: './types/index.d.cts',
    // For tools that don't support `exports`.
    typesVersions: { '*': Object.fromEntries(entries.map((entry) => [entry, [`./types/${entry}.d.cts`]])) },
    exports: { ...exports, './package.json': './package.json' },
  }
  writeFileSync(join(dist, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
}
