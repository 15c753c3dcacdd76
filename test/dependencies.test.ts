import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '..')
const page = readFileSync(join(root, 'docs/decisions/0045-list-every-production-dependency.md'), 'utf8')
const { workspaces } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { workspaces: string[] }

type Versions = Record<string, string>
interface Manifest {
  dependencies?: Versions
  optionalDependencies?: Versions
  peerDependencies?: Versions
}

const manifests = ['.', ...workspaces, 'integrations/n8n'].map(
  (path) => [path, JSON.parse(readFileSync(join(root, path, 'package.json'), 'utf8')) as Manifest] as const,
)
const inProduction = manifests.flatMap(([, { dependencies, optionalDependencies }]) =>
  Object.entries({ ...dependencies, ...optionalDependencies }).filter(([name]) => !name.startsWith('@overture/')),
)

/** The names in the first column, each with the other cells; `@scope/*` means all packages of a scope. */
const rows = page
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .map((line) => {
    const [, names = '', ...rest] = line.split('|').map((cell) => cell.trim())
    return { names: [...names.matchAll(/`([^`]+)`/g)].map(([, name]) => name!), says: rest.slice(0, -1) }
  })
const named = rows.flatMap(({ names }) => names)
const stands = (name: string, line: string) =>
  line.endsWith('/*') ? name.startsWith(line.slice(0, -1)) : name === line

test('every package.json of the repository is read', () => {
  const below = ['packages', 'docs', 'integrations'].flatMap((folder) =>
    readdirSync(join(root, folder), { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && readdirSync(join(root, folder, entry.name)).includes('package.json'))
      .map(({ name }) => `${folder}/${name}`),
  )
  expect(manifests.map(([path]) => path)).toEqual(expect.arrayContaining(below))
  expect(inProduction.length).toBeGreaterThan(50)
})

test('each production dependency is listed once with purpose and reason, and no other is listed', () => {
  const names = [...new Set(inProduction.map(([name]) => name))]
  const lines = (name: string) => named.filter((line) => stands(name, line)).length
  expect(names.filter((name) => lines(name) !== 1).map((name) => `${name}: ${lines(name)} lines`)).toEqual([])
  expect(named.filter((line) => !names.some((name) => stands(name, line)))).toEqual([])
  expect(rows.filter(({ says }) => says.length !== 2 || says.some((cell) => cell.length < 3))).toEqual([])
})

test('each has an exact version, the same in every package', () => {
  expect(inProduction.filter(([, version]) => !/^\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(version))).toEqual([])
  const versions = new Map<string, Set<string>>()
  for (const [name, version] of inProduction) versions.set(name, (versions.get(name) ?? new Set()).add(version))
  expect([...versions].filter(([, all]) => all.size > 1)).toEqual([])
})

test('each has a permissive licence, and telemetry is off', () => {
  const free =
    /^(?:\()?(?:MIT|MIT-0|ISC|Apache-2\.0|BSD-2-Clause|BSD-3-Clause|MPL-2\.0|CC0-1\.0|ISC AND CC-BY-3\.0|MIT OR Apache-2\.0)\)?$/
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { license?: string }>
  }
  const licences = inProduction.map(([name]) => [name, packages[`node_modules/${name}`]?.license ?? ''] as const)
  expect(licences.filter(([, licence]) => !free.test(licence))).toEqual([])
  expect(readFileSync(join(root, 'packages/server/src/billing/stripe.client.ts'), 'utf8')).toContain('telemetry: false')
  expect(named).not.toContain('@tanstack/react-query-devtools')
})
