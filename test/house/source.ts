import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { roles, server } from './rooms.ts'

const root = resolve(import.meta.dirname, '../..')

/** A file of the repository with its path from the root. */
export interface Module {
  path: string
  text: string
}

export interface Import {
  /** The specifier as written in the source. */
  specifier: string
  /** The path from the root for a file of the repository, else the package's name. */
  path: string
  typeOnly: boolean
  /** The imported names; empty if the whole module is imported. */
  names: readonly string[]
}

export function readModules(): Module[] {
  return ['packages', 'test', 'bench', 'examples'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name) && !/node_modules|(^|\/)dist\//.test(name))
      .map((name) => ({ path: join(folder, name), text: readFileSync(join(root, folder, name), 'utf8') })),
  )
}

const statement =
  /^[ \t]*(?:import|export)\b\s*(type\b)?([^'";]*?)\bfrom\s+'([^']+)'|\bimport\(\s*'([^']+)'\s*\)|^import\s+'([^']+)'/gms

export function readImports(module: Module): Import[] {
  return Array.from(module.text.matchAll(statement), ([, type, clause = '', from, dynamic, bare]) => {
    const specifier = from ?? dynamic ?? bare ?? ''
    const names = Array.from(
      clause.matchAll(/(?:[{,]\s*)(type\s+)?([\w$]+)(?:\s+as\s+[\w$]+)?/g),
      ([, inline, name = '']) => ({
        name,
        typeOnly: inline !== undefined,
      }),
    )
    return {
      specifier,
      path: resolveImport(module, specifier),
      typeOnly: type !== undefined || (names.length > 0 && names.every((one) => one.typeOnly)),
      names: names.map((one) => one.name),
    }
  })
}

function resolveImport(from: Module, specifier: string): string {
  if (specifier.startsWith('.')) return relative(root, resolve(root, dirname(from.path), specifier))
  return specifier
    .replace(/^@overture\/contract\/document\//, 'packages/contract/document/')
    .replace(/^@overture\/(contract|sdk)$/, 'packages/$1/src/index.ts')
    .replace(/^@overture\/([a-z-]+)\//, 'packages/$1/src/')
}

/**
 * The modules that lead to one of the sources, directly or through other modules, each with that source. The sources are among them.
 * An import of types alone does not count, and `follows` can exclude others.
 */
export function leadingTo(
  modules: readonly Module[],
  sources: Iterable<string>,
  follows: (one: Import) => boolean = () => true,
): Map<string, string> {
  const importers = new Map<string, string[]>()
  for (const module of modules) {
    for (const imported of readImports(module)) {
      if (imported.typeOnly || !follows(imported)) continue
      const known = importers.get(imported.path)
      if (known === undefined) importers.set(imported.path, [module.path])
      else known.push(module.path)
    }
  }
  const found = new Map(Array.from(sources, (path) => [path, path]))
  // A loop over a map also visits entries that are added during the loop.
  for (const [path, source] of found)
    for (const importer of importers.get(path) ?? []) if (!found.has(importer)) found.set(importer, source)
  return found
}

/** The role of a file by its suffix; null for a pure file. */
export function findRole(path: string): string | null {
  const name = path.split('/').at(-1) ?? ''
  if (name === 'index.ts') return 'index'
  return roles.find((role) => name.endsWith(`.${role}.ts`)) ?? null
}

/** The slice, or `platform` or `composition`; null for files outside the server. */
export function findRoom(path: string): string | null {
  const inside = path.startsWith(`${server}/`) ? path.slice(server.length + 1).split('/') : []
  return inside.length > 1 ? (inside[0] ?? null) : null
}

/** The sub-folder of the slice; null for a file in the slice's own folder. */
export function findSubRoom(path: string): string | null {
  const inside = path.startsWith(`${server}/`) ? path.slice(server.length + 1).split('/') : []
  return inside.length > 2 ? (inside[1] ?? null) : null
}

export function isTest(module: Module): boolean {
  return findRole(module.path) === 'test' || /\.test\.tsx$|^(test|bench|examples|packages\/testing)\//.test(module.path)
}
