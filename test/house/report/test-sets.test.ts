import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { onlyInAll } from './test-sets.ts'

const root = new URL('../../../', import.meta.url)
const left = onlyInAll.flatMap(({ files }) => files)

test.each(left)('%s exists', (path) => {
  expect(existsSync(fileURLToPath(new URL(path, root)))).toBe(true)
})

test('tests of the main guarantees are part of npm test', () => {
  const guards = ['test/faults/faults.test.ts', 'test/recipients.test.ts', 'test/opt-outs-count.test.ts']
  expect(left.filter((path) => guards.some((guard) => guard.startsWith(path)))).toEqual([])
})
