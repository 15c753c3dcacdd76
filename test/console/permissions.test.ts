import { allEndpoints } from '@overture/contract/all-endpoints.ts'
import { hasRole, requiredRole, type Role } from '@overture/contract/team/roles.ts'
import { beforeAll, expect, test } from 'vitest'
import { makeDraft, prospects } from '@overture/testing/console/campaigns.ts'
import type { ConsoleWorld } from '@overture/testing/console/console.ts'
import { everyPath, makeEverything } from '@overture/testing/console/every-path.ts'
import { holds } from '@overture/testing/console/holds.ts'
import { useEverything } from '@overture/testing/console/use-everything.ts'
import type { WatchedPage } from '@overture/testing/console/watched-page.ts'
import { describeConsole } from '@overture/testing/console/world.ts'

const password = 'seven loud harbors wake'
const emailOf = (role: Role): string => `${role}@example.com`

describeConsole('what a role can not do', (world) => {
  let paths: string[]
  beforeAll(async () => {
    const { api } = world()
    for (const role of ['viewer', 'member'] as const) await invite(world(), role)
    const values = await makeEverything(world())
    const draft = await makeDraft(api, {
      name: 'Draft',
      sendingAccountIds: [values['/sending-accounts/$id']!],
      leads: prospects(2, '', 20),
    })
    paths = [...everyPath(values), ...['steps', 'review', 'leads'].map((tab) => `campaigns/${draft.id}/${tab}`)]
  })

  test.each([
    ['viewer', 'campaigns', 'New campaign', 'Only members can do this. Ask A member or Ada Lovelace.'],
    ['viewer', 'reports', 'New report', 'Only members can do this. Ask A member or Ada Lovelace.'],
    ['viewer', 'finder/people', 'Search', 'Only members can do this. Ask A member or Ada Lovelace.'],
    ['member', 'settings/team', 'Invite', 'Only admins can do this. Ask Ada Lovelace.'],
    ['member', 'sending-accounts', 'Connect a sending account', 'Only admins can do this. Ask Ada Lovelace.'],
    ['member', 'developers/webhooks', 'Add a webhook', 'Only admins can do this. Ask Ada Lovelace.'],
    ['member', 'settings/account', 'Save', 'Only admins can do this. Ask Ada Lovelace.'],
    ['member', 'settings/export', 'Export data', 'Only admins can do this. Ask Ada Lovelace.'],
  ] as const)('is disabled for a %s on %s and names a user who can', async (role, path, name, reason) => {
    const page = await signedIn(world(), role)
    await page.goto(`${world().url}/app/test/${path}`)
    const button = page.getByRole('main').getByRole('button', { name }).first()
    await page.getByText(reason).first().waitFor()
    expect(await button.getAttribute('aria-disabled')).toBe('true')
    expect(await page.getByRole('alert').count()).toBe(0)
  })

  test('a viewer sees who can tag the selected campaigns', async () => {
    const page = await signedIn(world(), 'viewer')
    await page.goto(`${world().url}/app/test/campaigns`)
    await page.getByRole('table', { name: 'Campaigns' }).getByRole('checkbox').first().click()
    const bar = page.getByRole('region', { name: 'Actions for selected campaigns' })
    await bar.getByText('Only members can do this. Ask A member or Ada Lovelace.').first().waitFor()
    for (const name of ['Add tag', 'Remove tag'])
      expect(await bar.getByRole('button', { name }).getAttribute('aria-disabled')).toBe('true')
  })

  test.each(['viewer', 'member'] as const)(
    'no enabled control of any page calls an operation that a %s may not use',
    async (role) => {
      const { url } = world()
      const page = await signedIn(world(), role)
      // The test opens pages faster than users do, and answers changes itself.
      page.expectProblem(/status of 4(00|03|29)/)
      const calls = await watchCalls(page, role)
      await page.goto(`${url}/app/test/templates`)
      await page.getByRole('heading', { level: 1 }).waitFor()
      const refused: string[] = []
      let controls = 0
      for (const path of paths) {
        const target = `/app/test${path === '' ? '' : `/${path}`}`
        await page.evaluate(
          `history.pushState({}, '', ${JSON.stringify(target)}); dispatchEvent(new PopStateEvent('popstate'))`,
        )
        await settled(page, calls)
        // The refusals by the test may still be shown, by the clock bar for example.
        const alerts = await page.getByRole('alert').filter({ hasNotText: unchangedMessage }).allInnerTexts()
        refused.push(...alerts.map((words) => `${path} shows: ${words}`))
        const used = await useEverything(page, target)
        await settled(page, calls)
        controls += used.length
        refused.push(...calls.forbidden.splice(0).map((call) => `${path}: ${call} after one of ${used.join(', ')}`))
      }
      expect(refused).toEqual([])
      expect(controls).toBeGreaterThan(paths.length)
    },
  )
})

async function invite({ live, url }: ConsoleWorld, role: Role): Promise<void> {
  const invitation = await live.invitations.create({ email: emailOf(role), role })
  const accepted = await fetch(`${url}/v2/auth/accept`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token: invitation.url?.split('#')[1], name: `A ${role}`, password }),
  })
  expect(accepted.ok).toBe(true)
}

async function signedIn(world: ConsoleWorld, role: Role): Promise<WatchedPage> {
  const page = await world.page({ signedIn: false })
  const data = { email: emailOf(role), password }
  const answer = await page
    .context()
    .request.post(`${world.url}/v2/auth/login`, { data, headers: { origin: world.url } })
  expect(answer.ok()).toBe(true)
  return page
}

interface Calls {
  open: number
  forbidden: string[]
}

const operations = allEndpoints.map((endpoint) => ({
  ...endpoint,
  pattern: new RegExp(`^${endpoint.path.replaceAll(/:\w+/g, '[^/]+')}$`),
}))

const unchangedMessage = 'The test changes nothing.'
const unchanged = {
  status: 400,
  json: {
    error: { code: 'VALIDATION_ERROR', message: unchangedMessage, requestId: 'req_test', details: { issues: [] } },
  },
}

/** Reports calls that need another role. Allowed changes are refused without reaching the server, so that the pages stay as they are. */
async function watchCalls(page: WatchedPage, role: Role): Promise<Calls> {
  const calls: Calls = { open: 0, forbidden: [] }
  await page.route('**/v2/**', async (route) => {
    const request = route.request()
    const { pathname } = new URL(request.url())
    const method = request.method()
    if (pathname === '/v2/events/stream') return route.continue()
    const operation = operations.find((one) => one.method === method && one.pattern.test(pathname))
    if (operation !== undefined && !hasRole(role, requiredRole(operation))) calls.forbidden.push(operation.operationId)
    calls.open++
    try {
      await (method === 'GET' ? route.fulfill({ response: await route.fetch() }) : route.fulfill(unchanged))
    } catch (error) {
      // The page no longer waits for the answer.
      if (!page.isClosed() && !/closed|disposed|aborted|canceled/i.test(String(error))) throw error
    } finally {
      calls.open--
    }
  })
  return calls
}

/** Waits until the page has its heading and no call is open. */
async function settled(page: WatchedPage, calls: Calls): Promise<void> {
  await page.locator('h1').first().waitFor()
  await holds(async () => {
    const loading = await page.locator('main [role=status][aria-label=Loading]').count()
    return calls.open === 0 && loading === 0
  })
}
