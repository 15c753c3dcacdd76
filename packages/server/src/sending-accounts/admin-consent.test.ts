import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { startOAuthDouble, type OAuthDouble } from '@overture/testing/mail/oauth-double.server.ts'
import { withTrace } from '@overture/testing/mail/oauth-words.ts'
import { startTestServer, type TestServer } from '@overture/testing/server.ts'
import { createLinkBrowser, unescaped } from '@overture/testing/server/link-browser.ts'
import { sendingAccountsPublicRoutes, sendingAccountsRoutes } from './index.ts'

const contoso = '11111111-aaaa-4bbb-8ccc-0123456789ab'
const fabrikam = '22222222-aaaa-4bbb-8ccc-0123456789ab'
let server: TestServer
let oauth: OAuthDouble
let nowMs = Date.UTC(2026, 10, 26)

beforeAll(async () => {
  oauth = await startOAuthDouble({
    provider: 'microsoft',
    tenants: { 'contoso.example.com': contoso, 'fabrikam.example.com': fabrikam },
  })
  server = await startTestServer({
    routes: () => sendingAccountsRoutes(),
    publicRoutes: ({ app }) => sendingAccountsPublicRoutes(app),
    clock: { now: () => new Date(nowMs) },
    environment: {
      MICROSOFT_OAUTH_CLIENT_ID: 'client',
      MICROSOFT_OAUTH_CLIENT_SECRET: 'client secret',
      MICROSOFT_OAUTH_AUTHORITY_URL: `${oauth.url}/`,
    },
  })
})
afterAll(() => Promise.all([server.stop(), oauth.stop()]))
beforeEach(() => server.app.db.execute('delete from tenant_connections'))

const path = '/v2/sending-accounts/oauth/admin-consent'
const ask = (domain: string, key = server.keys.live) =>
  server.call('GET', `${path}?provider=microsoft&domain=${domain}`, { key })
const linkFor = async (domain: string) => (await ask(domain)).body.url as string
const list = async (key = server.keys.live) =>
  (await server.call('GET', '/v2/tenant-connections', { key })).body.results
const back = (url: string) => createLinkBrowser(server.url).open(url, 'elsewhere')

test("an administrator's consent connects the organization, from any browser", async () => {
  const url = await linkFor('Contoso.example.com')
  expect(new URL(url).pathname).toBe('/contoso.example.com/v2.0/adminconsent')
  const page = await back(oauth.agreeForTenant(url))
  expect([page.status, unescaped(page.text)]).toEqual([
    200,
    expect.stringContaining(
      'People of contoso.example.com can now connect their mailboxes to the account “Example Ltd”',
    ),
  ])
  const [connection, ...others] = await list()
  expect(others).toEqual([])
  expect(connection).toMatchObject({
    id: expect.stringMatching(/^tnc_/),
    provider: 'microsoft',
    access: 'consent',
    tenantId: contoso,
    domain: 'contoso.example.com',
  })
  const one = await server.call('GET', `/v2/tenant-connections/${connection.id}`, { key: server.keys.liveRead })
  expect(one.body).toEqual(connection)
})

test('a second consent renews the first', async () => {
  await back(oauth.agreeForTenant(await linkFor('contoso.example.com')))
  await back(oauth.agreeForTenant(await linkFor('contoso.example.com')))
  expect(await list()).toHaveLength(1)
})

test('a link stores one consent', async () => {
  const landing = oauth.agreeForTenant(await linkFor('contoso.example.com'))
  const both = await Promise.all([back(landing), back(landing)])
  expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400])
  expect((await back(landing)).text).toContain('already used')
})

test('the consent of another organization is refused', async () => {
  const page = await back(oauth.agreeForTenant(await linkFor('contoso.example.com'), fabrikam))
  expect([page.status, page.text]).toEqual([400, expect.stringContaining('An organization other than that of contoso')])
  expect(await list()).toEqual([])
})

test("a refusal shows Microsoft's text and what to do", async () => {
  const description = 'AADSTS65004: The resource owner or authorization server denied the request.'
  const page = await back(
    oauth.decline(await linkFor('contoso.example.com'), 'consent_required', withTrace(description)),
  )
  expect(page.status).toBe(400)
  expect(unescaped(page.text)).toContain(`consent_required: ${description} Connect again and choose Accept`)
  expect(await list()).toEqual([])
})

test('a forged or changed redirect stores nothing', async () => {
  const landing = new URL(oauth.agreeForTenant(await linkFor('contoso.example.com')))
  const changed = (changes: Record<string, string>) => {
    const url = new URL(landing)
    for (const [name, value] of Object.entries(changes)) url.searchParams.set(name, value)
    return url.toString()
  }
  const state = landing.searchParams.get('state') ?? ''
  const ways = [
    changed({ state: `${state.slice(0, -2)}xx` }),
    changed({ state: '' }),
    changed({ admin_consent: 'False' }),
    changed({ tenant: 'contoso.example.com' }),
    changed({ tenant: `${contoso}'--` }),
    changed({}).replace('/microsoft', '/google'),
  ]
  for (const way of ways) expect([way, (await back(way)).status]).toEqual([way, 400])
  expect(await list()).toEqual([])
})

test('an unavailable Microsoft, an unknown domain or an expired link stores nothing', async () => {
  const landing = oauth.agreeForTenant(await linkFor('contoso.example.com'))
  oauth.down = true
  expect((await back(landing)).text).toContain('did not return the organization')
  oauth.down = false
  const unknown = oauth.agreeForTenant(await linkFor('nowhere.example.com'), contoso)
  expect((await back(unknown)).text).toContain('no organization for nowhere.example.com')
  nowMs += 7 * 86_400_000 + 1
  expect((await back(landing)).text).toContain('has expired')
  expect(await list()).toEqual([])
})

test('the connection belongs to the account and environment that requested it', async () => {
  await back(oauth.agreeForTenant(await linkFor('contoso.example.com')))
  const { url } = (await ask('play.example.com', server.keys.test)).body
  expect((await back(url)).status).toBe(200)
  expect(await list(server.keys.test)).toMatchObject([{ domain: 'play.example.com' }])
  const [live] = await list()
  expect(live).toMatchObject({ domain: 'contoso.example.com' })
  expect(await list(server.other.keys.live)).toEqual([])
  for (const key of [server.keys.test, server.other.keys.live])
    expect((await server.call('DELETE', `/v2/tenant-connections/${live.id}`, { key })).status).toBe(404)
  expect((await server.call('DELETE', `/v2/tenant-connections/${live.id}`, { key: server.keys.live })).status).toBe(200)
  expect(await list()).toEqual([])
})

test('a link needs a domain and a provider with administrators', async () => {
  const key = server.keys.live
  for (const query of ['provider=microsoft', 'domain=contoso.example.com', 'provider=google&domain=example.com'])
    expect([query, (await server.call('GET', `${path}?${query}`, { key })).status]).toEqual([query, 400])
  expect((await ask('contoso.example.com/..%2fevil')).status).toBe(400)
})
