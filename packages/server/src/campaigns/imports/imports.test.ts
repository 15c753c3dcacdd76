import { afterAll, beforeAll, expect, test } from 'vitest'
import type { JobContext } from '../../platform/jobs/job.ts'
import { runDueJobs } from '../../platform/jobs/run-due-jobs.shell.ts'
import { startTestServer, type TestServer } from '@overture/testing/server.ts'
import { testRenderer } from '@overture/testing/renderer.ts'
import { campaignJobs, campaignRoutes } from '../index.ts'
import { receiveUpload } from '../../platform/imports/uploads.shell.ts'
import { importErrors, leadImportJob, leadImportKind } from './imports.commands.ts'

const rows = 20_000
// A batch of 2,000 that is being written, plus the rows of one chunk of the file.
const rowsAheadMax = 2_000 + 600

let server: TestServer
let campaignId: string
beforeAll(async () => {
  server = await startTestServer({
    routes: () =>
      campaignRoutes({
        renderer: testRenderer,
        checkAi: async () => ({ missingPresetIds: [], creditsMissing: false }),
      }),
  })
  campaignId = (await call('POST', '/v2/campaigns', { name: 'Import' })).body.id
})
afterAll(() => server.stop())

function call(method: string, path: string, body?: unknown) {
  return server.call(method, path, { key: server.keys.test, ...(body !== undefined && { body }) })
}

/** Uploads chunks without HTTP and creates an import from them. */
async function receive(id: string, bytes: AsyncIterable<Uint8Array>, db = server.app.db): Promise<void> {
  const app = { ...server.app, db }
  const target = { campaignId, onDuplicate: 'skip' }
  const read = { jobKind: leadImportKind, checkHeader: () => undefined, bytes }
  const upload = { id, target, keyId: id, ...read, now: app.clock.now() }
  await receiveUpload(app, server.testTenant, upload, (complete) => app.db.transaction(complete))
}

test('rows are read at most one batch ahead of those stored', async () => {
  let read = 0
  let stored = 0
  let ahead = 0
  async function* upload(): AsyncGenerator<Uint8Array> {
    yield Buffer.from('email,first name\n')
    while (read < rows) {
      let piece = ''
      while (piece.length < 50_000 && read < rows) piece += `person.${++read}@example.com,${'A'.repeat(80)}\n`
      ahead = Math.max(ahead, read - stored)
      yield Buffer.from(piece)
    }
  }
  const { db } = server.app
  const counting = Object.assign(Object.create(db) as typeof db, {
    async query<Row>(text: string, values?: readonly unknown[], name?: string) {
      const found = await db.query<Row>(text, values, name)
      if (name === 'insert_uploaded_rows') stored += JSON.parse(String(values?.[4])).length
      return found
    },
  })
  await receive('imp_bounded', upload(), counting)
  expect([read, stored]).toEqual([rows, rows])
  expect(ahead).toBeGreaterThan(0)
  expect(ahead).toBeLessThanOrEqual(rowsAheadMax)
})

test('progress is reported while it runs, and each refused row is returned with number and reason', async () => {
  const total = 6_000
  const refused: string[] = []
  let csv = 'email,company,timezone\n'
  for (let row = 1; row <= total; row++) {
    const bad = row % 70 === 0 ? 'invalid_email' : row % 110 === 0 ? 'invalid_field' : null
    const email = bad === 'invalid_email' ? `no address ${row}` : `row.${row}@example.com`
    const line = `${email},"Acme, ""Inc"" ${row}",${bad === 'invalid_field' ? 'Nowhere/Nothing' : 'UTC'}`
    const reason =
      bad === 'invalid_field'
        ? 'invalid_field: timezone: Not an IANA time zone. Use a name such as Europe/Berlin.'
        : bad
    if (reason !== null) refused.push(`${row},${reason},${line}`)
    csv += `${line}\n`
  }
  const upload = await server.call('POST', `/v2/campaigns/${campaignId}/leads/import`, {
    key: server.keys.test,
    body: csv,
    headers: { 'content-type': 'text/csv' },
  })
  expect(upload.status).toBe(202)
  const path = `/v2/imports/${upload.body.id}`
  const progress: number[] = []
  const { app, testTenant } = server
  let running = true
  const job = runDueJobs(app, testTenant, app.clock.now(), campaignJobs()).finally(() => (running = false))
  while (running) progress.push((await call('GET', path)).body.rowsRead)
  await job
  expect(progress).toEqual(progress.toSorted((a, b) => a - b))
  expect(new Set(progress.filter((read) => read > 0 && read < total)).size).toBeGreaterThan(1)
  expect((await call('GET', path)).body).toMatchObject({
    status: 'completed',
    rowsRead: total,
    added: total - refused.length,
    failed: refused.length,
    skipped: 0,
    errorsUrl: expect.stringContaining(`${path}/errors`),
  })
  const errors = await server.call('GET', `${path}/errors`, { key: server.keys.test })
  expect(errors.headers.get('content-type')).toBe('text/csv; charset=utf-8')
  expect(errors.text.trimEnd().split('\n')).toEqual(['row,reason,email,company,timezone', ...refused])
  const first = (await call('GET', `/v2/imports/${upload.body.id}/errors?limit=1`)).text
  expect(first.trimEnd().split('\n')).toEqual(['row,reason,email,company,timezone', refused[0]])
  expect((await call('GET', `/v2/imports/${upload.body.id}/errors?limit=0`)).status).toBe(400)
})

async function importFile(body: string, query = '') {
  const headers = { 'content-type': 'text/csv' }
  const upload = await server.call('POST', `/v2/campaigns/${campaignId}/leads/import${query}`, {
    key: server.keys.test,
    body,
    headers,
  })
  if (upload.status !== 202) return { upload, job: null, errors: '' }
  await runDueJobs(server.app, server.testTenant, server.app.clock.now(), campaignJobs())
  const job = (await call('GET', `/v2/imports/${upload.body.id}`)).body
  const errors = (await call('GET', `/v2/imports/${upload.body.id}/errors`)).text
  return { upload, job, errors }
}

test('a row with a null character is refused with its number and reason, also the first row', async () => {
  const { job, errors } = await importFile(
    'email,first name\nnul.1@example.com,Ada\nnul.2@example.com,A\0da\nnul\0.3@example.com,Ada\nnul.4@example.com,Ada\n',
  )
  expect(job).toMatchObject({ status: 'completed', rowsRead: 4, added: 2, failed: 2 })
  expect(errors).toBe(
    'row,reason,email,first name\n2,invalid_field,nul.2@example.com,A\ufffdda\n3,invalid_field,nul\ufffd.3@example.com,Ada\n',
  )
  const only = await importFile('email\nnul.\0@example.com\n')
  expect(only.job).toMatchObject({ status: 'completed', rowsRead: 1, added: 0, failed: 1 })
  const { upload } = await importFile('email,fi\0rst\nnul.5@example.com,Ada\n')
  expect([upload.status, upload.body.error.details.issues[0].rule]).toEqual([400, 'characters'])
})

test('skips and counts leads of another campaign if the request asks for it', async () => {
  const other = (await call('POST', '/v2/campaigns', { name: 'Earlier' })).body.id
  await call('POST', `/v2/campaigns/${other}/leads`, { leads: [{ email: 'met@example.com' }] })
  const file = 'email\nmet@example.com\nnew.1@example.com\n'
  const first = await importFile(file, '?skipIfInOtherCampaign=true')
  expect(first.job).toMatchObject({ added: 1, skipped: 1, skippedReasons: { in_other_campaign: 1 } })
  const second = await importFile(file)
  expect(second.job).toMatchObject({ added: 1, skipped: 1, skippedReasons: { duplicate: 1 } })
})

test('an import whose workers are killed at every try fails with a reason, and keeps its rows', async () => {
  const { db } = server.app
  const csv = 'email\nfirst.kept@example.com\nsecond.lost@example.com\n'
  const { body } = await server.call('POST', `/v2/campaigns/${campaignId}/leads/import`, {
    key: server.keys.test,
    body: csv,
    headers: { 'content-type': 'text/csv' },
  })
  await db.execute(`update imports set status = 'running', rows_read = 1, added = 1 where id = $1`, [body.id])
  await db.execute(
    `update jobs set attempts = 20, lease_until = now() - interval '1 ms'
     where kind = 'campaigns.import' and payload->>'importId' = $1`,
    [body.id],
  )
  await runDueJobs(server.app, server.testTenant, server.app.clock.now(), campaignJobs())
  const failed = (await call('GET', `/v2/imports/${body.id}`)).body
  expect(failed).toMatchObject({
    status: 'failed',
    rowsRead: 1,
    added: 1,
    error: expect.stringContaining('given up'),
    completedAt: expect.any(String),
  })
  expect(await db.query(`delete from jobs where dead_at is not null returning kind`)).toEqual([
    { kind: 'campaigns.import' },
  ])
})

test('formulas are escaped in the error file, which can be corrected and uploaded again', async () => {
  const cells = ['=1+1', '+49 30 1234', '-1', '@x', "'=1", "'t Hooft", '"\t=1"', 'plain']
  const header = cells.map((_cell, index) => `c${index}`).join(',')
  const first = await importFile(`email,mobile,=x,${header}\nno address,+1,1,${cells.join(',')}\n`)
  expect(first.errors).toBe(
    `row,reason,email,mobile,'=x,${header}\n` +
      `1,invalid_email,no address,'+1,1,'=1+1,'+49 30 1234,'-1,'@x,'=1,'t Hooft,'\t=1,plain\n`,
  )
  const second = await importFile(first.errors.replace('no address', 'guarded@example.com'))
  expect(second.job).toMatchObject({ added: 1, failed: 0 })
  const leads = await call('GET', `/v2/campaigns/${campaignId}/leads?email=guarded@example.com`)
  expect(leads.body.results[0]).toMatchObject({ mobile: '+1' })
  expect(leads.body.results[0].customVariables).toEqual({
    X: '1',
    ...Object.fromEntries(
      ['=1+1', '+49 30 1234', '-1', '@x', '=1', "'t Hooft", '=1', 'plain'].map((v, i) => [`c${i}`, v]),
    ),
  })
})

test('the error file is read page by page, as fast as it is sent', async () => {
  const { db } = server.app
  const tenant = server.testTenant
  await db.execute(
    `insert into import_rows (account_id, environment, import_id, row_number, fields, reason)
     select $1, $2, 'imp_bounded', 100000 + n, array['x', 'y'], 'invalid_email' from generate_series(1, 5000) n`,
    [tenant.accountId, tenant.environment],
  )
  let pages = 0
  const counting = Object.assign(Object.create(db) as typeof db, {
    query<Row>(text: string, values?: readonly unknown[], name?: string) {
      if (text.includes('from import_rows')) pages++
      return db.query<Row>(text, values, name)
    },
  })
  const file = await importErrors(counting, tenant, { id: 'imp_bounded', limit: undefined })
  let lines = 0
  for await (const chunk of file) {
    lines += String(chunk).split('\n').length - 1
    expect(pages * 1_000).toBeLessThanOrEqual(lines + 3_000)
  }
  expect([lines, pages]).toEqual([5_001, 6])

  pages = 0
  const first = await importErrors(counting, tenant, { id: 'imp_bounded', limit: 1_001 })
  const read: string[] = []
  for await (const chunk of first) read.push(String(chunk))
  expect([read.join('').trimEnd().split('\n').length, pages]).toEqual([1_002, 2])
})

test('a file from a European Excel is imported completely: semicolons, Windows-1252', async () => {
  const csv = Buffer.from('E-Mail;First Name;Company\r\njose@example.com;Jos\xe9;"M\xfcller; S\xf6hne"\r\n', 'latin1')
  const id = 'imp_spreadsheet'
  const { app, testTenant } = server
  // Two chunks, the first of which does not contain the whole first row.
  async function* pieces() {
    yield csv.subarray(0, 5)
    yield csv.subarray(5)
  }
  await receive(id, pieces())
  const context = { app, tenant: testTenant, now: app.clock.now(), signal: new AbortController().signal }
  await leadImportJob({}).run(context as JobContext, { importId: id })
  const { body } = await call('GET', `/v2/campaigns/${campaignId}/leads?email=jose@example.com`)
  expect(body.results[0]).toMatchObject({ firstName: 'José', company: 'Müller; Söhne' })
})

test("an import's end time is the real end, never before its start", async () => {
  const { app, testTenant } = server
  const hourMs = 3_600_000
  for (const [aheadMs, rowsOfFile] of [
    [-hourMs, 1],
    [-hourMs, 2_500],
    [-1, 1],
    [hourMs, 1],
    [hourMs, 1_001],
  ] as const) {
    const id = `imp_ended${aheadMs}_${rowsOfFile}`
    async function* pieces() {
      for (let row = 0; row <= rowsOfFile; row++)
        yield Buffer.from(row === 0 ? 'email\n' : `ended.${aheadMs + hourMs}.${rowsOfFile}.${row}@example.com\n`)
    }
    await receive(id, pieces())
    const beganAt = app.clock.now()
    const now = new Date(beganAt.getTime() + aheadMs)
    const context = { app, tenant: testTenant, now, signal: new AbortController().signal }
    await leadImportJob({}).run(context as JobContext, { importId: id })
    const { body } = await call('GET', `/v2/imports/${id}`)
    expect(body).toMatchObject({ status: 'completed', added: rowsOfFile })
    const endedAt = Date.parse(body.completedAt)
    expect(endedAt).toBeGreaterThanOrEqual(Math.max(now.getTime(), beganAt.getTime()))
    expect(endedAt).toBeLessThanOrEqual(Math.max(now.getTime(), app.clock.now().getTime()))
    const [event] = await app.db.query<{ occurredAt: Date }>(
      `select occurred_at from events where account_id = $1 and type = 'import.completed' and data->>'importId' = $2`,
      [testTenant.accountId, id],
    )
    expect(event?.occurredAt.getTime()).toBe(endedAt)
  }
})
