import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startOAuthDouble, type OAuthDouble } from '@overture/testing/mail/oauth-double.server.ts'
import { startTestServer, type TestServer } from '@overture/testing/server.ts'
import { createLinkBrowser, linkIn, unescaped } from '@overture/testing/server/link-browser.ts'
import { keyMayAdminister } from '../api-keys/index.ts'
import { sendingAccountsPublicRoutes, sendingAccountsRoutes } from './index.ts'

/** A link to connect a mailbox may be given to a person who does not know for which account it is. */
let server: TestServer
let oauth: OAuthDouble
let nowMs = Date.UTC(2026, 5, 1)
beforeAll(async () => {
  oauth = await startOAuthDouble()
  server = await startTestServer({
    routes: () => sendingAccountsRoutes(),
    publicRoutes: ({ app }) => sendingAccountsPublicRoutes(app, { keyMayConnect: keyMayAdminister }),
    clock: { now: () => new Date(nowMs) },
    environment: {
      OVERTURE_ALLOW_PRIVATE_TARGETS: '1',
      GOOGLE_OAUTH_CLIENT_ID: 'client',
      GOOGLE_OAUTH_CLIENT_SECRET: 'client secret',
      GOOGLE_OAUTH_AUTHORIZATION_URL: `${oauth.url}/authorize`,
      GOOGLE_OAUTH_TOKEN_URL: `${oauth.url}/token`,
    },
  })
})
afterAll(async () => {
  await Promise.all([server.stop(), oauth.stop()])
})

let made = 0
async function newLink() {
  oauth.email = `owner${++made}@example.com`
  const body = { provider: 'google', email: oauth.email }
  const answer = await server.call('POST', '/v2/sending-accounts/oauth/authorize', { key: server.keys.live, body })
  expect(answer.status, answer.text).toBe(200)
  return { email: oauth.email, url: answer.body.authorizeUrl as string }
}

const isConnected = async (email: string) => {
  const path = `/v2/sending-accounts?q=${encodeURIComponent(email)}`
  return (await server.call('GET', path, { key: server.keys.live })).body.results.length > 0
}

test("the page shows the account's name before the provider asks, whatever the name contains", async () => {
  const names = fc.string({
    unit: fc.constantFrom('<', '>', '&', '"', "'", '`', '=', '/', ' ', 'a', 'é', '“', '漢'),
    minLength: 1,
    maxLength: 20,
  })
  for (const name of fc.sample(names, 12)) {
    await server.app.db.execute('update accounts set name = $2 where account_id = $1', [server.tenant.accountId, name])
    const { url, email } = await newLink()
    const { status, text } = await createLinkBrowser(server.url).open(url)
    expect([status, unescaped(text).includes(`the mailbox ${email} at Google to the account “${name}”`)]).toEqual([
      200,
      true,
    ])
    expect(text.match(/<[^>]*>/g)?.length).toBe(15)
  }
})

test("a link doesn't contain the provider's URL, so it only leads to our page", async () => {
  const { url } = await newLink()
  const { text } = await createLinkBrowser(server.url).open(url)
  expect(new URL(url).pathname).toBe('/hooks/oauth/google/start')
  for (const part of [url, text]) expect(part).not.toContain('code_challenge')
})

type Deed = 'start' | 'go' | 'go from elsewhere' | 'start elsewhere' | 'go elsewhere'
const deeds: Deed[] = ['start', 'go', 'go from elsewhere', 'start elsewhere', 'go elsewhere']

test('only a browser that opened the page and continued from it can connect a mailbox', async () => {
  // The sender of a link knows the provider's URL and can open it in their own browser.
  const ways = fc.sample(fc.array(fc.constantFrom(...deeds), { maxLength: 5 }), 14)
  for (const way of [...ways, ['start', 'go'] satisfies Deed[], ['start', 'go from elsewhere'] satisfies Deed[]]) {
    const { url, email } = await newLink()
    const [victim, sender] = [createLinkBrowser(server.url), createLinkBrowser(server.url)]
    const goUrl = linkIn((await sender.open(url)).text)
    const providerUrl = (await sender.open(goUrl)).location
    let wasShown = false
    let agreed = false
    for (const deed of way) {
      if (deed === 'start') wasShown = (await victim.open(url)).status === 200
      if (deed === 'go') {
        await victim.open(goUrl)
        agreed ||= wasShown
      }
      if (deed === 'go from elsewhere') await victim.open(goUrl, 'elsewhere')
      if (deed === 'start elsewhere') await sender.open(url)
      if (deed === 'go elsewhere') await sender.open(goUrl)
    }
    const landed = await victim.open(oauth.agree(providerUrl), 'elsewhere')
    expect([way, landed.status, await isConnected(email)]).toEqual([way, agreed ? 200 : 400, agreed])
    if (!agreed) expect(landed.text).toContain('names the account')
  }
})

test('the cookies of one link are not valid for another', async () => {
  const [first, second] = [await newLink(), await newLink()]
  const browser = createLinkBrowser(server.url)
  await browser.open(linkIn((await browser.open(first.url)).text))
  const [name = ''] = [...browser.cookies.keys()].filter((one) => one.includes('agreed'))
  const other = createLinkBrowser(server.url)
  const toProvider = await other.open(linkIn((await other.open(second.url)).text))
  const [otherName = ''] = [...other.cookies.keys()].filter((one) => one.includes('agreed'))
  browser.cookies.set(otherName, browser.cookies.get(name)!)
  expect((await browser.open(oauth.agree(toProvider.location), 'elsewhere')).status).toBe(400)
  expect(await isConnected(second.email)).toBe(false)
})

test("expired, forged, test and other provider's links show no account", async () => {
  const { url } = await newLink()
  const browser = createLinkBrowser(server.url)
  const body = { provider: 'google', email: 'play@example.com' }
  const path = '/v2/sending-accounts/oauth/authorize'
  const testState = new URL((await server.call('POST', path, { key: server.keys.test, body })).body.authorizeUrl)
  const ways = [
    url.replace('/google/', '/microsoft/'),
    url.replace(/state=..../, 'state=AAAA'),
    url.replace(/state=.*/, `state=${testState.searchParams.get('state')}`),
    url.replace(/\?.*/, ''),
  ]
  for (const way of [...ways, ...ways.map((one) => one.replace('/start', '/go'))]) {
    const { status, text, location } = await browser.open(way)
    expect([way, status, text.includes('Example'), location]).toEqual([way, 400, false, ''])
  }
  nowMs += 15 * 60_000 + 1
  expect((await browser.open(url)).status).toBe(400)
  expect(browser.cookies.size).toBe(0)
})
