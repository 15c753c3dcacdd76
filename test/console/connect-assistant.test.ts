import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { owner } from '@overture/testing/console/console.ts'
import type { WatchedPage } from '@overture/testing/console/watched-page.ts'
import { describeConsole } from '@overture/testing/console/world.ts'
import { GrantClient } from '@overture/testing/mcp/grant-client.ts'
import { isAccepted } from '@overture/testing/mcp/grant-world.ts'

const appAddress = 'cursor://anysphere.cursor-mcp/oauth/callback'

describeConsole('connecting an assistant', (world) => {
  // The page to which a program on the user's machine sends the browser.
  const program = createServer((_request, response) => response.end('<title>Connected</title>'))
  let programUrl = ''
  beforeAll(async () => {
    await new Promise<void>((resolve) => program.listen(0, '127.0.0.1', resolve))
    programUrl = `http://127.0.0.1:${(program.address() as AddressInfo).port}`
  })
  afterAll(() => void program.close())

  const register = (redirectUri: string) =>
    GrantClient.register(world().url, { client_name: 'Desk <b>assistant</b>', redirect_uris: [redirectUri] })

  async function signIn(page: WatchedPage): Promise<void> {
    await page.getByLabel('Email').fill(owner.email)
    await page.getByLabel('Password').fill(owner.password)
    await page.getByRole('button', { name: 'Sign in' }).click()
  }

  test('a person signs in, allows it, and the app of the assistant is opened', async () => {
    const client = await register(appAddress)
    const page = await world().page({ signedIn: false })
    await page.goto(client.authorizeUrl({ redirect_uri: appAddress }).href)
    await page.getByRole('heading', { name: 'Connect an assistant', level: 1 }).waitFor()
    await signIn(page)
    await page.getByText('Desk <b>assistant</b>').waitFor()
    await page.getByText('cursor:').first().waitFor()
    await page.getByLabel('Create and change campaigns and leads').check()
    expect(await page.accessibility()).toEqual([])
    // The browser refuses a scheme that no program on this machine opens.
    const opened = page.waitForResponse((answer) => new URL(answer.url()).pathname.startsWith('/oauth/authorize/'))
    await page.getByRole('button', { name: 'Allow' }).click()
    const answer = await opened
    const location = new URL((await answer.headerValue('location')) ?? '')
    expect([answer.status(), location.href.split('?')[0]]).toEqual([303, appAddress])
    await page.getByText('The assistant opens now. You can close this page.').waitFor()
    const { status, body } = await client.redeem(location.searchParams.get('code') ?? '', { redirect_uri: appAddress })
    expect([status, body.scope]).toEqual([200, 'read write'])
    expect(await isAccepted(world().url, body.access_token)).toBe(true)
  })

  test('a denial goes back to the program that asked', async () => {
    const client = await register(`${programUrl}/callback`)
    const page = await world().page()
    page.expectProblem(new RegExp(`foreign request: ${programUrl}/`))
    page.expectProblem(/favicon/)
    await page.goto(client.authorizeUrl({ redirect_uri: `${programUrl}/callback` }).href)
    await page.getByRole('button', { name: 'Deny' }).click()
    await page.waitForURL(({ origin }) => origin === programUrl)
    expect(new URL(page.url()).searchParams.get('error')).toBe('access_denied')
  })

  test('the access is listed and revoked', async () => {
    const client = await register(appAddress)
    const page = await world().page()
    await page.goto(client.authorizeUrl({ redirect_uri: appAddress }).href)
    const opened = page.waitForResponse((answer) => new URL(answer.url()).pathname.startsWith('/oauth/authorize/'))
    await page.getByRole('button', { name: 'Allow' }).click()
    const location = new URL((await (await opened).headerValue('location')) ?? '')
    const { body } = await client.redeem(location.searchParams.get('code') ?? '', { redirect_uri: appAddress })
    const list = await world().page()
    await list.goto(`${world().url}/app/test/developers/keys`)
    const row = list.getByRole('row').filter({ hasText: 'Desk <b>assistant</b>' }).first()
    await row.getByRole('button', { name: 'Revoke' }).click()
    await list.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click()
    await list.getByRole('alertdialog').waitFor({ state: 'detached' })
    expect(await isAccepted(world().url, body.access_token)).toBe(false)
  })

  test.each([
    ['an unknown client', { client_id: '<b>Call us</b>' }, 'The assistant is not known here'],
    ['another address', { redirect_uri: 'https://elsewhere.test/' }, 'an address that it has not registered'],
    ['another resource', { resource: 'https://elsewhere.test/' }, 'The request of the assistant is not valid'],
  ])('a request with %s ends on a page that explains it', async (_what, changes, words) => {
    const client = await register(appAddress)
    const page = await world().page({ signedIn: false })
    await page.goto(client.authorizeUrl({ redirect_uri: appAddress, ...changes }).href)
    await page.getByRole('alert').getByText(words).waitFor()
    expect(new URL(page.url()).pathname).toBe('/app/connect')
    expect(await page.accessibility()).toEqual([])
  })

  test("a link can't show its own text, and a request that is over says so", async () => {
    const page = await world().page()
    await page.goto(`${world().url}/app/connect?problem=%3Cb%3ECall+us%3C%2Fb%3E`)
    await page.getByRole('alert').getByText('The request of the assistant is not valid').waitFor()
    expect(await page.content()).not.toContain('Call us</b>')
    await page.goto(`${world().url}/oauth/authorize/not-a-request`)
    await page.getByRole('alert').getByText('The request for access is over.').waitFor()
    page.expectProblem(/404/)
    await page.goto(`${world().url}/app/connect`)
    await page.getByText('This request for access is over. Start again in the assistant.').waitFor()
  })
})
