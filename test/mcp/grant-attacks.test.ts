import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { answerConsent, GrantClient, newAddress, redirectUri } from '@overture/testing/mcp/grant-client.ts'
import { allOfTest, startGrantServer } from '@overture/testing/mcp/grant-world.ts'
import { createTestPerson, type TestPerson } from '@overture/testing/server/people.ts'
import type { TestServer } from '@overture/testing/server.ts'

let server: TestServer
let owner: TestPerson
beforeAll(async () => {
  server = await startGrantServer()
  owner = await createTestPerson(server)
})
afterAll(() => server.stop())

describe('a request for access', () => {
  const refused = { status: 400, location: '' }

  test.each([
    ['prefix', 'http://127.0.0.1:7777/callback/more'],
    ['suffix', 'http://127.0.0.1:7777/callbac'],
    ['query', `${redirectUri}?more=1`],
    ['fragment', `${redirectUri}#part`],
    ['userinfo', 'http://user@127.0.0.1:7777/callback'],
    ['userinfo that looks like the host', 'http://127.0.0.1:7777@elsewhere.test/callback'],
    ['host with the same beginning', 'http://127.0.0.1.elsewhere.test:7777/callback'],
    ['scheme', 'https://127.0.0.1:7777/callback'],
    ['encoded path', 'http://127.0.0.1:7777/%63allback'],
    ['path that climbs', 'http://127.0.0.1:7777/callback/../other'],
    ['letter case', 'http://127.0.0.1:7777/Callback'],
    ['backslash', 'http://127.0.0.1:7777\\@elsewhere.test/callback'],
    ['script', 'javascript:alert(1)'],
    ['relative address', '/callback'],
  ])('is refused with another redirect: %s', async (_what, uri) => {
    const client = await GrantClient.register(server.url)
    expect(await client.open({ redirect_uri: uri })).toEqual({ ...refused, error: 'invalid_redirect_uri' })
  })

  test('is refused with another port, except of a program on the same machine', async () => {
    const web = await GrantClient.register(server.url, { redirect_uris: ['https://assistant.test/callback'] })
    const open = (uri: string) => web.open({ redirect_uri: uri })
    expect((await open('https://assistant.test/callback')).status).toBe(303)
    expect(await open('https://assistant.test:8443/callback')).toEqual({ ...refused, error: 'invalid_redirect_uri' })
    // RFC 8252, 7.3: a program takes any free port.
    const own = await GrantClient.register(server.url)
    expect((await own.open({ redirect_uri: 'http://127.0.0.1:50123/callback' })).status).toBe(303)
  })

  test.each([
    ['resource', { resource: 'https://elsewhere.test/mcp' }, 'invalid_target'],
    ['resource of the API', { resource: 'http://127.0.0.1/v2' }, 'invalid_target'],
    ['challenge method', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['challenge', { code_challenge: '', code_challenge_method: '' }, 'invalid_request'],
    ['short challenge', { code_challenge: 'short' }, 'invalid_request'],
    ['response type', { response_type: 'token' }, 'invalid_request'],
    ['mixed response type', { response_type: 'code id_token' }, 'invalid_request'],
    ['response mode', { response_mode: 'form_post' }, 'invalid_request'],
    ['response mode in the fragment', { response_mode: 'fragment' }, 'invalid_request'],
    ['request without a page', { prompt: 'none' }, 'login_required'],
    ['client', { client_id: 'unknown' }, 'invalid_client'],
    ['request object', { request: 'e30.e30.' }, 'request_not_supported'],
    ['request address', { request_uri: 'https://elsewhere.test/request' }, 'request_uri_not_supported'],
  ])('with a wrong %s ends here, and not at the address of the client', async (_what, changes, error) => {
    const client = await GrantClient.register(server.url, { redirect_uris: [redirectUri] })
    expect(await client.open(changes)).toEqual({ ...refused, error })
  })

  test('with a repeated parameter is refused', async () => {
    const client = await GrantClient.register(server.url)
    for (const [name, value] of [
      ['redirect_uri', 'https://elsewhere.test/'],
      ['client_id', 'another'],
      ['resource', 'https://elsewhere.test/mcp'],
      ['code_challenge', 'x'.repeat(43)],
    ] as const) {
      const url = client.authorizeUrl()
      url.searchParams.append(name, value)
      const answer = await fetch(url, { redirect: 'manual', headers: newAddress() })
      expect([name, answer.status, answer.headers.get('location')]).toEqual([name, 400, null])
    }
  })

  test('shows browsers a page of this server, with words of this server alone', async () => {
    const client = await GrantClient.register(server.url)
    const html = { headers: { ...newAddress(), accept: 'text/html,*/*;q=0.8' }, redirect: 'manual' } as const
    const location = async (url: URL) => (await fetch(url, html)).headers.get('location')
    expect(await location(client.authorizeUrl({ redirect_uri: 'https://elsewhere.test/' }))).toBe(
      '/app/connect?problem=redirect',
    )
    expect(await location(client.authorizeUrl({ client_id: '<b>unknown</b>' }))).toBe('/app/connect?problem=unknown')
    expect(await location(client.authorizeUrl({ resource: 'https://elsewhere.test/' }))).toBe(
      '/app/connect?problem=invalid',
    )
    expect(await location(new URL('/oauth/authorize/not-a-request', server.url))).toBe('/app/connect?problem=over')
  })

  test('without a state is answered without one, and with the issuer', async () => {
    const client = await GrantClient.register(server.url)
    const end = await answerConsent(client.authorizeUrl({ state: '' }), owner, allOfTest)
    expect([...end.searchParams.keys()].sort()).toEqual(['code', 'iss'])
    expect(end.searchParams.get('iss')).toBe(server.url)
  })

  test('that a person has not answered gives no code, also by its address', async () => {
    const client = await GrantClient.register(server.url)
    const begun = await fetch(client.authorizeUrl(), { redirect: 'manual', headers: newAddress() })
    const cookies = begun.headers.getSetCookie().map((line) => line.split(';')[0]!)
    const id = cookies.find((pair) => pair.startsWith('overture_grant_request='))!.split('=')[1]!
    const own = `${server.url}/oauth/authorize/${id}`
    const again = await fetch(own, { redirect: 'manual', headers: { cookie: cookies.join('; ') } })
    expect(new URL(again.headers.get('location') ?? '/', server.url).searchParams.get('code')).toBe(null)
    const elsewhere = await fetch(own, { redirect: 'manual' })
    expect([elsewhere.status, elsewhere.headers.get('location')]).toEqual([400, null])
  })

  test('that two answers reach at once makes one grant', async () => {
    const person = await createTestPerson(server)
    const client = await GrantClient.register(server.url)
    const begun = await fetch(client.authorizeUrl(), { redirect: 'manual', headers: newAddress() })
    const cookie = [person.cookie, ...begun.headers.getSetCookie().map((line) => line.split(';')[0]!)].join('; ')
    const headers = { cookie, 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' }
    const { id } = (await (await fetch(`${server.url}/oauth/consent`, { headers })).json()) as { id: string }
    const answer = () =>
      fetch(`${server.url}/oauth/consent`, { method: 'POST', headers, body: JSON.stringify({ ...allOfTest, id }) })
    const answers = await Promise.all([answer(), answer(), answer()])
    expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 404, 404])
    const grants = await person.call('GET', '/v2/account/grants')
    expect(grants.body.results.filter((one: { userId: string }) => one.userId === person.id)).toHaveLength(1)
  })
})

describe('the consent page', () => {
  test('can not be shown in a frame of another page', async () => {
    const page = await fetch(`${server.url}/app/connect`)
    expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    expect(page.headers.get('content-security-policy')).toContain("form-action 'self'")
  })

  test.each([
    ['markup', '<img src=x onerror=alert(1)>', '<img src=x onerror=alert(1)>'],
    ['characters that turn text around', '\u202Eedualc\u202C', 'edualc'],
    ['a long name', 'x'.repeat(10_000), 'x'.repeat(80)],
    ['no visible name', '\u200B\u2060', '127.0.0.1:7777'],
  ])('gets the name of a client as short plain text: %s', async (_what, name, shown) => {
    const client = await GrantClient.register(server.url, { client_name: name })
    const { names } = await answerConsentAndRead(client)
    expect(names).toEqual([shown])
  })

  /** Opens the request in a browser and reads what the page gets. */
  async function answerConsentAndRead(client: GrantClient): Promise<{ names: string[] }> {
    const begun = await fetch(client.authorizeUrl(), { redirect: 'manual', headers: newAddress() })
    const cookie = [owner.cookie, ...begun.headers.getSetCookie().map((line) => line.split(';')[0]!)].join('; ')
    const shown = await fetch(`${server.url}/oauth/consent`, { headers: { cookie, 'sec-fetch-site': 'same-origin' } })
    return { names: [((await shown.json()) as { client: { name: string } }).client.name] }
  }
})
