import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { assistantPages, grantRoutes } from '@overture/server/assistants/index.ts'
import { createSessionAdmission, createProtection } from '@overture/server/team/index.ts'
import { answerConsent, GrantClient, newAddress, redirectUri } from '@overture/testing/mcp/grant-client.ts'
import { startGrantServer } from '@overture/testing/mcp/grant-world.ts'
import { createTestPerson, type TestPerson } from '@overture/testing/server/people.ts'
import { startTestServer, type TestServer } from '@overture/testing/server.ts'

const clientId = 'https://assistant.test/client.json'
const consent = { allow: true, environment: 'test' as const, scopes: ['read'] }
const metadata = { client_id: clientId, client_name: 'Described assistant', redirect_uris: [redirectUri] }

let nowMs = Date.now()
let server: TestServer
let owner: TestPerson
/** The documents by their address, and the requests for them. */
const documents = new Map<string, () => Response>()
let fetched: string[] = []
beforeAll(async () => {
  server = await startTestServer({
    clock: { now: () => new Date(nowMs) },
    environment: { OVERTURE_MCP: 'send,live' },
    routes: ({ admission }) => grantRoutes({ admission }),
    publicRoutes: ({ app }) =>
      assistantPages(app, {
        sessions: createSessionAdmission(app),
        protection: createProtection(app),
        fetchDocument(url) {
          fetched.push(url)
          const document = documents.get(url)
          return document === undefined ? Promise.reject(new Error('no such host')) : Promise.resolve(document())
        },
      }),
  })
  Object.assign(server.app.config, { publicUrl: server.url })
  owner = await createTestPerson(server)
})
afterAll(() => server.stop())

let count = 0
/** A client with a document of its own. */
function described(changes: object = {}): { client: GrantClient; id: string } {
  const id = `https://assistant-${++count}.test/client.json`
  documents.set(id, () => Response.json({ ...metadata, client_id: id, ...changes }))
  fetched = []
  return { client: new GrantClient(server.url, id), id }
}

describe('a client with a document', () => {
  test('connects, and its document is fetched once', async () => {
    const { client, id } = described()
    const { status, body } = await client.redeem(await client.code(owner, consent))
    expect([status, body.scope]).toEqual([200, 'read'])
    expect((await client.refresh(body.refresh_token)).status).toBe(200)
    expect(fetched).toEqual([id])
    const grants = await owner.call('GET', '/v2/account/grants')
    expect(grants.body.results[0]).toMatchObject({ clientName: 'Described assistant', clientHost: new URL(id).host })
  })

  test('refreshes when its document is no longer kept, and the document is fetched again', async () => {
    const { client, id } = described()
    const { body } = await client.redeem(await client.code(owner, consent))
    nowMs += 3_600_000
    expect((await client.refresh(body.refresh_token)).status).toBe(200)
    expect(fetched).toEqual([id, id])
  })

  test('that changed its addresses gets no code at the earlier ones', async () => {
    const { client, id } = described()
    await client.code(owner, consent)
    documents.set(id, () => Response.json({ ...metadata, client_id: id, redirect_uris: ['https://other.test/'] }))
    nowMs += 3_600_000
    expect(await client.open()).toMatchObject({ status: 400, error: 'invalid_redirect_uri' })
  })

  test('that changed its addresses while a person decides gets no code', async () => {
    const { client, id } = described()
    await client.open()
    nowMs += 590_000
    const change = (): void => {
      documents.set(id, () => Response.json({ ...metadata, client_id: id, redirect_uris: ['https://other.test/'] }))
      nowMs += 20_000
    }
    await expect(answerConsent(client.authorizeUrl(), owner, consent, { beforeAnswer: change })).rejects.toThrow(
      'This request for access is over.',
    )
  })
})

describe('a document', () => {
  test.each([
    ['names another client', { client_id: 'https://elsewhere.test/client.json' }],
    ['names a secret', { client_secret: 'a secret' }],
    ['asks for a shared secret', { token_endpoint_auth_method: 'client_secret_post' }],
    ['asks for keys', { token_endpoint_auth_method: 'private_key_jwt', jwks_uri: 'https://keys.test/' }],
    ['has no address', { redirect_uris: [] }],
    ['has an address without TLS', { redirect_uris: [redirectUri, 'http://assistant.test/callback'] }],
    ['has an address with a script', { redirect_uris: [redirectUri, 'javascript://assistant.test/%0Aalert(1)'] }],
    ['has addresses that are no list', { redirect_uris: redirectUri }],
  ])('is refused if it %s', async (_what, changes) => {
    const { client, id } = described(changes)
    const { status, error } = await client.open()
    expect([status, error]).toEqual([400, expect.stringMatching(/^invalid_(client|client_metadata|redirect_uri)$/)])
    expect(fetched).toEqual([id])
  })

  test('can not make the server fetch other addresses', async () => {
    const others = ['sector_identifier_uri', 'jwks_uri', 'logo_uri', 'request_uris', 'policy_uri', 'initiate_login_uri']
    const { client, id } = described(Object.fromEntries(others.map((name) => [name, `https://${name}.test/`])))
    expect((await client.open()).status).toBe(303)
    expect(fetched).toEqual([id])
    const given = {
      redirect_uris: [redirectUri],
      sector_identifier_uri: 'https://sector.test/',
      subject_type: 'pairwise',
    }
    const registered = await GrantClient.register(server.url, given)
    expect((await registered.open()).status).toBe(303)
    expect(fetched).toEqual([id])
  })

  test.each([
    ['a redirect', () => new Response(null, { status: 302, headers: { location: 'https://elsewhere.test/' } })],
    ['an error', () => new Response('no', { status: 500 })],
    ['no JSON', () => new Response('<html>')],
    ['a list', () => Response.json([])],
  ])('that is %s is refused, and not fetched again within a minute', async (_what, answer) => {
    const { client, id } = described()
    documents.set(id, answer)
    for (let tries = 0; tries < 3; tries++)
      expect(await client.open()).toMatchObject({ status: 400, error: 'invalid_client' })
    expect(fetched).toEqual([id])
    documents.set(id, () => Response.json({ ...metadata, client_id: id }))
    nowMs += 60_000
    expect((await client.open()).status).toBe(303)
  })

  test.each([
    'http://assistant.test/client.json',
    'https://user@assistant.test/client.json',
    'https://assistant.test/client.json#part',
    'https://assistant.test/a/../client.json',
    'https://assistant.test/%2e%2e/client.json',
    `https://assistant.test/${'x'.repeat(600)}`,
    'ftp://assistant.test/client.json',
    'file:///etc/passwd',
  ])('is not fetched from %s', async (id) => {
    fetched = []
    expect(await new GrantClient(server.url, id).open()).toMatchObject({ status: 400, error: 'invalid_client' })
    expect(fetched).toEqual([])
  })
})

describe('a stranger', () => {
  const ask = (path: string, from: Record<string, string>, id: string) =>
    fetch(`${server.url}${path}`, {
      method: 'POST',
      headers: from,
      body: new URLSearchParams({ client_id: id, grant_type: 'refresh_token', refresh_token: 'x', token: 'x' }),
    })

  test('can not make the server fetch by requests for tokens', async () => {
    fetched = []
    for (const path of ['/oauth/token', '/oauth/revoke'])
      expect((await ask(path, newAddress(), 'https://victim.test/client.json')).status).toBe(400)
    expect(fetched).toEqual([])
  })

  test('can make the server fetch few documents a minute, also from many addresses', async () => {
    const kept = described()
    const code = await kept.client.code(owner, consent)
    fetched = []
    const open = (number: number, from: Record<string, string>) =>
      fetch(new GrantClient(server.url, `https://victim.test/${number}`).authorizeUrl(), {
        redirect: 'manual',
        headers: from,
      })
    const own = newAddress()
    for (let number = 0; number < 12; number++) await open(number, own)
    expect(fetched.length).toBeGreaterThan(0)
    expect(fetched.length).toBeLessThanOrEqual(7)
    for (let number = 100; number < 160; number++) await open(number, newAddress())
    expect(fetched.length).toBeLessThanOrEqual(40)
    // A client that was allowed before is not refused for it.
    const { body } = await kept.client.redeem(code)
    nowMs += 3_600_000
    expect((await kept.client.refresh(body.refresh_token)).status).toBe(200)
  })
})

describe('the network', () => {
  let guarded: TestServer
  const asked: string[] = []
  const addresses: Record<string, string[]> = {
    'private.test': ['10.0.0.1'],
    'mixed.test': ['192.0.2.7', '127.0.0.1'],
    'metadata.test': ['169.254.169.254'],
    'six.test': ['::1'],
    'mapped.test': ['::ffff:127.0.0.1'],
    'local-six.test': ['fd00::1'],
  }
  beforeAll(async () => {
    guarded = await startGrantServer({
      names: {
        listAddresses(host) {
          asked.push(host)
          return Promise.resolve({ kind: 'found', addresses: addresses[host] ?? [] })
        },
      },
    })
  })
  afterAll(() => guarded.stop())

  test.each([
    ...Object.keys(addresses).map((host) => `https://${host}/client.json`),
    'https://127.0.0.1:9/client.json',
    'https://[::1]:9/client.json',
    'https://[::ffff:127.0.0.1]:9/client.json',
    'https://[fd00::1]/client.json',
    'https://2130706433/client.json',
    'https://0x7f.1/client.json',
    'https://0/client.json',
  ])('no private address is reached by %s', async (id) => {
    expect(await new GrantClient(guarded.url, id).open()).toMatchObject({ status: 400, error: 'invalid_client' })
  })

  test('a name is resolved once for each fetch, so that a second answer can not differ', () => {
    expect(asked.sort()).toEqual(Object.keys(addresses).sort())
  })
})
