import type { Conversation } from '@overture/sdk'
import { beforeAll, expect, test } from 'vitest'
import { makeDraft, makeRunning, makeSender, prospects } from '@overture/testing/console/campaigns.ts'
import { holds } from '@overture/testing/console/holds.ts'
import type { WatchedPage } from '@overture/testing/console/watched-page.ts'
import { describeConsole } from '@overture/testing/console/world.ts'

describeConsole('the frame of every page', (world) => {
  const open = async (path: string): Promise<WatchedPage> => {
    const page = await world().page()
    await page.goto(`${world().url}/app/test${path}`)
    await page.getByRole('heading', { level: 1 }).first().waitFor()
    return page
  }

  test('shortcuts are listed and open their pages, and Escape closes the innermost element', async () => {
    const page = await open('')
    const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    await holds(async () => {
      await page.keyboard.press('?')
      return (await dialog.count()) === 1
    })
    const listed = await dialog.locator('dt').allInnerTexts()
    expect(listed.map((keys) => keys.replaceAll(/\s/g, ''))).toEqual(
      expect.arrayContaining(['gh', 'gi', 'gc', 'gp', 'gf', 'gs', 'ga', '?', '/', 'z']),
    )
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Search or run a command' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('combobox', { name: 'Search or run a command' }).waitFor({ state: 'detached' })
    if ((await dialog.count()) > 0) await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    const places = {
      i: 'Inbox',
      c: 'Campaigns',
      p: 'People',
      f: 'Finder',
      s: 'Sending accounts',
      a: 'Analytics',
      h: 'Home',
    }
    for (const [key, name] of Object.entries(places)) {
      await page.keyboard.press('g')
      await page.keyboard.press(key)
      const heading = page.getByRole('heading', { name, level: 1 })
      await heading.waitFor()
      // The heading gets the focus, so that screen readers announce the page.
      await holds(() => heading.evaluate((element) => element === element.ownerDocument.activeElement))
    }
  })

  test('the chosen theme is applied at the first paint of the next visit', async () => {
    const page = await open('/settings/profile')
    const theme = () => page.evaluate('document.documentElement.dataset.theme')
    expect(await theme()).toBe('light')
    const saved = page.waitForResponse(
      (response) => response.url().endsWith('/v2/me') && response.request().method() === 'PUT',
    )
    await page.getByLabel('Theme').selectOption({ label: 'Dark' })
    await saved
    // The page handles the response a moment after the browser received it.
    await holds(async () => (await theme()) === 'dark')
    await page.route(/\/app\/assets\/.*\.js$/, (route) => route.abort())
    page.expectProblem(/ERR_FAILED/)
    await page.reload()
    expect(await theme()).toBe('dark')
    await page.unroute(/\/app\/assets\/.*\.js$/)
    await page.reload()
    const back = page.waitForResponse(
      (response) => response.url().endsWith('/v2/me') && response.request().method() === 'PUT',
    )
    await page.getByLabel('Theme').selectOption({ label: 'System' })
    await back
  })
})

describeConsole('reading messages', (world) => {
  let conversation: Conversation
  beforeAll(async () => {
    const { api } = world()
    await api.sandbox.clock.set({ frozen: true })
    const sender = await makeSender(api)
    const { id } = await makeDraft(api, {
      name: 'Tracked',
      sendingAccountIds: [sender.id],
      leads: prospects(1, 'reply'),
    })
    await api.campaigns.update(id, { settings: { openTracking: true, linkTracking: true } })
    await api.campaigns.start(id)
    await api.sandbox.clock.advance({ by: '2d' })
    const [first] = await api.conversations.list().toArray()
    conversation = first!
  })

  test('quoted text is collapsed, HTML is in a sandboxed frame, and reading counts no open', async () => {
    const { api, url } = world()
    const opensBefore = (await api.campaigns.stats(conversation.campaignId!)).opened
    const page = await world().page()
    const requested: string[] = []
    page.on('request', (request) => requested.push(new URL(request.url()).pathname))
    await page.goto(`${url}/app/test/inbox/${conversation.id}?view=all`)
    const messages = page.getByRole('region', { name: 'Messages' })
    await messages.first().waitFor()
    const { messages: told } = await api.conversations.get(conversation.id)
    const quoted = page.getByRole('button', { name: 'Show quoted text' })
    await quoted.first().waitFor()
    expect(await quoted.first().getAttribute('aria-expanded')).toBe('false')
    expect(await page.locator('iframe').count()).toBe(0)
    expect(told.some(({ html }) => html?.includes('/o/'))).toBe(true)
    await page.getByRole('button', { name: 'HTML' }).first().click()
    const frame = page.frameLocator('iframe').first()
    await frame.locator('body').getByText('shall we talk').first().waitFor()
    expect(await page.locator('iframe').first().getAttribute('sandbox')).not.toContain('allow-same-origin')
    await page.getByRole('button', { name: 'Show images' }).first().click()
    await holds(async () => requested.filter((path) => path === '/app/frame').length === 2)
    await frame.locator('body').getByText('shall we talk').first().waitFor()
    expect(requested.filter((path) => path.startsWith('/o/'))).toEqual([])
    expect((await api.campaigns.stats(conversation.campaignId!)).opened).toBe(opensBefore)
  })

  test('new conversations wait above the list until the user loads them', async () => {
    const { api, url } = world()
    const page = await world().page()
    await page.goto(`${url}/app/test/inbox?view=all`)
    const items = page.getByRole('list', { name: 'Conversations' }).getByRole('link')
    await items.first().waitFor()
    const before = await items.count()
    const [sender] = await api.sendingAccounts.list().toArray()
    await makeRunning(api, { name: 'Later', sendingAccountIds: [sender!.id], leads: prospects(3, 'reply', 50) })
    await api.sandbox.clock.advance({ by: '2d' })
    await page.getByRole('button', { name: '3 new' }).waitFor()
    expect(await items.count()).toBe(before)
    await page.keyboard.press('.')
    await holds(async () => (await items.count()) === before + 3)
    expect(await page.getByRole('button', { name: '3 new' }).count()).toBe(0)
  })
})
