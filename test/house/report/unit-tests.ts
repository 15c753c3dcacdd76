import { readImports, leadingTo, type Module, readModules } from '../source.ts'

/** Modules that start a database, the whole product, a thread, a browser or another program for the tests that import them. */
const startsMuch = [
  /^packages\/testing\/src\/(?:database|global-setup)\.ts$/,
  /^packages\/server\/src\/composition\//,
  /^(?:node:child_process|node:worker_threads|playwright-core|overture\/testing)$/,
]

/** Paths from the root of the test files that import none of these modules, sorted. */
export function unitTests(modules: readonly Module[] = readModules()): string[] {
  const imported = new Set(modules.flatMap((module) => readImports(module).map(({ path }) => path)))
  const sources = [...imported].filter((path) => startsMuch.some((one) => one.test(path)))
  const starting = leadingTo(modules, sources)
  return modules
    .map(({ path }) => path)
    .filter((path) => /^(?:packages\/[^/]+\/src|test)\/.*\.test\.ts$/.test(path) && !starting.has(path))
    .toSorted()
}

/** Paths of the test files that replace modules, which each need a process of their own. */
export function mockingTests(modules: readonly Module[]): string[] {
  return modules
    .filter(({ path, text }) => path.endsWith('.test.ts') && text.includes('vi.mock('))
    .map(({ path }) => path)
}
