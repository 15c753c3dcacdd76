import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  Client,
  StreamableHTTPClientTransport,
  type CallToolResult,
  type OAuthClientProvider,
} from '@modelcontextprotocol/client'
import {
  answerConsent,
  type Consent,
  GrantClient,
  redirectUri,
  type Tokens,
} from '@overture/testing/mcp/grant-client.ts'
import { createTestPerson, type TestPerson } from '@overture/testing/server/people.ts'
import type { TestServer } from '@overture/testing/server.ts'
import { startWholeServer } from '@overture/testing/server/whole-server.ts'

let server: TestServer
let owner: TestPerson
beforeAll(async () => {
  server = await startWholeServer({ environment: { OVERTURE_MCP: 'send,live' } })
  // The port is known only now.
  Object.assign(server.app.config, { publicUrl: server.url })
  owner = await createTestPerson(server)
})
afterAll(() => server.stop())

const all: Consent = { allow: true, environment: 'test', scopes: ['read', 'write', 'send'] }

async function connect(person = owner, consent = all): Promise<{ client: GrantClient; tokens: Tokens }> {
  const client = await GrantClient.register(server.url)
  const { status, body } = await client.redeem(await client.code(person, consent))
  expect([status, body.error_description]).toEqual([200, undefined])
  return { client, tokens: body }
}

/** Calls a tool over `/mcp` with an access token. Returns the status and the text of the result. */
async function callTool(token: string, name: string, input: object = {}): Promise<{ status: number; text: string }> {
  const answer = await fetch(`${server.url}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: input } }),
  })
  return { status: answer.status, text: await answer.text() }
}
const isAccepted = async (token: string) => (await callTool(token, 'overview')).status === 200

describe('metadata', () => {
  test('leads from a refused request to the authorization server', async () => {
    const refused = await server.call('POST', '/mcp', { key: null, body: {} })
    const metadataUrl = `${server.url}/.well-known/oauth-protected-resource/mcp`
    expect(refused.status).toBe(401)
    expect(refused.headers.get('www-authenticate')).toBe(`Bearer realm="overture", resource_metadata="${metadataUrl}"`)
    const resource = (await (await fetch(metadataUrl)).json()) as Record<string, unknown>
    expect(resource).toMatchObject({ resource: `${server.url}/mcp`, authorization_servers: [server.url] })
    const metadata = await (await fetch(`${server.url}/.well-known/oauth-authorization-server`)).json()
    expect(metadata).toMatchObject({
      issuer: server.url,
      authorization_endpoint: `${server.url}/oauth/authorize`,
      token_endpoint: `${server.url}/oauth/token`,
      registration_endpoint: `${server.url}/oauth/register`,
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: ['none'],
      response_types_supported: ['code'],
      client_id_metadata_document_supported: true,
      authorization_response_iss_parameter_supported: true,
    })
  })
})

describe('the official client', () => {
  test('connects without a key and calls a tool', async () => {
    const provider = new RememberingProvider()
    const transport = () => new StreamableHTTPClientTransport(new URL('/mcp', server.url), { authProvider: provider })
    const before = new Client({ name: 'official', version: '1.0.0' })
    const first = transport()
    await expect(before.connect(first)).rejects.toThrow('Unauthorized')
    const back = await answerConsent(provider.opened!, owner, all)
    expect(back.searchParams.get('iss')).toBe(server.url)
    await first.finishAuth(back.searchParams)
    const client = new Client({ name: 'official', version: '1.0.0' })
    await client.connect(transport())
    const answer = (await client.callTool({ name: 'overview', arguments: {} })) as CallToolResult
    expect(answer.isError).not.toBe(true)
    await client.close()
  })
})

describe('a request for access', () => {
  test('is refused with another redirect, resource, challenge method or without a challenge', async () => {
    const client = await GrantClient.register(server.url)
    const open = (changes: Record<string, string>) =>
      fetch(client.authorizeUrl(changes), { redirect: 'manual' }).then((answer) => ({
        status: answer.status,
        error: new URL(answer.headers.get('location') ?? '/', server.url).searchParams.get('error'),
      }))
    expect(await open({ redirect_uri: 'https://elsewhere.test/callback' })).toEqual({ status: 400, error: null })
    expect(await open({ client_id: 'unknown' })).toEqual({ status: 400, error: null })
    expect(await open({ resource: 'https://elsewhere.test/mcp' })).toEqual({ status: 303, error: 'invalid_target' })
    expect(await open({ code_challenge_method: 'plain' })).toEqual({ status: 303, error: 'invalid_request' })
    expect(await open({ code_challenge: '', code_challenge_method: '' })).toEqual({
      status: 303,
      error: 'invalid_request',
    })
    expect(await open({})).toEqual({ status: 303, error: null })
  })

  test('fetches no description of a client from a private address', async () => {
    const client = await GrantClient.register(server.url)
    const answer = await fetch(client.authorizeUrl({ client_id: 'https://127.0.0.1:9/client.json' }), {
      redirect: 'manual',
    })
    expect(answer.status).toBe(400)
  })

  test('ends without a code if the person denies it', async () => {
    const client = await GrantClient.register(server.url)
    const end = await answerConsent(client.authorizeUrl(), owner, { ...all, allow: false })
    expect(end.origin + end.pathname).toBe(redirectUri)
    expect([end.searchParams.get('error'), end.searchParams.get('code')]).toEqual(['access_denied', null])
  })

  test('can be answered only in the browser that began it, by a page of this server', async () => {
    const client = await GrantClient.register(server.url)
    const begun = await fetch(client.authorizeUrl(), { redirect: 'manual' })
    const cookies = begun.headers.getSetCookie().map((line) => line.split(';')[0]!)
    const ask = (method: string, headers: Record<string, string>, body?: object) =>
      fetch(`${server.url}/oauth/consent`, {
        method,
        headers: { 'content-type': 'application/json', ...headers },
        ...(body && { body: JSON.stringify(body) }),
      })
    const own = { 'sec-fetch-site': 'same-origin' }
    const both = [owner.cookie, ...cookies].join('; ')
    const shown = (await (await ask('GET', { ...own, cookie: both })).json()) as { id: string }
    const statuses = [
      await ask('GET', { ...own, cookie: owner.cookie }),
      await ask('GET', { ...own, cookie: cookies.join('; ') }),
      await ask('POST', { ...own, cookie: owner.cookie }, { ...all, id: shown.id }),
      await ask('POST', { ...own, cookie: both }, { ...all, id: 'another' }),
      await ask('POST', { 'sec-fetch-site': 'cross-site', cookie: both }, { ...all, id: shown.id }),
      await ask('POST', { cookie: both }, { ...all, id: shown.id }),
      await ask('POST', { ...own, cookie: both }, { ...all, id: shown.id }),
      await ask('POST', { ...own, cookie: both }, { ...all, id: shown.id }),
    ].map(({ status }) => status)
    expect(statuses).toEqual([404, 401, 404, 404, 403, 403, 200, 404])
  })
})

describe('a code', () => {
  test('is not accepted twice, and its second use ends the grant', async () => {
    const client = await GrantClient.register(server.url)
    const code = await client.code(owner, all)
    const { body } = await client.redeem(code)
    expect(await isAccepted(body.access_token)).toBe(true)
    expect((await client.redeem(code)).body.error).toBe('invalid_grant')
    expect(await isAccepted(body.access_token)).toBe(false)
  })

  test('is accepted once of two concurrent requests at most', async () => {
    const client = await GrantClient.register(server.url)
    const code = await client.code(owner, all)
    const answers = await Promise.all([client.redeem(code), client.redeem(code), client.redeem(code)])
    expect(answers.filter(({ status }) => status === 200).length).toBeLessThan(2)
  })

  test('is refused with another verifier, redirect, resource or client', async () => {
    const client = await GrantClient.register(server.url)
    const other = await GrantClient.register(server.url)
    const code = await client.code(owner, all)
    const wrong = [
      await client.redeem(code, { code_verifier: 'x'.repeat(43) }),
      await client.redeem(code, { redirect_uri: 'http://127.0.0.1:7777/other' }),
      await client.redeem(code, { client_id: other.id }),
      await client.redeem(code, { resource: 'https://elsewhere.test/mcp' }),
    ]
    expect(wrong.map(({ status }) => status)).toEqual([400, 400, 400, 400])
    expect(wrong.every(({ body }) => body.access_token === undefined)).toBe(true)
  })
})

describe('a refresh token', () => {
  test('is replaced at each use, and its second use ends the grant', async () => {
    const { client, tokens } = await connect()
    const second = await client.refresh(tokens.refresh_token)
    expect(second.status).toBe(200)
    expect(second.body.refresh_token).not.toBe(tokens.refresh_token)
    expect(await isAccepted(second.body.access_token)).toBe(true)
    expect((await client.refresh(tokens.refresh_token)).body.error).toBe('invalid_grant')
    expect(await isAccepted(second.body.access_token)).toBe(false)
    expect((await client.refresh(second.body.refresh_token)).body.error).toBe('invalid_grant')
  })

  test('is refused for another client', async () => {
    const { client, tokens } = await connect()
    const other = await GrantClient.register(server.url)
    expect((await client.refresh(tokens.refresh_token, { client_id: other.id })).body.error).toBe('invalid_grant')
  })
})

describe('a grant', () => {
  test('is listed, and is refused at the next request after its end', async () => {
    const { client, tokens } = await connect()
    const { body } = await owner.call('GET', '/v2/account/grants')
    const [grant] = body.results
    expect(grant).toMatchObject({ clientName: 'Assistant double', environment: 'test', userId: owner.id })
    expect(await isAccepted(tokens.access_token)).toBe(true)
    expect((await owner.call('DELETE', `/v2/account/grants/${grant.id}`)).status).toBe(200)
    expect(await isAccepted(tokens.access_token)).toBe(false)
    expect((await client.refresh(tokens.refresh_token)).body.error).toBe('invalid_grant')
    expect((await owner.call('DELETE', `/v2/account/grants/${grant.id}`)).status).toBe(404)
    const log = await owner.call('GET', '/v2/audit-log?limit=100')
    const actions = log.body.results.filter(({ target }: { target: { id: string } }) => target.id === grant.id)
    expect(actions.map(({ action }: { action: string }) => action)).toEqual(['revokeGrant', 'allowAssistant'])
  })

  test('of a viewer reads and does not write', async () => {
    const viewer = await createTestPerson(server, { role: 'viewer' })
    const client = await GrantClient.register(server.url)
    await expect(client.code(viewer, all)).rejects.toThrow(/rights/)
    const { tokens } = await connect(viewer, { ...all, scopes: ['read'] })
    expect(await isAccepted(tokens.access_token)).toBe(true)
    const answer = await callTool(tokens.access_token, 'suppress', { emails: ['someone@example.com'] })
    expect(answer.text).toMatch(/not found/i)
  })

  test('loses a right with the role of its user, and ends with the user', async () => {
    const member = await createTestPerson(server, { role: 'member' })
    const { tokens } = await connect(member)
    expect((await owner.call('DELETE', `/v2/users/${member.id}`)).status).toBe(200)
    expect(await isAccepted(tokens.access_token)).toBe(false)
  })

  test('of the test environment does not reach live', async () => {
    const { tokens } = await connect()
    expect((await callTool(tokens.access_token, 'overview')).text).toContain('test')
    const row = await server.database.db.query<{ environment: string }>(
      'select k.environment from api_keys k join assistant_grants g on g.key_id = k.id order by g.created_at desc limit 1',
    )
    expect(row[0]?.environment).toBe('test')
  })

  test('takes no place of an API key and shows none', async () => {
    await connect()
    const { body } = await owner.call('GET', '/v2/account/api-keys?limit=100')
    expect(body.results.filter(({ name }: { name: string }) => name === 'Assistant double')).toEqual([])
  })

  test('works at /mcp alone', async () => {
    const { tokens } = await connect()
    expect((await server.call('GET', '/v2/account', { key: tokens.access_token })).status).toBe(401)
  })
})

describe('what is stored', () => {
  test('has no token, and ends after its time', async () => {
    const { tokens } = await connect()
    const rows = await server.database.db.query<{ text: string }>(
      `select row_to_json(r)::text as text from assistant_records r`,
    )
    const text = rows.map((row) => row.text).join('\n')
    expect(rows.length).toBeGreaterThan(3)
    expect(text.includes(tokens.access_token) || text.includes(tokens.refresh_token)).toBe(false)
  })
})

/** The memory of a client application. */
class RememberingProvider implements OAuthClientProvider {
  opened: URL | undefined
  readonly redirectUrl = redirectUri
  readonly clientMetadata = { client_name: 'Official client', redirect_uris: [redirectUri] }
  #information: ReturnType<OAuthClientProvider['clientInformation']>
  #tokens: ReturnType<OAuthClientProvider['tokens']>
  #verifier = ''

  clientInformation() {
    return this.#information
  }
  saveClientInformation(information: Awaited<ReturnType<OAuthClientProvider['clientInformation']>>) {
    this.#information = information
  }
  tokens() {
    return this.#tokens
  }
  saveTokens(tokens: Awaited<ReturnType<OAuthClientProvider['tokens']>>) {
    this.#tokens = tokens
  }
  redirectToAuthorization(url: URL) {
    this.opened = url
  }
  saveCodeVerifier(verifier: string) {
    this.#verifier = verifier
  }
  codeVerifier() {
    return this.#verifier
  }
}
