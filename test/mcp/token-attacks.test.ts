import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { minuteMs } from '@overture/ground/time/spans.ts'
import { recordDigest } from '@overture/server/assistants/record-key.ts'
import { GrantClient, newAddress, redirectUri, register } from '@overture/testing/mcp/grant-client.ts'
import { allOfTest, callTool, connect, isAccepted, startGrantServer } from '@overture/testing/mcp/grant-world.ts'
import { createTestPerson, type TestPerson } from '@overture/testing/server/people.ts'
import type { TestServer } from '@overture/testing/server.ts'

let server: TestServer
let owner: TestPerson
beforeAll(async () => {
  server = await startGrantServer()
})
// A person may make few requests per second, and a fast machine makes those of all tests in one.
beforeEach(async () => {
  owner = await createTestPerson(server)
})
afterAll(() => server.stop())

describe('a code', () => {
  test.each([
    ['no verifier', { code_verifier: '' }],
    ['the challenge as verifier', { code_verifier: 'challenge' }],
    ['a short verifier', { code_verifier: 'short' }],
    ['a longer redirect', { redirect_uri: `${redirectUri}/more` }],
    ['the resource of another server', { resource: 'https://elsewhere.test/mcp' }],
    ['another grant type', { grant_type: 'client_credentials' }],
    ['a password', { grant_type: 'password', username: 'a', password: 'b' }],
  ])('is refused with %s', async (_what, changes) => {
    const client = await GrantClient.register(server.url)
    const code = await client.code(owner, allOfTest)
    const { code_challenge: challenge } = Object.fromEntries(client.authorizeUrl().searchParams)
    const sent = Object.fromEntries(
      Object.entries(changes).map(([name, value]) => [name, value === 'challenge' ? challenge! : value]),
    )
    const { status, body } = await client.redeem(code, sent)
    expect([status, body.access_token]).toEqual([400, undefined])
  })

  test('of another client is refused', async () => {
    const [client, other] = [await GrantClient.register(server.url), await GrantClient.register(server.url)]
    const code = await client.code(owner, allOfTest)
    const stolen = await other.redeem(code, { code_verifier: client.verifier })
    expect([stolen.status, stolen.body.error, stolen.body.access_token]).toEqual([400, 'invalid_grant', undefined])
  })

  test('is no access token, and no refresh token', async () => {
    const client = await GrantClient.register(server.url)
    const code = await client.code(owner, allOfTest)
    expect(await isAccepted(server.url, code)).toBe(false)
    expect((await client.refresh(code)).body.error).toBe('invalid_grant')
  })
})

describe('a token', () => {
  test('of another client is neither refreshed nor revoked', async () => {
    const { tokens, client } = await connect(server, owner)
    const other = await GrantClient.register(server.url)
    expect((await other.refresh(tokens.refresh_token)).body.error).toBe('invalid_grant')
    await other.revoke(tokens.access_token)
    await other.revoke(tokens.refresh_token)
    expect(await isAccepted(server.url, tokens.access_token)).toBe(true)
    await client.revoke(tokens.access_token)
    expect(await isAccepted(server.url, tokens.access_token)).toBe(false)
  })

  test('gets no more scopes by a refresh', async () => {
    const { tokens, client } = await connect(server, owner, { ...allOfTest, scopes: ['read'] })
    const more = await client.refresh(tokens.refresh_token, { scope: 'read write send live' })
    expect([more.status, more.body.error, more.body.access_token]).toEqual([400, 'invalid_scope', undefined])
    const { text } = await callTool(server.url, tokens.access_token, {
      name: 'suppress',
      input: { email: 'someone@example.com' },
    })
    expect(text).toMatch(/not found/i)
  })

  test.each([['/v2/account'], ['/v2/campaigns'], ['/v2/me'], ['/v2/account/api-keys'], ['/v2/account/grants']])(
    'opens nothing of the API at %s',
    async (path) => {
      const { tokens } = await connect(server, owner)
      for (const token of [tokens.access_token, tokens.refresh_token])
        expect((await server.call('GET', path, { key: token })).status).toBe(401)
    },
  )

  test('for another resource is refused, even if it is in the database', async () => {
    const { tokens } = await connect(server, owner)
    await server.database.db.execute(
      `update assistant_records set payload = payload || '{"aud": "https://elsewhere.test/mcp"}'
       where kind = 'AccessToken' and digest = $1`,
      [recordDigest(tokens.access_token)],
    )
    expect(await isAccepted(server.url, tokens.access_token)).toBe(false)
  })

  test.each([
    ['in the address', (token: string) => ({ path: `/mcp?access_token=${token}`, headers: {} })],
    ['with another scheme', (token: string) => ({ path: '/mcp', headers: { authorization: `Basic ${token}` } })],
    ['in another header', (token: string) => ({ path: '/mcp', headers: { 'x-api-key': token } })],
    ['changed', (token: string) => ({ path: '/mcp', headers: { authorization: `Bearer ${token.slice(0, -1)}` } })],
  ])('is not accepted %s', async (_what, build) => {
    const { tokens } = await connect(server, owner)
    const { path, headers } = build(tokens.access_token)
    const answer = await fetch(server.url + path, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: '{}',
    })
    expect(answer.status).toBe(401)
  })

  test('of one account shows nothing of another', async () => {
    const stranger = await createTestPerson(server, { accountId: server.other.tenant.accountId })
    const { tokens } = await connect(server, stranger)
    const { body } = await owner.call('GET', '/v2/account/grants?limit=100')
    const theirs = (await stranger.call('GET', '/v2/account/grants')).body.results[0]
    expect(body.results.map(({ id }: { id: string }) => id)).not.toContain(theirs.id)
    expect((await owner.call('DELETE', `/v2/account/grants/${theirs.id}`)).status).toBe(404)
    expect(await isAccepted(server.url, tokens.access_token)).toBe(true)
  })
})

describe('registration', () => {
  test.each([
    ['no addresses', {}],
    ['an address without TLS', { redirect_uris: ['http://elsewhere.test/'] }],
    ['a script', { redirect_uris: ['javascript:alert(1)'] }],
    ['too many addresses', { redirect_uris: Array.from({ length: 11 }, (_, at) => `https://a.test/${at}`) }],
    ['a fragment', { redirect_uris: ['https://a.test/#part'] }],
    ['a secret', { token_endpoint_auth_method: 'client_secret_basic' }],
    ['another grant', { grant_types: ['client_credentials'] }],
    ['tokens in the address', { response_types: ['token'], grant_types: ['implicit'] }],
    ['a large body', { client_name: 'x'.repeat(20_000) }],
  ])('is refused with %s', async (what, changes) => {
    const given = what === 'no addresses' ? { redirect_uris: undefined } : changes
    const { status } = await register(server.url, given)
    expect(status).toBeGreaterThanOrEqual(400)
    expect(status).toBeLessThan(500)
  })

  test('is bounded in number: a new client replaces the oldest unused one, and allowed clients stay', async () => {
    const { db } = server.database
    const { client, tokens } = await connect(server, owner)
    const ends = (minutes: number) => new Date(server.app.clock.now().getTime() + minutes * minuteMs)
    await db.execute(`delete from assistant_records where kind = 'Client' and digest <> $1`, [recordDigest(client.id)])
    await db.execute(
      `insert into assistant_records (kind, digest, payload, expires_at)
       select 'Client', sha256(n::text::bytea), '{}', $1::timestamptz + n * interval '1 second' from generate_series(1, 1000) n`,
      [ends(60)],
    )
    const added = await GrantClient.register(server.url)
    const kept = async (...ids: string[]) =>
      (
        await db.query(`select from assistant_records where kind = 'Client' and digest = any($1)`, [
          ids.map(recordDigest),
        ])
      ).length
    const [all] = await db.query<{ count: number }>(
      `select count(*)::int as count from assistant_records where kind = 'Client'`,
    )
    expect([all?.count, await kept('1'), await kept('2'), await kept(client.id, added.id)]).toEqual([1001, 0, 1, 2])
    expect((await client.refresh(tokens.refresh_token)).status).toBe(200)
    await db.execute(`delete from assistant_records where kind = 'Client' and payload = '{}'`)
  })

  test('is refused to an address that asks often, and to no other one', async () => {
    const ask = async (headers: object) => {
      const body = JSON.stringify({ redirect_uris: [redirectUri] })
      const type = { 'content-type': 'application/json' }
      return fetch(`${server.url}/oauth/register`, { method: 'POST', headers: { ...headers, ...type }, body })
    }
    const often = newAddress()
    const answers: Response[] = []
    while (answers.at(-1)?.status !== 429) answers.push(await ask(often))
    expect(answers.length).toBeLessThan(20)
    // Three minutes give one more, so 20 an hour.
    expect(Number(answers.at(-1)?.headers.get('retry-after'))).toBeGreaterThan(2 * 60)
    expect((await ask(newAddress())).status).toBe(201)
  })
})
