import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { allEndpoints } from '@overture/contract/all-endpoints.ts'
import type { Endpoint } from '@overture/contract/endpoint.ts'
import { sealEntries, verifyAuditLog } from '@overture/server/audit/index.ts'
import { dropOldMonths } from '@overture/server/audit/seals.commands.ts'
import { createMonthsAcrossAccounts } from '@overture/server/platform/events/months.sql.ts'
import { insertAuditEntry } from '@overture/server/platform/audit/audit.sql.ts'
import { operator } from '@overture/server/platform/audit/entry.ts'
import { createRoutes } from '@overture/server/composition/routes.ts'
import { createServices } from '@overture/server/composition/services.ts'
import { createTestPerson, testPassword } from '@overture/testing/server/people.ts'
import { fillPath, makeResources, validBody, type Resources } from '@overture/testing/server/resources.ts'
import type { TestAnswer, TestServer } from '@overture/testing/server.ts'
import { startWholeServer } from '@overture/testing/server/whole-server.ts'

// A test calls every operation of the API.
vi.setConfig({ testTimeout: 300_000 })

let server: TestServer
let resources: Resources
let queries: ReadonlySet<string>
beforeAll(async () => {
  server = await startWholeServer()
  resources = await makeResources(server, { key: server.keys.test, mounted: allEndpoints })
  const { app, database } = server
  const services = await createServices({ app, engine: app, databaseUrl: database.url })
  queries = new Set(
    createRoutes(app, services).flatMap(({ kind, endpoint }) => (kind === 'query' ? [endpoint.operationId] : [])),
  )
  await services.admission.stop()
  await services.stop()
})
afterAll(() => server.stop())

interface Entry {
  action: string
  outcome: string
  actorType: string
  actorId: string | null
  targetId: string | null
  text: string
}

async function entriesOf(answer: TestAnswer): Promise<Entry[]> {
  return server.app.db.query<Entry>(
    `select e.action, e.outcome, e.actor_type, e.actor_id, e.target_id, e::text as text from audit_entries e where e.request_id = $1`,
    [answer.headers.get('x-request-id')],
  )
}

function send(endpoint: Endpoint, key: string): Promise<TestAnswer> {
  const path = fillPath(endpoint.path, resources)
  if (endpoint.bodyType !== undefined) {
    const headers = { 'content-type': endpoint.bodyType }
    return server.call(endpoint.method, path, { key, body: 'email\nada@example.com\n', headers })
  }
  const body = validBody(endpoint)
  return server.call(endpoint.method, path, { key, ...(body !== undefined && { body }) })
}

const closed = allEndpoints.filter(({ open }) => open === undefined)
// Deletions come last, since other operations need the deleted resources.
const inOrder = closed.toSorted((a, b) => Number(a.method === 'DELETE') - Number(b.method === 'DELETE'))

test('each write and export has exactly one entry with its request id, and nothing else has one', async () => {
  let writes = 0
  for (const endpoint of inOrder) {
    const { operationId } = endpoint
    const answer = await send(endpoint, server.keys.test)
    const isRecorded = answer.status < 400 && (!queries.has(operationId) || endpoint.exports === true)
    const entries = await entriesOf(answer)
    const recorded = entries.map(({ action, outcome, actorType }) => [action, outcome, actorType])
    // An operation of the live environment refuses a test key, and the refusal is recorded.
    const isRefused = endpoint.environment === 'live' && answer.status === 403
    const outcome = isRecorded ? 'success' : isRefused ? 'denied' : null
    expect([operationId, recorded]).toEqual([operationId, outcome === null ? [] : [[operationId, outcome, 'key']]])
    if (isRecorded) writes++
  }
  expect(writes).toBeGreaterThan(40)
})

test('a replayed response of an idempotency key adds no entry', async () => {
  const ask = () =>
    server.call('POST', '/v2/templates', {
      key: server.keys.test,
      body: { name: 'Once', subject: 'Hello', body: 'Hello' },
      headers: { 'idempotency-key': 'once' },
    })
  const [first, again] = [await ask(), await ask()]
  expect([first.status, again.headers.get('idempotent-replayed')]).toEqual([201, 'true'])
  expect(await entriesOf(first)).toMatchObject([{ action: 'createTemplate', targetId: first.body.id }])
  expect(await entriesOf(again)).toEqual([])
})

test('a refusal for a missing scope or role is recorded with actor and target', async () => {
  const { call, id } = await createTestPerson(server, { role: 'viewer' })
  const byRole = await call('DELETE', '/v2/webhooks/whk_1')
  const byScope = await server.call('POST', '/v2/campaigns', { key: server.keys.testRead, body: {} })
  expect(await entriesOf(byRole)).toMatchObject([
    { action: 'deleteWebhook', outcome: 'denied', actorType: 'user', actorId: id, targetId: 'whk_1' },
  ])
  expect(await entriesOf(byScope)).toMatchObject([{ action: 'createCampaign', outcome: 'denied', actorType: 'key' }])
  const member = await createTestPerson(server, { role: 'member' })
  const inHandler = await member.call('POST', '/v2/account/api-keys', {
    body: { name: 'Mine', scopes: ['read'], environment: 'live' },
  })
  expect(inHandler.status).toBe(403)
  const entry = { action: 'createApiKey', outcome: 'denied', actorId: member.id }
  expect(await entriesOf(inHandler)).toMatchObject([entry])
})

test('each login, logout and failed login is recorded once', async () => {
  const { email, id } = await createTestPerson(server)
  const login = (body: object) => server.call('POST', '/v2/auth/login', { body })
  const right = await login({ email, password: testPassword })
  const cookie = right.headers.get('set-cookie')!.split(';')[0]!
  const headers = { cookie, 'sec-fetch-site': 'same-origin' }
  const answers = [
    [right, 'login', 'success', id],
    [await login({ email, password: 'x' }), 'login', 'denied', id],
    [await login({ email: 'nobody@example.com', password: 'x' }), 'login', 'denied', null],
    [await server.call('POST', '/v2/auth/logout', { headers }), 'logout', 'success', id],
  ] as const
  for (const [answer, action, outcome, actorId] of answers)
    expect(await entriesOf(answer)).toMatchObject([{ action, outcome, actorType: 'user', actorId }])
})

describe('the text of requests', () => {
  test('is never in the log, whichever field contained it', async () => {
    const canary = 'zzcanaryzz'
    for (const endpoint of inOrder.filter((one) => one.body !== undefined)) {
      const body = JSON.parse(JSON.stringify(validBody(endpoint)), (_name, value: unknown) =>
        typeof value === 'string' && /^[A-Za-z .]+$/.test(value) && value.length > 3 ? `${canary} ${value}` : value,
      )
      await server.call(endpoint.method, fillPath(endpoint.path, resources), { key: server.keys.test, body })
    }
    const created = await server.call('POST', '/v2/templates', {
      key: server.keys.test,
      body: { name: canary, subject: canary, body: canary },
    })
    expect(created.status).toBe(201)
    const [entry] = await entriesOf(created)
    expect(entry?.text).toContain('subject')
    const found = await server.app.db.query('select 1 from audit_entries e where e::text like $1', [`%${canary}%`])
    expect(found).toEqual([])
  })

  test('numbers and switches of settings are recorded before and after, texts never', async () => {
    const key = server.keys.test
    const { body: made } = await server.call('POST', '/v2/campaigns', { key, body: { name: 'Before' } })
    const put = (body: object) => server.call('PUT', `/v2/campaigns/${made.id}`, { key, body })
    await put({ settings: { dailyLimit: 40, openTracking: true, bounceProtection: { minSent: 70 } } })
    await put({ name: 'After', settings: { dailyLimit: 90, openTracking: false, bounceProtection: { minSent: 80 } } })
    const listed = await server.call('GET', `/v2/audit-log?targetId=${made.id}&action=updateCampaign`, {
      key: server.keys.live,
    })
    expect(listed.body.results[0].changes).toEqual([
      { path: 'name', before: null, after: null },
      { path: 'settings.dailyLimit', before: 40, after: 90 },
      { path: 'settings.openTracking', before: true, after: false },
      { path: 'settings.bounceProtection.minSent', before: 70, after: 80 },
    ])
    const senders = await server.call('GET', '/v2/sending-accounts', { key })
    const [sender] = senders.body.results
    await server.call('PUT', `/v2/sending-accounts/${sender.id}`, { key, body: { dailyLimit: 17 } })
    const [changed] = (
      await server.call('GET', `/v2/audit-log?targetId=${sender.id}&limit=1`, { key: server.keys.live })
    ).body.results
    expect(changed.changes).toEqual([{ path: 'dailyLimit', before: sender.dailyLimit, after: 17 }])
  })

  test('roles are recorded before and after', async () => {
    const [owner, member] = [await createTestPerson(server), await createTestPerson(server, { role: 'member' })]
    await owner.call('PUT', `/v2/users/${member.id}`, { body: { role: 'viewer' } })
    const listed = (await owner.call('GET', `/v2/audit-log?targetId=${member.id}&action=updateUser`)).body.results
    expect(listed).toMatchObject([
      {
        actor: { type: 'user', id: owner.id },
        target: { type: 'users', id: member.id },
        changes: [{ path: 'role', before: 'member', after: 'viewer' }],
      },
    ])
  })
})

test('the log can be filtered by actor, action, target and time, and exported completely', async () => {
  const list = async (query: string) =>
    (await server.call('GET', `/v2/audit-log?limit=100${query}`, { key: server.keys.live })).body.results
  const all = await list('')
  expect(all.length).toBeGreaterThan(50)
  for (const entry of await list('&action=createTemplate')) expect(entry.action).toBe('createTemplate')
  const { at } = all[10]
  for (const entry of await list(`&to=${at}`)) expect(entry.at < at).toBe(true)
  expect(await server.call('GET', '/v2/audit-log', { key: server.other.keys.live })).toMatchObject({
    body: { results: [] },
  })
  const lines = async (format: string) =>
    (
      await server.call('GET', `/v2/audit-log/export?action=createTemplate&format=${format}`, { key: server.keys.live })
    ).text
      .trim()
      .split('\n')
  const [csv, ndjson] = [await lines('csv'), await lines('ndjson')]
  expect(csv[0]).toMatch(/^id,at,environment,actor\.type,/)
  expect(ndjson.map((line) => JSON.parse(line).id)).toEqual(csv.slice(1).map((line) => line.split(',')[0]))
})

describe("the log can't be changed", () => {
  const accountId = () => server.tenant.accountId
  const verify = () => verifyAuditLog(server.app.db, accountId(), server.app.clock.now())
  const alone = async (statement: string) => {
    await server.app.db.execute(`alter table audit_entries disable trigger user`)
    await server.app.db.execute(`alter table audit_seals disable trigger user`)
    await server.app.db.execute(statement)
  }

  test.each([
    `update audit_entries set action = 'x'`,
    `delete from audit_entries`,
    `truncate audit_entries`,
    `update audit_seals set number = 7`,
    `delete from audit_seals`,
    `truncate audit_seals`,
  ])('%s is refused to the application, with and without row-level security', async (statement) => {
    await sealEntries(server.app, server.app.clock.now())
    await expect(server.app.db.execute(statement)).rejects.toThrow(/not changed/)
    await expect(server.app.db.within(accountId()).execute(statement)).rejects.toThrow(/permission denied|not changed/)
  })

  test('verify finds what a superuser changed, deleted or inserted', async () => {
    const { app } = server
    await sealEntries(app, app.clock.now())
    await server.call('PUT', '/v2/account', { key: server.keys.live, body: { name: 'Another' } })
    await sealEntries(app, app.clock.now())
    const whole = await verify()
    expect(whole).toMatchObject({ touched: null, unsealed: [] })
    expect(whole.entries).toBeGreaterThan(50)
    const [changed, later] = await app.db.query<{ id: string }>(
      `select id from audit_entries where account_id = $1 order by position offset 20 limit 2`,
      [accountId()],
    )
    await alone(
      `insert into audit_entries (account_id, id, at, actor_type, action, outcome)
       values ('${accountId()}', 'aud_forged', now() - interval '1 hour', 'user', 'login', 'success')`,
    )
    expect((await verify()).unsealed).toEqual(['aud_forged'])
    await alone(`update audit_entries set actor_name = 'Somebody else' where id = '${later!.id}'`)
    expect((await verify()).touched).toMatchObject({ id: later!.id, reason: 'changed' })
    await alone(`delete from audit_entries where id = '${changed!.id}'`)
    expect((await verify()).touched).toMatchObject({ id: changed!.id, reason: 'missing' })
    await alone(`update audit_seals set ids = ids[2:], digests = substr(digests, 33) where number = 1`)
    expect((await verify()).touched).toMatchObject({ id: null, seal: 1, reason: 'seal_changed' })
    await alone(`delete from audit_seals where number = 1`)
    expect((await verify()).touched).toMatchObject({ seal: 1, reason: 'seal_missing' })
  })
})

test('deleted old months leave a seal, and later entries still verify', async () => {
  const { app } = server
  const { accountId } = server.other.tenant
  const at = new Date('2020-01-15T12:00:00Z')
  await createMonthsAcrossAccounts(app.db, 'audit_entries', at)
  const nowhere = { environment: null, ip: null, userAgent: null, requestId: null, changes: [] }
  const facts = {
    ...nowhere,
    accountId,
    actor: operator,
    action: 'test',
    target: { type: null, id: null },
    outcome: 'success',
  } as const
  for (const day of ['2020-01-15', '2020-01-16', '2020-02-03', '2020-04-01'])
    await insertAuditEntry(app.db, facts, new Date(`${day}T12:00:00Z`))
  const now = app.clock.now()
  await sealEntries(app, now)
  expect(await dropOldMonths(app, new Date('2020-03-20T00:00:00Z'), now)).toEqual([
    'audit_entries_2020_01',
    'audit_entries_2020_02',
  ])
  expect(await verifyAuditLog(app.db, accountId, now)).toMatchObject({ touched: null, entries: 1, unsealed: [] })
  await app.db.execute(`alter table audit_entries disable trigger user`)
  await app.db.execute(`delete from audit_entries where account_id = $1`, [accountId])
  expect((await verifyAuditLog(app.db, accountId, now)).touched).toMatchObject({ reason: 'missing' })
})

test('handlers are called only by the files that write the log', () => {
  const folder = resolve(import.meta.dirname, '../packages/server/src')
  const callers = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(
      (name) => name.endsWith('.ts') && /\brunHandler\(|\broute\.run\b/.test(readFileSync(join(folder, name), 'utf8')),
    )
    .map((name) => name.split('/').at(-1))
  expect(callers.toSorted((a, b) => (a! < b! ? -1 : 1))).toEqual([
    'audited.shell.ts',
    'operate.shell.ts',
    'operation.ts',
  ])
})
