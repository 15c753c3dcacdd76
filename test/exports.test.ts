import { createHash } from 'node:crypto'
import { parse } from 'csv-parse/sync'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { exportRows } from '@overture/contract/exports/export-rows.ts'
import { exportTables, type ExportTable } from '@overture/contract/exports/exports.ts'
import { exportJobs } from '@overture/server/exports/index.ts'
import { peopleJobs } from '@overture/server/people/index.ts'
import type { JobHandler } from '@overture/server/platform/jobs/job.ts'
import { runDueJobs, runNextDueJob } from '@overture/server/platform/jobs/run-due-jobs.shell.ts'
import { createTestPerson } from '@overture/testing/server/people.ts'
import type { AnswerBody, TestServer } from '@overture/testing/server.ts'
import { startWholeServer } from '@overture/testing/server/whole-server.ts'

// The test clock advances by days.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 300_000 })

/** Source: docs/moving-out.md, "The whole account". */
let server: TestServer
let campaignId: string
let leadIds: string[] = []
const password = 'a password of a mailbox'
/** More rows than one page has. */
const leadCount = 620

beforeAll(async () => {
  server = await startWholeServer()
  await ask('POST', '/v2/sandbox/clock', { frozen: true })
  await fillAccount()
})
afterAll(() => server.stop())

type Environment = 'test' | 'live'
const call = (environment: Environment, method: string, path: string, body?: unknown) =>
  server.call(method, path, { key: server.keys[environment], ...(body !== undefined && { body }) })

async function ask(method: string, path: string, body?: unknown, environment: Environment = 'test') {
  const answer = await call(environment, method, path, body)
  expect([path, answer.status < 300 ? null : answer.text]).toEqual([path, null])
  return answer.body
}

async function fillAccount(): Promise<void> {
  const sender = { email: 'ada@example.com', fromName: 'Ada', provider: 'sandbox', minGapSeconds: 0, maxGapSeconds: 0 }
  const senderId = (await ask('POST', '/v2/sending-accounts', sender)).id
  const launched = await ask('POST', '/v2/campaigns/launch', {
    name: '=cmd',
    steps: [{ variants: [{ subject: 'Hello', body: 'A question.' }] }],
    schedule: {
      timezone: 'UTC',
      windows: [{ days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'], from: '00:00', to: '24:00' }],
    },
    sendingAccountIds: [senderId],
    leads: [{ email: 'greta+reply@prospects.test', firstName: 'Greta' }, { email: 'other@prospects.test' }],
  })
  campaignId = launched.id
  await ask('POST', '/v2/sandbox/clock/advance', { by: '48h' })
  const many = Array.from({ length: leadCount }, (_, at) => ({
    email: `p${at}@prospects.test`,
    firstName: at % 2 === 0 ? '=1+1' : 'Ünï "日本"; -1',
    customVariables: at < 600 ? { plan: 'gold' } : { late: '@x' },
  }))
  const { id } = await ask('POST', '/v2/campaigns', { name: 'Draft' })
  const { results } = await ask('POST', `/v2/campaigns/${id}/leads`, { leads: many })
  leadIds = results.map(({ leadId }: AnswerBody) => leadId)
  await ask('POST', '/v2/templates', { name: 'Notes', subject: 'Hi', body: 'Hello' })
  await ask('POST', '/v2/suppressions', { email: 'no@example.com' })
  const list = await ask('POST', '/v2/lists', { name: 'Friends' })
  await ask('POST', `/v2/lists/${list.id}/members`, {
    members: [{ email: 'bo@example.com' }, { email: 'cy@example.com' }],
  })
  const tag = await ask('POST', '/v2/tags', { name: 'VIP' })
  await ask('POST', `/v2/tags/${tag.id}/assign`, { ids: [campaignId, senderId] })
  await ask('POST', '/v2/tasks', {
    title: 'Call',
    channel: 'call',
    leadId: leadIds[0],
    dueAt: '2030-01-07T10:00:00.000Z',
  })
  await ask('POST', '/v2/meetings', {
    leadId: leadIds[0],
    title: 'Call',
    startAt: '2030-01-07T10:00:00.000Z',
    endAt: '2030-01-07T10:30:00.000Z',
    timezone: 'UTC',
  })
  // Autovacuum may not have counted the new rows. Without their number PostgreSQL reads all leads for each person.
  await server.app.db.execute('analyze')
}

async function runJobs(
  handlers: readonly JobHandler[] = exportJobs(),
  environment: Environment = 'test',
  { accountId } = server.tenant,
) {
  const tenant = { accountId, environment }
  await runDueJobs(server.app, tenant, await server.app.clocks.now(server.app.db, tenant), handlers)
}

async function completed(input: object, environment: Environment = 'test'): Promise<AnswerBody> {
  const begun = await ask('POST', '/v2/exports', input, environment)
  expect(begun).toMatchObject({ status: 'pending', completedAt: null })
  await runJobs(exportJobs(), environment)
  expect(await server.app.db.query('select kind, last_error from jobs where last_error is not null')).toEqual([])
  const done = await ask('GET', `/v2/exports/${begun.id}`, undefined, environment)
  expect(done).toMatchObject({ status: 'completed', error: null })
  return done
}

async function download(url: string, headers: Record<string, string>) {
  const { pathname, search } = new URL(url)
  const response = await fetch(`${server.url}${pathname}${search}`, { headers })
  return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) }
}
const withKey = (environment: Environment = 'test') => ({ authorization: `Bearer ${server.keys[environment]}` })

interface ExportedFile {
  table: ExportTable
  rows: number
  bytes: number
  sha256: string
  url: string
}

/** The bytes of a file, which have the promised size, hash and type. */
async function bytesOf(file: ExportedFile, type: string): Promise<string> {
  const { status, headers, bytes } = await download(file.url, withKey())
  expect([file.table, status, bytes.length]).toEqual([file.table, 200, file.bytes])
  expect(createHash('sha256').update(bytes).digest('hex')).toBe(file.sha256)
  expect(headers.get('content-type')).toMatch(type)
  return bytes.toString()
}

const objectsIn = (text: string): AnswerBody[] =>
  text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]))
const recordsIn = (text: string) => parse(text, { columns: true, bom: true }) as Record<string, string>[]

async function rowsOfList(path: string): Promise<AnswerBody[]> {
  const rows: AnswerBody[] = []
  for (let cursor: string | null = ''; cursor !== null;) {
    const page = await ask('GET', `${path}${path.includes('?') ? '&' : '?'}limit=100${cursor && `&cursor=${cursor}`}`)
    rows.push(...page.results)
    cursor = page.nextCursor
  }
  return rows
}

const inOrder = (rows: AnswerBody[]) => rows.map((row) => JSON.stringify(row)).toSorted()

describe('an export of all tables as NDJSON', () => {
  const files = new Map<ExportTable, { file: ExportedFile; rows: AnswerBody[] }>()
  beforeAll(async () => {
    const done = await completed({ all: true, format: 'ndjson' })
    for (const file of done.files as ExportedFile[])
      files.set(file.table, { file, rows: objectsIn(await bytesOf(file, 'application/x-ndjson')) })
  })

  test.each(exportTables)('has the rows of %s that it counts, each of the documented form', (table) => {
    const { file, rows } = files.get(table)!
    expect(rows.length).toBeGreaterThan(0)
    expect(rows.length).toBe(file.rows)
    for (const row of rows) expect(exportRows[table].safeParse(row).error?.issues).toBeUndefined()
  })

  test.each([
    ['templates', '/v2/templates'],
    ['sending_accounts', '/v2/sending-accounts'],
    ['tags', '/v2/tags'],
    ['lists', '/v2/lists'],
    ['people', '/v2/leads'],
    ['suppressions', '/v2/suppressions'],
    ['conversations', '/v2/conversations'],
    ['meetings', '/v2/meetings'],
    ['tasks', '/v2/tasks'],
    ['events', '/v2/events'],
  ] as const)('has in %s exactly the rows of GET %s', async (table, path) => {
    expect(inOrder(files.get(table)!.rows)).toEqual(inOrder(await rowsOfList(path)))
  })

  test('has the leads of every campaign', async () => {
    const campaigns = await rowsOfList('/v2/campaigns')
    const leads = []
    for (const { id } of campaigns) leads.push(...(await rowsOfList(`/v2/campaigns/${id}/leads`)))
    expect(leads.length).toBe(leadCount + 2)
    expect(inOrder(files.get('leads')!.rows)).toEqual(inOrder(leads))
  })

  test('has campaigns with the documents of their own exports', async () => {
    const { rows } = files.get('campaigns')!
    for (const { id, document } of rows) expect(document).toEqual(await ask('GET', `/v2/campaigns/${id}/export`))
    expect(rows.find(({ id }) => id === campaignId)).toMatchObject({ leadCount: 2, tagIds: [expect.any(String)] })
  })

  test('has the messages of each thread and the members of each list', async () => {
    const { rows } = files.get('messages')!
    const [conversation] = await rowsOfList('/v2/conversations')
    const whole = await ask('GET', `/v2/conversations/${conversation.id}`)
    const ofThread = rows.filter(({ threadId }) => threadId === conversation.id)
    const plain = ofThread.map(({ campaignId: _c, leadId: _l, sendingAccountId: _s, createdAt: _at, ...row }) => row)
    expect(inOrder(plain)).toEqual(inOrder(whole.messages))
    expect(ofThread[0]).toMatchObject({ campaignId, leadId: conversation.leadId })
    const [list] = await rowsOfList('/v2/lists')
    const members = await rowsOfList(`/v2/lists/${list.id}/members`)
    expect(files.get('list_members')!.rows).toEqual(members.map((member) => ({ listId: list.id, ...member })))
  })
})

describe('a CSV file', () => {
  test('has the cells of the CSV of its list, with formulas escaped', async () => {
    const done = await completed({ tables: ['people', 'tags'], format: 'csv' })
    expect(done.files.map(({ table }: ExportedFile) => table)).toEqual(['tags', 'people'])
    const people = await bytesOf(done.files[1], 'text/csv')
    const list = await download(`${server.url}/v2/leads?format=csv`, withKey())
    expect(people).toBe(list.bytes.toString())
    expect(recordsIn(people).filter(({ firstName }) => firstName === "'=1+1").length).toBe(leadCount / 2)
  })

  test('of campaigns has documents that can be imported, with their texts unchanged', async () => {
    const body = 'Hi&nbsp;- choose A;-B or C;=1;@x;+2'
    const made = await ask('POST', '/v2/campaigns', { name: 'Signs', steps: [{ variants: [{ subject: body, body }] }] })
    const done = await completed({ tables: ['campaigns'], format: 'csv' })
    const text = await bytesOf(done.files[0], 'text/csv')
    expect(text).not.toMatch(/;[=+\-@]/)
    const cell = recordsIn(text).find(({ id }) => id === made.id)?.['document'] ?? ''
    const { campaign } = await ask('POST', '/v2/campaigns/import', { document: JSON.parse(cell) })
    expect(campaign).toMatchObject({ status: 'draft', steps: [{ variants: [{ subject: body, body }] }] })
    for (const { id } of [made, campaign]) await ask('DELETE', `/v2/campaigns/${id}`)
  })

  test('without rows has its header', async () => {
    const done = await completed({ tables: ['tags'], format: 'csv', to: '2001-01-01T00:00:00Z' })
    expect(done.files[0].rows).toBe(0)
    expect(await bytesOf(done.files[0], 'text/csv')).toBe('\ufeffid,name,createdAt,*\n')
  })
})

test('from is inclusive and to is exclusive, by the time of creation', async () => {
  const [second] = await rowsOfList('/v2/templates')
  await ask('POST', '/v2/sandbox/clock/advance', { by: '1h' })
  const third = await ask('POST', '/v2/templates', { name: 'Later', subject: 'Hi', body: 'Hello' })
  const idsBetween = async (span: object) => {
    const done = await completed({ tables: ['templates'], format: 'ndjson', ...span })
    return objectsIn(await bytesOf(done.files[0], 'application/x-ndjson')).map(({ id }) => id)
  }
  expect(await idsBetween({ from: third.createdAt })).toEqual([third.id])
  expect(await idsBetween({ to: third.createdAt })).toEqual([second.id])
  expect(await idsBetween({ from: second.createdAt, to: third.createdAt })).toEqual([second.id])
})

test.each([
  [{ format: 'csv' }, 'tables'],
  [{ format: 'csv', all: true, tables: ['tags'] }, 'tables'],
  [{ all: true }, 'format'],
  [{ all: true, format: 'xlsx' }, 'format'],
  [{ tables: ['users'], format: 'csv' }, 'tables[0]'],
  [{ tables: [], format: 'csv' }, 'tables'],
  [{ all: true, format: 'csv', from: '2026-02-01T00:00:00Z', to: '2026-02-01T00:00:00Z' }, 'to'],
])('refuses %j and names %s', async (input, path) => {
  const answer = await call('test', 'POST', '/v2/exports', input)
  expect([answer.status, answer.body.error.details?.issues[0].path]).toEqual([400, path])
})

test('one export runs at a time in each environment, and a deleted one makes room', async () => {
  const first = await ask('POST', '/v2/exports', { tables: ['tags'], format: 'csv' })
  const second = await call('test', 'POST', '/v2/exports', { tables: ['tags'], format: 'csv' })
  expect([second.status, second.body.error.message]).toEqual([
    409,
    expect.stringContaining('Another export is running'),
  ])
  const early = await call('test', 'GET', `/v2/exports/${first.id}/files/tags`)
  expect([early.status, early.body.error.details.currentStatus]).toEqual([409, 'pending'])
  await completed({ tables: ['tags'], format: 'csv' }, 'live')
  await ask('DELETE', `/v2/exports/${first.id}`)
  await runJobs()
  expect((await call('test', 'GET', `/v2/exports/${first.id}`)).status).toBe(404)
  await completed({ tables: ['tags'], format: 'csv' })
})

test('another environment and people without the role admin get no export and no file', async () => {
  const done = await completed({ tables: ['tags'], format: 'csv' })
  const { url } = done.files[0]
  for (const path of [`/v2/exports/${done.id}`, new URL(url).pathname])
    expect((await call('live', 'GET', path)).status).toBe(404)
  expect((await call('live', 'DELETE', `/v2/exports/${done.id}`)).status).toBe(404)
  expect((await call('test', 'GET', `/v2/exports/${done.id}/files/people`)).status).toBe(404)
  const own = { 'sec-fetch-site': 'same-origin' }
  for (const [role, status] of [
    ['admin', 200],
    ['member', 403],
    ['viewer', 403],
  ] as const) {
    const { cookie } = await createTestPerson(server, { role })
    const link = await download(`${url}?environment=test`, { cookie, ...own })
    expect([role, link.status]).toEqual([role, status])
    if (role === 'admin') {
      expect((await download(`${url}?environment=live`, { cookie, ...own })).status).toBe(404)
      expect((await download(`${url}?environment=test`, { cookie, 'sec-fetch-site': 'cross-site' })).status).toBe(403)
    }
  }
})

describe('an export', () => {
  let done: AnswerBody
  let path: string
  let file: string
  beforeAll(async () => {
    done = await completed({ tables: ['tags'], format: 'csv' })
    path = `/v2/exports/${done.id}`
    file = new URL(done.files[0].url).pathname
  })
  /** Neither refused deletes nor refused downloads changed the export. */
  afterEach(async () => {
    expect(await ask('GET', path)).toEqual(done)
    await bytesOf(done.files[0], 'text/csv')
  })

  test.each([
    ['the test environment of another account', () => server.other.keys.test],
    ['the live environment of another account', () => server.other.keys.live],
    ['another environment', () => server.keys.live],
  ])('is not listed, shown, downloaded or deleted in %s', async (_name, key) => {
    const list = await server.call('GET', '/v2/exports?limit=100', { key: key() })
    expect(list.status).toBe(200)
    expect(list.body.results.map(({ id }: AnswerBody) => id)).not.toContain(done.id)
    for (const [method, target] of [
      ['GET', path],
      ['GET', file],
      ['DELETE', path],
    ] as const)
      expect(await notFoundOf(method, target, key())).toEqual(await notFoundOf(method, guessed(target), key()))
  })

  test('is not downloaded by a link of another account with its id', async () => {
    const theirs = await server.call('POST', '/v2/exports', {
      key: server.other.keys.test,
      body: { tables: ['tags'], format: 'csv' },
    })
    await runJobs(exportJobs(), 'test', server.other.tenant)
    const own = `/v2/exports/${theirs.body.id}/files/tags`
    const { accountId } = server.other.tenant
    const { cookie } = await createTestPerson(server, { role: 'admin', accountId })
    const follow = (link: string, environment: Environment) =>
      download(`${server.url}${link}?environment=${environment}`, { cookie, 'sec-fetch-site': 'same-origin' })
    expect((await follow(own, 'test')).status).toBe(200)
    const link = own.replace(theirs.body.id, done.id)
    for (const environment of ['test', 'live'] as const) expect((await follow(link, environment)).status).toBe(404)
  })

  test.each(['member', 'viewer'] as const)('is out of reach of a %s', async (role) => {
    const { call: browse } = await createTestPerson(server, { role })
    for (const [method, target, body] of [
      ['POST', '/v2/exports', { tables: ['tags'], format: 'csv' }],
      ['GET', '/v2/exports'],
      ['GET', path],
      ['GET', file],
      ['DELETE', path],
    ] as const)
      expect([method, target, (await browse(method, target, body && { body })).status]).toEqual([method, target, 403])
  })

  test.each(['testRead', 'testWrite'] as const)('is out of reach of the key %s', async (name) => {
    for (const [method, target] of [
      ['GET', '/v2/exports'],
      ['GET', path],
      ['GET', file],
      ['DELETE', path],
    ] as const)
      expect([target, (await server.call(method, target, { key: server.keys[name] })).status]).toEqual([target, 403])
  })

  test('is not found by a guess at its id or its table', async () => {
    const ids = [
      guessed(done.id),
      done.id.toUpperCase(),
      done.id.slice(0, -1),
      `${done.id}%20`,
      '%25',
      '_',
      "'%20or%201=1",
    ]
    for (const id of ids) expect([id, (await call('test', 'GET', `/v2/exports/${id}`)).status]).toEqual([id, 404])
    for (const table of ['people', 'TAGS', 'tags.csv', 'users', '%25', '..%2Ftags'])
      expect([table, (await call('test', 'GET', `${path}/files/${table}`)).status]).toEqual([table, 404])
  })

  const guessed = (text: string) => text.replace(done.id, `${done.id.slice(0, -1)}${done.id.endsWith('0') ? '1' : '0'}`)

  async function notFoundOf(method: string, target: string, key: string) {
    const { status, body } = await server.call(method, target, { key })
    expect([method, target, status]).toEqual([method, target, 404])
    return { ...body.error, request_id: null }
  }
})

test('an export and each of its downloads are in the audit log', async () => {
  const done = await completed({ tables: ['tags'], format: 'csv' }, 'live')
  expect((await download(done.files[0].url, withKey('live'))).status).toBe(200)
  const { results } = await ask('GET', '/v2/audit-log?limit=2', undefined, 'live')
  expect(results.map(({ action, target }: AnswerBody) => [action, target.id])).toEqual([
    ['downloadExportFile', 'tags'],
    ['createExport', done.id],
  ])
})

test('no file has a password of a mailbox, sealed or not', async () => {
  const smtp = { host: 'smtp.example.com', port: 587, username: 'mara', password }
  const login = { email: 'mara@secret.example.com', fromName: 'Mara', provider: 'smtp', smtp }
  await ask('POST', '/v2/sending-accounts', login, 'live')
  const done = await completed({ all: true, format: 'ndjson' }, 'live')
  const whole = []
  for (const { url } of done.files as ExportedFile[])
    whole.push((await download(url, withKey('live'))).bytes.toString())
  const text = whole.join('')
  expect(text).toContain('mara@secret.example.com')
  expect(text).not.toContain(password)
  expect(text).not.toMatch(/"(password|secret|secrets|token|refreshToken|clientSecret)":/i)
})

test('an erasure removes all exports, at once and again after the search of the texts', async () => {
  const before = await completed({ tables: ['people'], format: 'ndjson' })
  const begun = await ask('POST', '/v2/exports', { tables: ['people'], format: 'ndjson' })
  const { erasureId } = await ask('DELETE', `/v2/leads/${leadIds[1]}`)
  for (const { id } of [before, begun])
    expect(await ask('GET', `/v2/exports/${id}`)).toMatchObject({ status: 'removed', files: [] })
  expect((await call('test', 'GET', new URL(before.files[0].url).pathname)).status).toBe(404)
  await runJobs()
  expect((await ask('GET', `/v2/exports/${begun.id}`)).status).toBe('removed')
  const meanwhile = await completed({ tables: ['people'], format: 'ndjson' })
  await runJobs(peopleJobs())
  expect((await ask('GET', `/v2/exports/${meanwhile.id}`)).status).toBe('removed')
  const { status, intact, removed } = await ask('GET', `/v2/erasures/${erasureId}`)
  expect({ status, intact }).toEqual({ status: 'completed', intact: true })
  expect(removed.exports).toBeGreaterThanOrEqual(3)
  const after = await completed({ tables: ['people'], format: 'ndjson' })
  expect(await bytesOf(after.files[0], 'application/x-ndjson')).not.toContain('"p1@prospects.test"')
  const chunks = await server.app.db.query(
    `select distinct export_id from export_chunks where account_id = $1 and environment = 'test'`,
    [server.tenant.accountId],
  )
  expect(chunks).toEqual([{ exportId: after.id }])
})

/** The parts of a file of people that a killed worker leaves. */
async function plantHalfFile(exportId: string): Promise<void> {
  const halves = `insert into export_chunks (account_id, environment, export_id, content, position, packed)
    values ($1, 'test', $2, 'people', 0, 'x'), ($1, 'test', $2, 'people', 1, 'x')`
  await server.app.db.execute(halves, [server.tenant.accountId, exportId])
  await server.app.db.execute(
    `update export_files set rows = 7, bytes = 7 where account_id = $1 and export_id = $2 and content = 'people'`,
    [server.tenant.accountId, exportId],
  )
}

test('a file that a killed worker began is written again from its beginning', async () => {
  const begun = await ask('POST', '/v2/exports', { tables: ['tags', 'people'], format: 'ndjson' })
  await plantHalfFile(begun.id)
  await runJobs()
  const done = await ask('GET', `/v2/exports/${begun.id}`)
  expect(done.status).toBe('completed')
  expect(objectsIn(await bytesOf(done.files[1], 'application/x-ndjson'))).toHaveLength(done.files[1].rows)
})

test('an export whose workers are killed at every try fails, and keeps only its complete files', async () => {
  const begun = await ask('POST', '/v2/exports', { tables: ['tags', 'people'], format: 'ndjson' })
  const { db, clocks } = server.app
  const now = await clocks.now(db, server.testTenant)
  await runNextDueJob(server.app, { tenant: server.testTenant, now, handlers: exportJobs() })
  await plantHalfFile(begun.id)
  await db.execute(`update jobs set attempts = 10, lease_until = now() - interval '1 ms' where kind = 'exports.write'`)
  await runJobs()
  const failed = await ask('GET', `/v2/exports/${begun.id}`)
  expect(failed).toMatchObject({
    status: 'failed',
    error: expect.stringContaining('given up'),
    completedAt: now.toISOString(),
  })
  const [tags, people] = failed.files
  expect(await bytesOf(tags, 'application/x-ndjson')).toContain('VIP')
  expect(people).toEqual({ table: 'people', rows: 0, bytes: 0, sha256: null, url: null })
  const partial = await call('test', 'GET', `/v2/exports/${begun.id}/files/people`)
  expect([partial.status, partial.body.error.details.currentStatus]).toEqual([409, 'failed'])
  expect(await db.query('select distinct content from export_chunks where export_id = $1', [begun.id])).toEqual([
    { content: 'tags' },
  ])
  expect(await db.query('delete from jobs where dead_at is not null returning kind, last_error')).toEqual([
    { kind: 'exports.write', lastError: expect.stringContaining('worker ended') },
  ])
  await completed({ tables: ['tags'], format: 'csv' })
})

test('an export is listed for seven days', async () => {
  const done = await completed({ tables: ['tags'], format: 'csv' })
  expect(Date.parse(done.expiresAt) - Date.parse(done.createdAt)).toBe(7 * 86_400_000)
  expect((await rowsOfList('/v2/exports'))[0]).toEqual(done)
  await ask('POST', '/v2/sandbox/clock/advance', { to: '2027-02-01T07:00:00.000Z' })
  expect(await rowsOfList('/v2/exports')).toEqual([])
  expect((await call('test', 'GET', `/v2/exports/${done.id}`)).status).toBe(404)
  expect((await call('test', 'GET', new URL(done.files[0].url).pathname)).status).toBe(404)
})
