import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { version as clientVersion } from '@overture/sdk'
import { version } from './version.ts'

test('the version is the same in every package', () => {
  const root = join(import.meta.dirname, '../../../..')
  const packages = ['.', ...['contract', 'server', 'cli', 'sdk', 'overture'].map((name) => `packages/${name}`)]
  const versions = packages.map((path) => JSON.parse(readFileSync(join(root, path, 'package.json'), 'utf8')).version)
  expect(new Set([...versions, clientVersion])).toEqual(new Set([version]))
})
