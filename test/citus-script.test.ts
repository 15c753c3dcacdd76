import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { installCitusDouble } from '@overture/testing/distributed/citus-double.ts'
import { createTestDatabase, type TestDatabase } from '@overture/testing/database.ts'

// Each test builds, installs or runs whole programs.
vi.setConfig({ testTimeout: 300_000 })

const script = resolve(import.meta.dirname, 'citus/run')

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  await installCitusDouble(client)
  await client.end()
})
afterAll(() => database.drop())

test('the script for a real Citus runs with the double', async () => {
  // As docs/citus.md sets it for the database.
  const env = { ...process.env, TEST_DATABASE_URL: database.url, PGOPTIONS: '-c citus.shard_count=8' }
  const { stdout } = await promisify(execFile)(script, ['--without-tests'], { env })
  // On a slow machine the command may finish before it is killed.
  expect(stdout).toMatch(/Every table is distributed|Nothing to do/)
  expect(stdout).toContain('A trial')
  expect(stdout).toMatch(/Leads contacted\s+20 of 20/)
})

test('each line of citus/left-out names an existing test file and a reason', () => {
  const root = resolve(import.meta.dirname, '..')
  const lines = readFileSync(resolve(import.meta.dirname, 'citus/left-out'), 'utf8')
    .trimEnd()
    .split('\n')
  expect(lines.length).toBeGreaterThan(5)
  for (const line of lines) {
    const [file = '', ...reason] = line.split(' ')
    expect([file, existsSync(resolve(root, file)) && file.endsWith('.test.ts')]).toEqual([file, true])
    expect(reason.length).toBeGreaterThan(3)
  }
})
