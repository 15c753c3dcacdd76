import { createHash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Executor } from '@overture/server/platform/db/database.ts'
import { createDatabase, type PoolDatabase } from '@overture/server/platform/db/pool.client.ts'
import { createLogger } from '@overture/server/platform/log.shell.ts'
import { createTestDatabase, type TestDatabase } from '@overture/testing/database.ts'
import { type NodeProcess, startNodeProcess } from '@overture/testing/kills/node-process.ts'
import {
  type Caller,
  createCaller,
  expectOk,
  liftLimits,
  printedTestKey,
} from '@overture/testing/kills/product-caller.ts'
import type { AnswerBody } from '@overture/testing/server.ts'

// The test starts and kills whole processes.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 })

const patience = { timeout: 120_000, interval: 20 }
/** A page has 500 rows. Its part of the file is stored if it has a megabyte. */
const emails = Array.from({ length: 520 }, (_, number) => `p${number}@killed.example.com`)
const note = 'n'.repeat(2_400)

let folder: string
let database: TestDatabase
let db: PoolDatabase
let api: NodeProcess
let worker: NodeProcess
let key: string
let call: Caller

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'overture-export-killed-'))
  database = await createTestDatabase()
  api = await startNode('api')
  worker = await startNode('worker')
  key = printedTestKey(api)
  call = createCaller(() => api.url, key)
  await liftLimits(database.url)
  db = createDatabase({ url: database.url, log: createLogger('silent'), connectionsMax: 2 })
})
afterAll(async () => {
  await db.close()
  await worker.stop()
  await api.stop()
  await database.drop()
  await rm(folder, { recursive: true, force: true })
})

function startNode(role: 'api' | 'worker'): Promise<NodeProcess> {
  return startNodeProcess({
    DATABASE_URL: database.url,
    OVERTURE_ENCRYPTION_KEY: 'one key for every node',
    OVERTURE_ROLE: role,
    OVERTURE_DATA_DIR: join(folder, role),
    PORT: '0',
  })
}

const ask = (method: string, path: string, body?: unknown): Promise<AnswerBody> => expectOk(call(method, path, body))

/** The rows of a file, whose bytes have the promised size and hash. */
async function rowsIn({ url, rows, bytes, sha256 }: AnswerBody): Promise<AnswerBody[]> {
  const response = await fetch(api.url + new URL(url).pathname, { headers: { authorization: `Bearer ${key}` } })
  const body = Buffer.from(await response.arrayBuffer())
  expect([response.status, body.length]).toEqual([200, bytes])
  expect(createHash('sha256').update(body).digest('hex')).toBe(sha256)
  const lines = body.toString().trimEnd().split('\n')
  expect(lines).toHaveLength(rows)
  return lines.map((line) => JSON.parse(line))
}

test('another process completes the export of a killed worker, with each row once', async () => {
  await ask('POST', '/v2/tags', { name: 'VIP' })
  const list = await ask('POST', '/v2/lists', { name: 'Killed' })
  const members = emails.map((email) => ({ email, customVariables: { note } }))
  for (const half of [members.slice(0, 260), members.slice(260)])
    await ask('POST', `/v2/lists/${list.id}/members`, { members: half })
  let before: AnswerBody
  let id = ''
  await db.transaction(async (tx) => {
    await stopBeforeSecondPart(tx)
    id = (await ask('POST', '/v2/exports', { tables: ['tags', 'list_members'], format: 'ndjson' })).id
    const waiting = `select from pg_locks where locktype = 'advisory' and objid = 39 and not granted
      and database = (select oid from pg_database where datname = current_database())`
    await expect.poll(() => db.query(waiting), patience).toHaveLength(1)
    before = await ask('GET', `/v2/exports/${id}`)
    await worker.killAndRestart()
  })
  const unfinished = { table: 'list_members', rows: 500, sha256: null, url: null }
  expect(before).toMatchObject({ status: 'running', files: [{ table: 'tags', rows: 1 }, unfinished] })
  // The lease of the killed process lasts a minute.
  await db.execute(`update jobs set lease_until = now() where kind = 'exports.write'`)
  await expect.poll(async () => (await ask('GET', `/v2/exports/${id}`)).status, patience).toBe('completed')
  const { files } = await ask('GET', `/v2/exports/${id}`)
  expect(files[0]).toEqual(before.files[0])
  expect(await rowsIn(files[0])).toMatchObject([{ name: 'VIP' }])
  const exported = await rowsIn(files[1])
  expect(exported.map(({ email }) => email)).toEqual(emails.toSorted())
  expect(await db.query('select run from exports')).toEqual([{ run: 3 }])
})

/** The second part of each file waits until the transaction ends. */
async function stopBeforeSecondPart(tx: Executor): Promise<void> {
  await db.execute(`create function wait_for_test() returns trigger language plpgsql as $$
    begin perform pg_advisory_xact_lock_shared(39); return new; end $$`)
  await db.execute(`create trigger second_part before insert on export_chunks for each row when (new.position = 1)
    execute function wait_for_test()`)
  await tx.query('select pg_advisory_xact_lock(39)')
}
