import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createDatabase } from '@overture/server/platform/db/pool.client.ts'
import { createLogger } from '@overture/server/platform/log.shell.ts'
import { createTestDatabase, type TestDatabase } from '@overture/testing/database.ts'
import { type NodeProcess, startNodeProcess } from '@overture/testing/kills/node-process.ts'
import { liftLimits, printedTestKey } from '@overture/testing/kills/product-caller.ts'
import type { AnswerBody } from '@overture/testing/server.ts'

// Each test starts and kills whole processes.
vi.setConfig({ testTimeout: 300_000 })

const rows = 60_000
/** So many parts of a file are too much for the buffers between client and server. */
const partsBeforeDeath = 100
const patience = { timeout: 150_000, interval: 5 }

let folder: string
let database: TestDatabase
let server: NodeProcess
let key: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'overture-import-killed-'))
  database = await createTestDatabase()
  server = await startNodeProcess({ DATABASE_URL: database.url, OVERTURE_DATA_DIR: folder, PORT: '0' })
  key = printedTestKey(server)
  await liftLimits(database.url)
})
afterAll(async () => {
  await server.stop()
  await database.drop()
  await rm(folder, { recursive: true, force: true })
})

async function ask(method: string, path: string, body?: string): Promise<AnswerBody> {
  const response = await fetch(server.url + path, {
    method,
    headers: { authorization: `Bearer ${key}`, ...(body !== undefined && { 'content-type': 'text/csv' }) },
    ...(body !== undefined && { body }),
  })
  const answer = await response.json()
  expect([path, response.ok ? null : answer]).toEqual([path, null])
  return answer
}

const upload = (mode: string, body: string) => ask('POST', `/v2/suppressions/import?list=killed&mode=${mode}`, body)
const jobOf = (id: string) => ask('GET', `/v2/suppressions/imports/${id}`)
const entries = async () => (await ask('GET', '/v2/suppressions?list=killed&limit=1')).pagination.totalCount
const fileOf = (numbers: number[]) =>
  ['email', ...numbers.map((number) => `p${number}@killed.example.com`), 'no address', ''].join('\n')
const all = Array.from({ length: rows }, (_, number) => number)

/** Kills the server as soon as the import has read at least so many rows and is not at its end. */
async function killAfter(id: string, rowsRead: number): Promise<AnswerBody> {
  let job: AnswerBody = null
  await expect.poll(async () => (job = await jobOf(id)).rowsRead, patience).toBeGreaterThanOrEqual(rowsRead)
  await die()
  return job
}

/** Kills the server, starts it again, and ends the leases of the killed process, which last a minute. */
async function die(): Promise<void> {
  await server.killAndRestart()
  const db = createDatabase({ url: database.url, log: createLogger('silent'), connectionsMax: 1 })
  await db.execute('update jobs set lease_until = now() where lease_until is not null')
  await db.execute('update imports set upload_until = now() where upload_until is not null')
  await db.close()
}

async function ended(id: string): Promise<AnswerBody> {
  await expect.poll(async () => (await jobOf(id)).status, patience).toMatch(/completed|failed/)
  return jobOf(id)
}

test('an import that is killed twice continues, and stores and counts each row once', async () => {
  const { id } = await upload('add', fileOf(all))
  expect(await killAfter(id, 1)).toMatchObject({ status: 'running' })
  const again = await killAfter(id, (await jobOf(id)).rowsRead + 1)
  expect(again.rowsRead).toBeLessThanOrEqual(rows + 1)
  expect(await ended(id)).toMatchObject({ status: 'completed', rowsRead: rows + 1, added: rows, updated: 0, failed: 1 })
  expect(await entries()).toBe(rows)
  const errors = await fetch(`${server.url}/v2/suppressions/imports/${id}/errors`, {
    headers: { authorization: `Bearer ${key}` },
  })
  expect((await errors.text()).trimEnd().split('\n')).toHaveLength(2)
})

test('a killed import with mode=replace removes exactly the entries that are not in its file', async () => {
  const half = all.filter((number) => number % 2 === 0)
  const { id } = await upload('replace', fileOf(half))
  await killAfter(id, 1)
  const done = await ended(id)
  expect(done).toMatchObject({ status: 'completed', added: 0, updated: rows / 2, removed: rows / 2, failed: 1 })
  expect(await entries()).toBe(rows / 2)
})

test('a killed upload leaves no import and no entry, and its key can upload again', async () => {
  const before = await entries()
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'text/csv' }
  const killed = request(`${server.url}/v2/suppressions/import?list=killed&mode=add`, { method: 'POST', headers })
  const cut = once(killed, 'response').then(
    () => 'answered',
    () => 'cut',
  )
  killed.write('email\n')
  const rowsOfPart = fileOf(all.slice(0, 2_000)).slice('email\n'.length)
  for (let part = 0; part < partsBeforeDeath; part++) if (!killed.write(rowsOfPart)) await once(killed, 'drain')
  await die()
  expect(await cut).toBe('cut')
  expect(await entries()).toBe(before)
  const { id } = await upload('add', fileOf([1]))
  expect(await ended(id)).toMatchObject({ status: 'completed', added: 1 })
})
