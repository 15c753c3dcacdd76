import fc from 'fast-check'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { startTestServer, type TestServer } from '@overture/testing/server.ts'
import { createKey } from './api-keys.commands.ts'
import { formatKey, readBearerKey } from './api-key.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.stop())

const path = '/v2/account/api-keys'

test('a key has the published form, and a wrong checksum is refused without a query', () => {
  const key = formatKey('live', 'A'.repeat(24))
  expect(key).toMatch(/^ovt_live_A{24}[0-9A-Za-z]{6}$/)
  expect(readBearerKey(`Bearer ${key}`)).toBe(key)
  expect(readBearerKey(`bearer ${key}`)).toBe(key)
  for (const bad of [
    undefined,
    '',
    key,
    `Basic ${key}`,
    `Bearer ${key}x`,
    `Bearer ${key.replace('AAA', 'AAB')}`,
    `Bearer ${key} x`,
  ]) {
    expect(readBearerKey(bad)).toBeNull()
  }
})

test('creates a working key, shows it once, lists and revokes it', async () => {
  const { call, keys } = server
  const send = () =>
    call('POST', path, {
      key: keys.live,
      body: { name: 'Reports', scopes: ['read'] },
      headers: { 'idempotency-key': 'once' },
    })
  const created = await send()
  expect(created.status).toBe(201)
  expect(created.body).toMatchObject({
    name: 'Reports',
    scopes: ['read'],
    environment: 'live',
    status: 'active',
    expiresAt: null,
    revokedAt: null,
    lastUsedAt: null,
  })
  expect(created.body.prefix).toBe(created.body.key.slice(0, 14))
  const { key, ...rest } = created.body
  const replay = await send()
  expect([replay.status, replay.body]).toEqual([201, rest])

  expect((await call('GET', '/v2/account', { key })).status).toBe(200)
  // The last use of a key is written in the background, not within the request.
  await vi.waitFor(async () => {
    const listed = await call('GET', `${path}?limit=100`, { key: keys.liveRead })
    expect(listed.text).not.toContain(key)
    const found = listed.body.results.find((one: { id: string }) => one.id === created.body.id)
    expect(found.lastUsedAt).not.toBeNull()
  })

  expect((await call('DELETE', `${path}/${created.body.id}`, { key: keys.live })).body).toEqual({
    id: created.body.id,
    deleted: true,
  })
  expect((await call('GET', '/v2/account', { key })).status).toBe(401)
  expect((await call('DELETE', `${path}/${created.body.id}`, { key: keys.live })).status).toBe(200)
})

test('the list has the same keys by page and by cursor', async () => {
  const { call, keys } = server
  const all = (await call('GET', `${path}?limit=100`, { key: keys.live })).body
  const paged: string[] = []
  for (let page = 1; page <= Math.ceil(all.pagination.totalCount / 2); page++) {
    paged.push(
      ...(await call('GET', `${path}?limit=2&page=${page}`, { key: keys.live })).body.results.map(
        (one: { id: string }) => one.id,
      ),
    )
  }
  const walked: string[] = []
  for (let cursor: string | null = ''; cursor !== null;) {
    const answer = await call('GET', `${path}?limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`, { key: keys.live })
    walked.push(...answer.body.results.map((one: { id: string }) => one.id))
    cursor = answer.body.nextCursor
  }
  const ids = all.results.map((one: { id: string }) => one.id)
  expect(paged).toEqual(ids)
  expect(walked).toEqual(ids)
  expect((await call('GET', `${path}?cursor=nonsense`, { key: keys.live })).status).toBe(400)
})

test('a key creates and revokes only keys within its own rights', async () => {
  const { call, keys } = server
  const refused = async (key: string, body: object) => {
    const answer = await call('POST', path, { key, body })
    return [answer.status, answer.body.error.code]
  }
  expect(await refused(keys.test, { name: 'x', environment: 'live' })).toEqual([403, 'INSUFFICIENT_SCOPE'])
  expect(await refused(keys.liveWrite, { name: 'x', scopes: ['read'] })).toEqual([403, 'INSUFFICIENT_SCOPE'])
  expect(await refused(keys.liveRead, { name: 'x', scopes: ['read'] })).toEqual([403, 'INSUFFICIENT_SCOPE'])
  const victim = await server.newKey({ environment: 'test' })
  expect((await call('DELETE', `${path}/${victim.id}`, { key: keys.live })).status).toBe(403)
  expect((await call('DELETE', `${path}/${victim.id}`, { key: keys.testWrite })).status).toBe(403)
  expect((await call('DELETE', `${path}/${victim.id}`, { key: server.other.keys.test })).status).toBe(404)
  expect((await call('DELETE', `${path}/key_nothing`, { key: keys.live })).status).toBe(404)
})

test('expiry must be in the future, and ends the key', async () => {
  const { call, keys } = server
  const past = await call('POST', path, { key: keys.live, body: { name: 'x', expiresAt: '2020-01-01T00:00:00Z' } })
  expect(past.body.error.details.issues[0].path).toBe('expiresAt')
  const expiresAt = new Date(Date.now() + 3_600_000).toISOString()
  const { body } = await call('POST', path, { key: keys.live, body: { name: 'x', expiresAt } })
  expect(body.expiresAt).toBe(expiresAt)
  const status = async () => (await call('GET', '/v2/account', { key: body.key })).status
  expect(await status()).toBe(200)
  await server.database.db.execute('update api_keys set expires_at = now() where id = $1', [body.id])
  server.admission.forget(server.tenant.accountId)
  expect(await status()).toBe(401)
  const listed = await call('GET', `${path}?limit=100`, { key: keys.live })
  expect(listed.body.results.find((one: { id: string }) => one.id === body.id).status).toBe('expired')
})

test('maxApiKeys applies to both environments together, even with many requests at once, but not to the operator of a demo', async () => {
  const { call, other } = server
  const active = (await call('GET', '/v2/account', { key: other.keys.live })).body.usage.activeApiKeys
  await server.app.db.execute('update accounts set max_api_keys = $2 where account_id = $1', [
    other.tenant.accountId,
    active + 3,
  ])
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, index) =>
      call('POST', path, { key: index % 2 ? other.keys.live : other.keys.test, body: { name: `k${index}` } }),
    ),
  )
  expect(answers.filter((answer) => answer.status === 201)).toHaveLength(3)
  const refused = answers.find((answer) => answer.status === 409)
  expect(refused!.body.error.code).toBe('CONFLICT')
  const made = answers.find((answer) => answer.status === 201)!.body
  const owner = made.environment === 'live' ? other.keys.live : other.keys.test
  await call('DELETE', `${path}/${made.id}`, { key: owner })
  expect((await call('POST', path, { key: owner, body: { name: 'again' } })).status).toBe(201)
  const { accountId } = other.tenant
  const key = { accountId, environment: 'test', scopes: ['read'], now: new Date() } as const
  const create = (more: object) => server.app.db.transaction((tx) => createKey(tx, { ...key, ...more }))
  await expect(create({})).rejects.toThrow(/limit of/)
  expect((await create({ beyondLimit: true })).status).toBe('active')
})

test('revoking a key also revokes all keys created by it, and no others', async () => {
  const { call, keys } = server
  const families = fc.tuple(fc.array(fc.nat(20), { minLength: 1, maxLength: 8 }), fc.nat(8))
  await fc.assert(
    fc.asyncProperty(families, async ([makers, ended]) => {
      // The first key is made by the key of the test, each other by an earlier key.
      const family: { id: string; key: string; maker: number | null }[] = []
      for (const [index, chance] of makers.entries()) {
        const maker = index === 0 ? null : chance % index
        const key = maker === null ? keys.live : family[maker]!.key
        const made = await call('POST', path, { key, body: { name: `k${index}`, scopes: ['read', 'write', 'admin'] } })
        expect(made.status, made.text).toBe(201)
        family.push({ id: made.body.id, key: made.body.key, maker })
      }
      const end = ended % family.length
      await call('DELETE', `${path}/${family[end]!.id}`, { key: keys.live })
      const isEnded = (index: number | null): boolean =>
        index !== null && (index === end || isEnded(family[index]!.maker))
      for (const [index, { key }] of family.entries())
        expect((await call('GET', '/v2/account', { key })).status).toBe(isEnded(index) ? 401 : 200)
      await call('DELETE', `${path}/${family[0]!.id}`, { key: keys.live })
    }),
    { numRuns: 12 },
  )
  expect((await call('GET', '/v2/account', { key: keys.live })).status).toBe(200)
}, 60_000)

test('a key created by an expiring key expires no later', async () => {
  const { call, keys } = server
  const at = (ms: number) => new Date(Date.now() + ms).toISOString()
  const parent = await call('POST', path, {
    key: keys.live,
    body: { name: 'p', scopes: ['read', 'write', 'admin'], expiresAt: at(60_000) },
  })
  const make = (body: object) => call('POST', path, { key: parent.body.key, body: { name: 'c', ...body } })
  expect((await make({})).body.expiresAt).toBe(parent.body.expiresAt)
  expect((await make({ expiresAt: at(3_600_000) })).body.expiresAt).toBe(parent.body.expiresAt)
  const sooner = at(30_000)
  expect((await make({ expiresAt: sooner })).body.expiresAt).toBe(sooner)
})
