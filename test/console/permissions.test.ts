import { beforeAll, expect, test } from 'vitest'
import { describeConsole } from '@overture/testing/console/world.ts'
import type { WatchedPage } from '@overture/testing/console/watched-page.ts'

const bob = { email: 'bob@example.com', password: 'seven loud harbors wake' }

describeConsole('what a role can not do', (world) => {
  let page: WatchedPage
  beforeAll(async () => {
    const { live, url } = world()
    const invitation = await live.invitations.create({ email: bob.email, role: 'member' })
    const accepted = await fetch(`${url}/v2/auth/accept`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token: invitation.url?.split('#')[1], name: 'Bob', password: bob.password }),
    })
    expect(accepted.ok).toBe(true)
  })

  test.each([
    ['settings/team', 'Invite'],
    ['sending-accounts', 'Connect a sending account'],
    ['developers/webhooks', 'Add a webhook'],
    ['settings/account', 'Save'],
  ])('is disabled on %s and names a user who can', async (path, name) => {
    const { url } = world()
    page = await world().page({ signedIn: false })
    const headers = { origin: url }
    expect((await page.context().request.post(`${url}/v2/auth/login`, { data: bob, headers })).ok()).toBe(true)
    await page.goto(`${url}/app/test/${path}`)
    const button = page.getByRole('main').getByRole('button', { name }).first()
    await page.getByText('Only admins can do this. Ask Ada Lovelace.').first().waitFor()
    expect(await button.getAttribute('aria-disabled')).toBe('true')
    expect(await page.getByRole('alert').count()).toBe(0)
  })
})
