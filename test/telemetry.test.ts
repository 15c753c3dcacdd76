import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '..')
const { packages } = JSON.parse(readFileSync(resolve(root, 'package-lock.json'), 'utf8')) as {
  packages: Record<string, { link?: boolean }>
}

/** Packages that send data to a service when they are installed or used. */
const reporters = [
  '@scarf/',
  '@sentry/',
  '@segment/',
  '@amplitude/',
  'analytics-node',
  'applicationinsights',
  'insight',
  'mixpanel',
  'posthog-node',
  'swagger-ui-dist',
  'universal-analytics',
]

test('no installed package reports usage to a service', () => {
  const names = Object.entries(packages)
    .filter(([path, { link }]) => path.includes('node_modules/') && link !== true)
    .map(([path]) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length))
  expect(names.length).toBeGreaterThan(100)
  expect(
    names.filter((name) => reporters.some((one) => name === one || (one.endsWith('/') && name.startsWith(one)))),
  ).toEqual([])
})
