import { connect, type Socket } from 'node:net'
import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '@overture/testing/server.ts'
import { testRenderer } from '@overture/testing/renderer.ts'
import { until } from '@overture/testing/server/until.ts'
import { discardUploadJob } from '../../platform/imports/uploads.shell.ts'
import { createJobRunner } from '../../platform/jobs/runner.worker.ts'
import { campaignJobs, campaignRoutes } from '../index.ts'

const mebibyte = 1024 * 1024

let server: TestServer
let campaignId: string
beforeAll(async () => {
  server = await startTestServer({
    routes: () =>
      campaignRoutes({
        renderer: testRenderer,
        checkAi: async () => ({ missingPresetIds: [], creditsMissing: false }),
      }),
    environment: { OVERTURE_UPLOAD_MEBIBYTES_MAX: '1' },
  })
  campaignId = (await server.call('POST', '/v2/campaigns', { key: server.keys.test, body: { name: 'Uploads' } })).body
    .id
})
afterAll(() => server.stop())

const open: Slow[] = []
afterEach(() => {
  for (const slow of open.splice(0)) slow.socket.destroy()
})

interface Slow {
  socket: Socket
  send(piece: string): Promise<void>
  end(): void
  /** The status code of the response, after it has arrived. */
  status(): Promise<number>
  read(): string
}

/** A client that sends its file at its own pace. */
async function beginUpload(key: string, headers = ''): Promise<Slow> {
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1').setNoDelay(true)
  let read = ''
  socket.setEncoding('latin1').on('data', (text: string) => (read += text))
  socket.on('error', () => undefined)
  socket.write(
    `POST /v2/campaigns/${campaignId}/leads/import HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${key}\r\n` +
      `content-type: text/csv\r\ntransfer-encoding: chunked\r\n${headers}\r\n`,
  )
  const slow: Slow = {
    socket,
    send: (piece) =>
      new Promise((resolve) => {
        const bytes = Buffer.from(piece)
        socket.write(`${bytes.length.toString(16)}\r\n`)
        socket.write(bytes)
        socket.write('\r\n', () => resolve())
      }),
    end: () => void socket.write('0\r\n\r\n'),
    status: async () =>
      Number(
        (
          await until(
            async () => read,
            (text) => text.includes('\r\n\r\n'),
          )
        ).slice(9, 12),
      ),
    read: () => read,
  }
  open.push(slow)
  return slow
}

function query<Row>(text: string, values: unknown[] = []): Promise<Row[]> {
  return server.database.db.query<Row>(text, values)
}

/** Waits until this many uploads are running and committed. */
function uploading(count: number) {
  return until(
    async () => (await query(`select 1 from imports where status = 'uploading'`)).length,
    (found) => found === count,
  )
}

async function rowsStaged(): Promise<number> {
  return (await query<{ count: number }>('select count(*)::int as count from import_rows'))[0]?.count ?? 0
}

/**
 * Counts transactions that are open while their session waits for anything except the database, and whether they hold
 * back the event log.
 */
async function heldOpen() {
  const idle = await query(
    `select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
       and (state like 'idle in transaction%' or (state = 'active' and xact_start < now() - interval '30 seconds'))`,
  )
  const [written] = await query<{ id: string }>('select pg_current_xact_id()::text as id')
  const [horizon] = await query<{ passed: boolean }>('select events_horizon() > $1::xid8 as passed', [written?.id])
  return { idle: idle.length, horizonPassed: horizon?.passed }
}

const pieces = fc.array(
  fc.oneof(
    fc.constant(''),
    fc
      .string({ unit: fc.constantFrom('a', '"', ',', '\n', 'é', ' '), maxLength: 30 })
      .map((cell) => `x@example.com,"${cell.replaceAll('"', '""')}"\n`),
    fc.integer({ min: 1, max: 3_000 }).map((count) => 'a.b@example.com,A\n'.repeat(count)),
    fc.constantFrom('half.a@exam', 'ple.com,A\n', '\n\n', ',\n'),
  ),
  { minLength: 1, maxLength: 6 },
)

test("a slow upload keeps no transaction open and doesn't hold back the event log", async () => {
  await fc.assert(
    fc.asyncProperty(pieces, fc.boolean(), async (parts, withKey) => {
      const headers = withKey ? `idempotency-key: slow-${Math.random()}\r\n` : ''
      const slow = await beginUpload(server.keys.test, headers)
      await uploading(1)
      for (const part of ['email,first', ' name\n', ...parts]) {
        if (part === '') continue
        await slow.send(part)
        for (let look = 0; look < 3; look++)
          expect(await until(heldOpen, ({ horizonPassed }) => horizonPassed === true)).toEqual({
            idle: 0,
            horizonPassed: true,
          })
      }
      slow.end()
      expect([202, 400]).toContain(await slow.status())
      await uploading(0)
    }),
    { numRuns: 8 },
  )
})

test('a key uploads one file at a time: a second upload is 409, and other keys can upload', async () => {
  const first = await beginUpload(server.keys.test)
  await uploading(1)
  const second = await beginUpload(server.keys.test, 'idempotency-key: second\r\n')
  expect(await second.status()).toBe(409)
  expect(second.read()).toContain('"currentStatus":"uploading"')
  const other = await beginUpload(server.keys.testWrite)
  await uploading(2)
  for (const slow of [first, other]) {
    await slow.send('email\nfirst@example.com\n')
    slow.end()
    expect(await slow.status()).toBe(202)
  }
  // The refusal is not kept under the idempotency key: the same upload works now.
  const again = await beginUpload(server.keys.test, 'idempotency-key: second\r\n')
  await again.send('email\nsecond@example.com\n')
  again.end()
  expect(await again.status()).toBe(202)
})

test('a stalled upload frees its key and stores nothing when it continues', async () => {
  const still = await beginUpload(server.keys.test)
  await uploading(1)
  await still.send('email\nstill@example.com\n')
  await query(`update imports set upload_until = now() - interval '1 second' where status = 'uploading'`)
  const next = await beginUpload(server.keys.test)
  await next.send('email\nnext@example.com\n')
  next.end()
  expect(await next.status()).toBe(202)
  still.end()
  expect(await still.status()).toBe(409)
  expect(still.read()).toContain('"currentStatus":"abandoned"')
  expect(await query(`select 1 from import_rows where fields = array['still@example.com']`)).toEqual([])
})

const good = 'a.b@example.com,A\n'
const endings: [string, (slow: Slow) => Promise<void>][] = [
  ['without a column for addresses', (slow) => slow.send('name,first\nx,y\n').then(() => slow.end())],
  ['with an open quote', (slow) => slow.send(`email,first\n${good.repeat(5_000)}"a`).then(() => slow.end())],
  ['with a quote in the wrong place in its header', (slow) => slow.send(`email,fi"rst\n${good.repeat(5_000)}`)],
  ['with a row without an end', (slow) => slow.send(`email,first\n${good.repeat(2_500)}"${'x'.repeat(1_001_000)}`)],
  ['too large', (slow) => slow.send(`email,first\n${good.repeat(mebibyte / good.length)}`)],
  [
    'whose client leaves',
    (slow) => slow.send(`email,first\n${good.repeat(5_000)}`).then(() => void slow.socket.destroy()),
  ],
  ['whose client leaves at once', async (slow) => void slow.socket.destroy()],
]

test.each(endings)('an upload %s leaves nothing behind', async (_name, end) => {
  const runner = createJobRunner({ app: server.app, handlers: [...campaignJobs(), discardUploadJob], pollMs: 50 })
  await query('delete from imports')
  await query('delete from import_rows')
  const slow = await beginUpload(server.keys.test)
  await uploading(1)
  await end(slow)
  await uploading(0)
  if (!slow.socket.destroyed) expect([400, 413]).toContain(await slow.status())
  await runner.start()
  try {
    await until(rowsStaged, (count) => count === 0)
    await until(
      () => query('select 1 from imports'),
      (found) => found.length === 0,
    )
  } finally {
    await runner.stop()
  }
})

test('the upload of a killed process is discarded by its job, after the lease ends', async () => {
  await query('delete from imports')
  await query('delete from import_rows')
  const slow = await beginUpload(server.keys.test)
  await uploading(1)
  await slow.send(`email,first\n${good.repeat(3_000)}`)
  await until(rowsStaged, (count) => count > 0)
  const runner = createJobRunner({ app: server.app, handlers: [...campaignJobs(), discardUploadJob], pollMs: 50 })
  const due = () =>
    query(`update jobs set run_at = now() where kind = 'imports.discard_upload' and lease_token is null`)
  await runner.start()
  try {
    await due()
    await until(
      () =>
        query(`select 1 from jobs where kind = 'imports.discard_upload' and run_at > now() and lease_token is null`),
      (found) => found.length === 1,
    )
    expect(await rowsStaged()).toBeGreaterThan(0)
    await query(`update imports set upload_until = now() - interval '1 second'`)
    await due()
    await until(rowsStaged, (count) => count === 0)
    await until(
      () => query('select 1 from imports'),
      (found) => found.length === 0,
    )
  } finally {
    await runner.stop()
  }
})

test('a file whose content-length is too large is 413 before it is read', async () => {
  const slow = connect(Number(new URL(server.url).port), '127.0.0.1')
  let read = ''
  slow.setEncoding('latin1').on('data', (text: string) => (read += text))
  slow.write(
    `POST /v2/campaigns/${campaignId}/leads/import HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${server.keys.test}\r\n` +
      `content-type: text/csv\r\ncontent-length: ${mebibyte + 1}\r\n\r\n`,
  )
  expect(
    await until(
      async () => read,
      (text) => text.includes('}}'),
    ),
  ).toMatch(/^HTTP\/1.1 413 [^]*larger than 1 MiB/)
  slow.destroy()
})

test('an incomplete import is 404', async () => {
  const slow = await beginUpload(server.keys.test)
  await uploading(1)
  const [row] = await query<{ id: string }>(`select id from imports where status = 'uploading'`)
  expect((await server.call('GET', `/v2/imports/${row?.id}`, { key: server.keys.test })).status).toBe(404)
  slow.end()
})
