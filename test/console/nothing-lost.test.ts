import type { Campaign } from '@overture/sdk'
import { beforeEach, expect, test } from 'vitest'
import { makeDraft, makeRunning, makeSender, prospects } from '@overture/testing/console/campaigns.ts'
import { owner } from '@overture/testing/console/console.ts'
import { holds } from '@overture/testing/console/holds.ts'
import type { WatchedPage } from '@overture/testing/console/watched-page.ts'
import { describeConsole } from '@overture/testing/console/world.ts'

describeConsole('no input is lost', (world) => {
  let campaign: Campaign
  let page: WatchedPage
  beforeEach(async () => {
    campaign = await makeDraft(world().api, { name: 'Kept', sendingAccountIds: [], leads: prospects(1, '') })
    page = await world().page()
  })
  const steps = () => `${world().url}/app/test/campaigns/${campaign.id}/steps`
  const savedSubject = async () => (await world().api.campaigns.get(campaign.id)).steps[0]!.variants[0]!.subject

  test('when the user leaves before a draft was saved: it is saved on leaving', async () => {
    await page.goto(steps())
    await page.getByLabel('Subject').fill('In a hurry')
    await page.getByRole('link', { name: 'Leads', exact: true }).click()
    await page.waitForURL(/\/leads$/)
    expect(await savedSubject()).toBe('In a hurry')
  })

  test('when the user leaves unapplied changes: a dialog lets them stay or leave', async () => {
    const { api, url } = world()
    const sender = await makeSender(api, `${campaign.id}@sender.test`)
    const running = await makeRunning(api, {
      name: 'Running',
      sendingAccountIds: [sender.id],
      leads: prospects(1, '', 70),
    })
    await page.goto(`${url}/app/test/campaigns/${running.id}/steps`)
    await page.getByLabel('Subject').fill('Not applied')
    await page.getByRole('link', { name: 'Leads', exact: true }).click()
    const dialog = page.getByRole('alertdialog', { name: 'Leave without saving?' })
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await dialog.waitFor({ state: 'detached' })
    expect(await page.getByLabel('Subject').inputValue()).toBe('Not applied')
    await page.getByRole('link', { name: 'Leads', exact: true }).click()
    await dialog.getByRole('button', { name: 'Leave' }).click()
    await page.waitForURL(/\/leads$/)

    await page.goto(`${url}/app/test/campaigns/${campaign.id}/leads`)
    await page.getByRole('navigation', { name: 'Campaign' }).getByRole('link', { name: 'Settings' }).click()
    await page.getByLabel('Name').first().fill('Half a name')
    await page.goBack()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    expect(await page.getByLabel('Name').first().inputValue()).toBe('Half a name')
    await page.getByRole('button', { name: 'Save settings' }).click()
    await page.getByText('Settings saved').waitFor()
    expect((await api.campaigns.get(campaign.id)).name).toBe('Half a name')
    await page.getByRole('link', { name: 'Leads', exact: true }).click()
    await page.waitForURL(/\/leads$/)
  })

  test('when the session ends: sign-in opens above the page, and the text is saved afterwards', async () => {
    await page.goto(steps())
    await page.getByLabel('Subject').waitFor()
    page.expectProblem(/status of 401/)
    await page.context().clearCookies()
    await page.getByLabel('Subject').fill('Written without a session')
    const dialog = page.getByRole('dialog', { name: 'Sign in again' })
    await dialog.getByLabel('Password').fill(owner.password)
    await dialog.getByRole('button', { name: 'Sign in', exact: true }).click()
    await dialog.waitFor({ state: 'detached' })
    expect(await page.getByLabel('Subject').inputValue()).toBe('Written without a session')
    await holds(async () => (await savedSubject()) === 'Written without a session')
  })

  test('when the server restarts during an edit', async () => {
    await page.goto(steps())
    page.expectProblem(/ERR_CONNECTION_REFUSED|ERR_INCOMPLETE_CHUNKED|ERR_CONNECTION_RESET|ERR_EMPTY_RESPONSE/)
    await page.getByLabel('Subject').waitFor()
    await world().restart(async () => {
      await page.getByText('Reconnecting').waitFor()
      await page.getByLabel('Subject').fill('Written during the restart')
    })
    await holds(async () => (await savedSubject()) === 'Written during the restart')
    await page.getByText(/^Saved \d/).waitFor()
  })

  test('when the API limits requests: the console retries after the given time', async () => {
    page.expectProblem(/status of 429/)
    await page.goto(`${world().url}/app/test/people`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    let refused = 0
    await page.route(/\/v2\/templates\?/, async (route) => {
      if (refused++ > 0) return route.continue()
      const error = { code: 'RATE_LIMITED', message: 'Wait.', requestId: 'req_1', details: {} }
      return route.fulfill({ status: 429, headers: { 'retry-after': '1' }, json: { error } })
    })
    await page.getByRole('link', { name: 'Templates' }).click()
    await page.getByRole('heading', { name: 'No templates yet' }).waitFor()
    expect(refused).toBe(2)
    expect(await page.getByRole('alert').count()).toBe(0)
  })
})

describeConsole('one failing part of a page', (world) => {
  test("shows the API's error with request id, is retried, and the rest stays usable", async () => {
    const { url } = world()
    const page = await world().page()
    page.expectProblem(/status of 500/)
    const error = {
      code: 'INTERNAL_ERROR',
      message: 'Something broke on our side.',
      requestId: 'req_told',
      details: {},
    }
    await page.route(/\/v2\/campaigns\/summary/, (route) =>
      route.fulfill({ status: 500, headers: { 'x-request-id': 'req_told' }, json: { error } }),
    )
    await page.goto(`${url}/app/test`)
    const today = page.getByRole('region', { name: 'Today' })
    await today.getByText('Something broke on our side.').waitFor()
    await today.getByText('Details', { exact: true }).click()
    await today.getByRole('button', { name: 'Copy request ID' }).click()
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe('req_told')
    await page.getByRole('region', { name: 'Needs attention' }).getByText('You’re all caught up.').waitFor()
    await page.unroute(/\/v2\/campaigns\/summary/)
    await today.getByRole('button', { name: 'Try again' }).click()
    await today.getByText('Sent', { exact: true }).waitFor()
  })

  test("fails alone if its data can't be shown", async () => {
    const { url } = world()
    const page = await world().page()
    page.expectProblem(/error: |console: /)
    await page.route(/\/v2\/campaigns\/summary/, (route) => route.fulfill({ json: { campaigns: { total: 1 } } }))
    await page.goto(`${url}/app/test`)
    await page.getByText('This part of the page failed to load.').waitFor()
    await page.getByRole('region', { name: 'Needs attention' }).getByText('You’re all caught up.').waitFor()
    await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor()
  })
})
