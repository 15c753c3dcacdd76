import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { onlyInAll } from './test-sets.ts'

const root = new URL('../../../', import.meta.url)
const left = onlyInAll.flatMap(({ files }) => files)

test.each(left)('%s is there', (path) => {
  expect(existsSync(fileURLToPath(new URL(path, root)))).toBe(true)
})

test('what guards the promises is in npm test', () => {
  const guards = ['test/faults/faults.test.ts', 'test/recipients.test.ts', 'test/opt-outs-count.test.ts']
  expect(left.filter((path) => guards.some((guard) => guard.startsWith(path)))).toEqual([])
})
