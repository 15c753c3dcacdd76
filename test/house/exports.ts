import { server } from './rooms.ts'
import { readImports, isTest, findRole, type Module } from './source.ts'

const declaration =
  /^export\s+(?:async\s+)?(?:abstract\s+)?(?:function\*?|const|let|class|interface|type|enum)\s+([\w$]+)/gm
const handedOn = /^export\s+(?:type\s+)?\{([^}]*)\}/gm

/** Files that the package exports for its users. */
const published = [`${server}/composition/test-server.shell.ts`]

/** Finds exports of the server that nothing imports: they can be deleted or made local to their file. */
export function unusedExports(modules: readonly Module[]): string[] {
  const used = new Set<string>()
  const wholly = new Set<string>()
  for (const module of modules)
    for (const { path, names } of readImports(module)) {
      for (const name of names) used.add(`${path} ${name}`)
      if (names.length === 0) wholly.add(path)
    }
  return modules
    .filter(({ path }) => path.startsWith(`${server}/`) && !wholly.has(path) && !published.includes(path))
    .filter((module) => !isTest(module))
    .flatMap((module) =>
      listExports(module)
        .filter((name) => !used.has(`${module.path} ${name}`))
        .map((name) => `${module.path}: nobody imports ${name}`),
    )
}

function listExports(module: Module): string[] {
  const declared = Array.from(module.text.matchAll(declaration), ([, name = '']) => name)
  if (findRole(module.path) !== 'index') return declared
  const passed = Array.from(module.text.matchAll(handedOn), ([, clause = '']) => clause.split(','))
  return [
    ...declared,
    ...passed.flat().map((one) => one.replace(/^\s*(?:type\s+)?(?:\S+\s+as\s+)?/, '').trim()),
  ].filter((name) => name !== '')
}
