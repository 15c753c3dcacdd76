import { execFile } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { printedTestKey } from '@overture/testing/kills/product-caller.ts'
import { type NodeProcess, startNodeProcess } from '@overture/testing/kills/node-process.ts'
import { createTestDatabase, type TestDatabase } from '@overture/testing/database.ts'

// Each test builds, installs or runs whole programs.
vi.setConfig({ testTimeout: 300_000 })

const root = resolve(import.meta.dirname, '..')
const run = promisify(execFile)
// `campaign.ts` is imported by the others and is no program.
const programs = readdirSync(join(root, 'examples')).filter((name) => name.endsWith('.ts') && name !== 'campaign.ts')

let database: TestDatabase
let node: NodeProcess
beforeAll(async () => {
  database = await createTestDatabase()
  node = await startNodeProcess({
    DATABASE_URL: database.url,
    OVERTURE_ENCRYPTION_KEY: 'an encryption key of a test run',
    PORT: '0',
  })
})
afterAll(async () => {
  await node.stop()
  await database.drop()
})

test('there is a program for each guarantee', () => expect(programs.length).toBeGreaterThanOrEqual(4))

test.each(programs)(
  'examples/%s runs and proves its guarantee',
  async (name) => {
    const { stdout } = await run(process.execPath, ['--import', 'tsx', join('examples', name)], {
      cwd: root,
      env: { PATH: process.env['PATH'], OVERTURE_URL: node.url, OVERTURE_API_KEY: printedTestKey(node) },
      timeout: 300_000,
    })
    expect(stdout).not.toBe('')
  },
  360_000,
)
