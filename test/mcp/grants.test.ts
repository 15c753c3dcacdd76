import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import {
  Client,
  StreamableHTTPClientTransport,
  type CallToolResult,
  type OAuthClientProvider,
} from '@modelcontextprotocol/client'
import { answerConsent, GrantClient, redirectUri } from '@overture/testing/mcp/grant-client.ts'
import { allOfTest, callTool, connect, isAccepted, startGrantServer } from '@overture/testing/mcp/grant-world.ts'
import { createTestPerson, type TestPerson } from '@overture/testing/server/people.ts'
import type { TestServer } from '@overture/testing/server.ts'

const printed: unknown[][] = []
let server: TestServer
let owner: TestPerson
beforeAll(async () => {
  for (const method of ['info', 'warn', 'error'] as const)
    vi.spyOn(console, method).mockImplementation((...words) => void printed.push(words))
  server = await startGrantServer()
  owner = await createTestPerson(server)
})
afterAll(async () => {
  await server.stop()
  vi.restoreAllMocks()
  // The log has one form. The library would print in its own, such as a warning about Node.js 20. The client of this test also prints.
  expect(printed.filter(([first]) => !String(first).startsWith('[mcp-sdk]'))).toEqual([])
})

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
    const back = await answerConsent(provider.opened!, owner, allOfTest)
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
  test('opens the consent page of this server', async () => {
    const client = await GrantClient.register(server.url)
    expect(await client.open()).toEqual({ status: 303, error: null, location: '/app/connect' })
  })

  test('ends without a code if the person denies it', async () => {
    const client = await GrantClient.register(server.url)
    const end = await answerConsent(client.authorizeUrl(), owner, { ...allOfTest, allow: false })
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
      await ask('POST', { ...own, cookie: owner.cookie }, { ...allOfTest, id: shown.id }),
      await ask('POST', { ...own, cookie: both }, { ...allOfTest, id: 'another' }),
      await ask('POST', { 'sec-fetch-site': 'cross-site', cookie: both }, { ...allOfTest, id: shown.id }),
      await ask('POST', { cookie: both }, { ...allOfTest, id: shown.id }),
      await ask('POST', { ...own, cookie: both }, { ...allOfTest, id: shown.id }),
      await ask('POST', { ...own, cookie: both }, { ...allOfTest, id: shown.id }),
    ].map(({ status }) => status)
    expect(statuses).toEqual([404, 401, 404, 404, 403, 403, 200, 404])
  })
})

describe('a code', () => {
  test('is not accepted twice, and its second use ends the grant', async () => {
    const client = await GrantClient.register(server.url)
    const code = await client.code(owner, allOfTest)
    const { body } = await client.redeem(code)
    expect(await isAccepted(server.url, body.access_token)).toBe(true)
    expect((await client.redeem(code)).body.error).toBe('invalid_grant')
    expect(await isAccepted(server.url, body.access_token)).toBe(false)
  })

  test('is accepted once of several concurrent requests, and its token ends with the next', async () => {
    const client = await GrantClient.register(server.url)
    const code = await client.code(owner, allOfTest)
    const answers = await Promise.all([client.redeem(code), client.redeem(code), client.redeem(code)])
    expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 400, 400])
    const accepted = answers.find(({ status }) => status === 200)!
    expect((await client.redeem(code)).status).toBe(400)
    expect(await isAccepted(server.url, accepted.body.access_token)).toBe(false)
  })

  test('is refused with another verifier, redirect, resource or client', async () => {
    const client = await GrantClient.register(server.url)
    const other = await GrantClient.register(server.url)
    const code = await client.code(owner, allOfTest)
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
    const { client, tokens } = await connect(server, owner)
    const second = await client.refresh(tokens.refresh_token)
    expect(second.status).toBe(200)
    expect(second.body.refresh_token).not.toBe(tokens.refresh_token)
    expect(await isAccepted(server.url, second.body.access_token)).toBe(true)
    expect((await client.refresh(tokens.refresh_token)).body.error).toBe('invalid_grant')
    expect(await isAccepted(server.url, second.body.access_token)).toBe(false)
    expect((await client.refresh(second.body.refresh_token)).body.error).toBe('invalid_grant')
  })

  test('is refused for another client', async () => {
    const { client, tokens } = await connect(server, owner)
    const other = await GrantClient.register(server.url)
    expect((await client.refresh(tokens.refresh_token, { client_id: other.id })).body.error).toBe('invalid_grant')
  })
})

describe('a grant', () => {
  test('is listed, and is refused at the next request after its end', async () => {
    const { client, tokens } = await connect(server, owner)
    const { body } = await owner.call('GET', '/v2/account/grants')
    const [grant] = body.results
    expect(grant).toMatchObject({ clientName: 'Assistant double', environment: 'test', userId: owner.id })
    expect(await isAccepted(server.url, tokens.access_token)).toBe(true)
    expect((await owner.call('DELETE', `/v2/account/grants/${grant.id}`)).status).toBe(200)
    expect(await isAccepted(server.url, tokens.access_token)).toBe(false)
    expect((await client.refresh(tokens.refresh_token)).body.error).toBe('invalid_grant')
    expect((await owner.call('DELETE', `/v2/account/grants/${grant.id}`)).status).toBe(404)
    const log = await owner.call('GET', '/v2/audit-log?limit=100')
    const actions = log.body.results.filter(({ target }: { target: { id: string } }) => target.id === grant.id)
    expect(actions.map(({ action }: { action: string }) => action)).toEqual(['revokeGrant', 'allowAssistant'])
  })

  test('of a viewer reads and does not write', async () => {
    const viewer = await createTestPerson(server, { role: 'viewer' })
    const client = await GrantClient.register(server.url)
    await expect(client.code(viewer, allOfTest)).rejects.toThrow(/rights/)
    const { tokens } = await connect(server, viewer, { ...allOfTest, scopes: ['read'] })
    expect(await isAccepted(server.url, tokens.access_token)).toBe(true)
    const input = { email: 'someone@example.com' }
    const answer = await callTool(server.url, tokens.access_token, { name: 'suppress', input })
    expect(answer.text).toMatch(/not found/i)
  })

  test('takes no place of an API key and shows none', async () => {
    await connect(server, owner)
    const { body } = await owner.call('GET', '/v2/account/api-keys?limit=100')
    expect(body.results.filter(({ name }: { name: string }) => name === 'Assistant double')).toEqual([])
  })

  test('works at /mcp alone', async () => {
    const { tokens } = await connect(server, owner)
    expect((await server.call('GET', '/v2/account', { key: tokens.access_token })).status).toBe(401)
  })
})

test('stores no token and no code as text', async () => {
  const client = await GrantClient.register(server.url)
  const code = await client.code(owner, allOfTest)
  const { body: tokens } = await client.redeem(code)
  const rows = await server.database.db.query<{ kind: string; text: string }>(
    'select kind, row_to_json(r)::text as text from assistant_records r',
  )
  expect(new Set(rows.map(({ kind }) => kind))).toEqual(
    new Set(['AccessToken', 'AuthorizationCode', 'Client', 'Grant', 'Interaction', 'RefreshToken']),
  )
  const text = rows.map((row) => row.text).join('\n')
  for (const secret of [code, tokens.access_token, tokens.refresh_token]) expect(text.includes(secret)).toBe(false)
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
