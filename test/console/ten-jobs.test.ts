import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeDraft, makeRunning, makeSender, prospects } from '@overture/testing/console/campaigns.ts'
import { countClicks } from '@overture/testing/console/clicks.ts'
import { owner } from '@overture/testing/console/console.ts'
import { holds } from '@overture/testing/console/holds.ts'
import type { WatchedPage } from '@overture/testing/console/watched-page.ts'
import { describeConsole } from '@overture/testing/console/world.ts'

describeConsole(
  'from the setup link to a reply',
  (world) => {
    test('takes two clicks, for the account and for the simulated prospects', async () => {
      const page = await world().page({ signedIn: false })
      const clicks = await countClicks(page)
      await page.goto(world().setupLink)
      await page.getByLabel('Email').fill(owner.email)
      await page.getByLabel('Name').fill(owner.name)
      await page.getByLabel('Password').fill(owner.password)
      await page.getByRole('button', { name: 'Create account' }).click()
      await page.getByRole('button', { name: 'Try it with simulated prospects' }).click()
      await page.getByRole('heading', { name: 'Inbox', level: 1 }).waitFor()
      await page.getByRole('list', { name: 'Conversations' }).getByRole('link').first().waitFor()
      expect(await clicks()).toBe(2)
    })
  },
  { setUp: false },
)

describeConsole(
  "the clicks of a day's work",
  (world) => {
    const open = async (path: string): Promise<{ page: WatchedPage; clicks: () => Promise<number> }> => {
      const page = await world().page()
      const clicks = await countClicks(page)
      await page.goto(`${world().url}/app/test${path}`)
      await page.getByRole('heading', { level: 1 }).first().waitFor()
      return { page, clicks }
    }
    beforeAll(async () => {
      await world().api.sandbox.clock.set({ frozen: true })
    })

    test('importing a file without one column, with its invalid rows, takes three clicks', async () => {
      const campaign = await makeDraft(world().api, { name: 'Imported', sendingAccountIds: [] })
      const { page, clicks } = await open(`/campaigns/${campaign.id}/leads/import`)
      await page.getByLabel('CSV or Excel file').setInputFiles({
        name: 'people.csv',
        mimeType: 'text/csv',
        buffer: Buffer.from('email,first name,note\na@example.com,Ada,x\nnobody,Bob,y\n'),
      })
      await page.getByLabel('Column note becomes').selectOption({ label: 'Do not import' })
      await page.getByRole('button', { name: 'Import leads' }).click()
      const downloading = page.waitForEvent('download')
      await page.getByRole('button', { name: 'Download rejected rows' }).click()
      await downloading
      expect(await clicks()).toBe(3)
    })

    test('a preview takes no click, a new step one, an AI draft two', async () => {
      const campaign = await makeDraft(world().api, {
        name: 'Written',
        sendingAccountIds: [],
        leads: prospects(2, '', 10),
      })
      const { page, clicks } = await open(`/campaigns/${campaign.id}/steps`)
      await page.getByRole('region', { name: 'Preview' }).getByText('Hello Person 10').waitFor()
      expect(await clicks()).toBe(0)
      await page.getByRole('button', { name: 'Start from a pattern' }).click()
      const before = (await world().api.campaigns.get(campaign.id)).steps[0]!.variants[0]!.body
      await page.getByRole('dialog', { name: 'Start from a pattern' }).getByRole('button', { name: 'Insert' }).click()
      await holds(async () => (await world().api.campaigns.get(campaign.id)).steps[0]!.variants[0]!.body !== before)
      expect(await clicks()).toBe(2)
      await page.getByRole('button', { name: 'Add step' }).click()
      await holds(async () => (await page.getByRole('heading', { name: /^Step \d/ }).count()) === 3)
      expect(await clicks()).toBe(3)
      // A new step without text shows no error yet.
      await page.getByText(/^Saved \d/).waitFor()
      expect((await world().api.campaigns.get(campaign.id)).steps).toHaveLength(2)
      await page.getByRole('textbox', { name: 'Body' }).focus()
      await page.keyboard.insertText('And a third.')
      await holds(async () => (await world().api.campaigns.get(campaign.id)).steps.length === 3)
    })

    test('review takes one click from the steps, launch one more; pause and analytics take one', async () => {
      const { api } = world()
      const sender = await makeSender(api)
      const campaign = await makeDraft(api, {
        name: 'Launched',
        sendingAccountIds: [sender.id],
        leads: prospects(2, '', 20),
      })
      const { page, clicks } = await open(`/campaigns/${campaign.id}/steps`)
      await page.getByRole('link', { name: 'Review 2 leads' }).click()
      await page.getByRole('figure', { name: 'Sending calendar' }).waitFor()
      expect(await clicks()).toBe(1)
      await page.getByRole('button', { name: 'Launch to 2' }).click()
      await page.locator('header').getByText('Active', { exact: true }).waitFor()
      expect(await clicks()).toBe(2)
      await page.getByRole('button', { name: 'Pause' }).click()
      await holds(async () => (await api.campaigns.get(campaign.id)).status === 'paused')
      expect(await clicks()).toBe(3)
      await page.getByRole('navigation', { name: 'Campaign' }).getByRole('link', { name: 'Analytics' }).click()
      await page.getByRole('table', { name: 'Variants' }).waitFor()
      expect(await clicks()).toBe(4)
    })

    test('a live launch takes two clicks, including a confirmation with the number of leads', async () => {
      const { live, url } = world()
      await live.account.update({ postalAddress: '1 High Street, London' })
      const sender = await live.sendingAccounts.create({
        email: 'live@example.com',
        fromName: 'Live',
        provider: 'smtp',
        // No server listens on this port, so nothing leaves this machine.
        smtp: { host: '127.0.0.1', port: 1, security: 'none' },
      })
      const campaign = await makeDraft(live, {
        name: 'Live',
        sendingAccountIds: [sender.id],
        leads: [{ email: 'someone@example.com', firstName: 'Someone', company: 'Some' }],
      })
      const page = await world().page()
      const clicks = await countClicks(page)
      await page.goto(`${url}/app/live/campaigns/${campaign.id}/review`)
      await page.getByRole('button', { name: 'Launch to 1' }).click()
      await page
        .getByRole('alertdialog')
        .getByRole('button', { name: /^Launch/ })
        .click()
      await page.locator('header').getByText('Active', { exact: true }).waitFor()
      expect((await live.campaigns.get(campaign.id)).status).toBe('active')
      expect(await clicks()).toBe(2)
      await page.getByRole('button', { name: 'Pause' }).click()
      await holds(async () => (await live.campaigns.get(campaign.id)).status === 'paused')
      expect(await clicks()).toBe(3)
    })

    test('why a lead got no message takes no click by address, and one from a list', async () => {
      const { api } = world()
      const sender = await makeSender(api, 'why@sender.test')
      const campaign = await makeRunning(api, {
        name: 'Asked about',
        sendingAccountIds: [sender.id],
        leads: prospects(2, '', 60),
      })
      await api.campaigns.pause(campaign.id)
      const { page, clicks } = await open('')
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox', { name: 'Search or run a command' }).waitFor()
      // Types faster than the search responds. The console opens the result when it arrives.
      await page.keyboard.type('person60@prospects.test')
      await page.keyboard.press('Enter')
      await page.getByRole('table', { name: 'Gates' }).waitFor()
      expect(await clicks()).toBe(0)
      await page.goto(`${world().url}/app/test/campaigns/${campaign.id}/leads`)
      const row = page.getByRole('table', { name: 'Leads' }).getByRole('row').filter({ hasText: 'person61@' })
      await row.getByRole('link').last().click()
      await page.getByRole('table', { name: 'Gates' }).waitFor()
      expect(await clicks()).toBe(1)
    })

    test('each decision about a conversation is one key', async () => {
      const { api } = world()
      const sender = await makeSender(api, 'triage@sender.test')
      await makeRunning(api, { name: 'Answered', sendingAccountIds: [sender.id], leads: prospects(6, 'reply', 30) })
      await api.sandbox.clock.advance({ by: '2d' })
      const waiting = (await api.conversations.list().toArray()).length
      expect(waiting).toBe(6)
      const { page, clicks } = await open('/inbox?view=all')
      await page.getByRole('list', { name: 'Conversations' }).getByRole('link').first().waitFor()
      await page.keyboard.press('j')
      await page.getByRole('textbox', { name: 'Reply' }).waitFor()
      let openedBefore = ''
      for (let decided = 0; decided < waiting; decided++) {
        await holds(async () => page.url() !== openedBefore)
        openedBefore = page.url()
        // Keys act on a conversation once it is open.
        const id = new URL(openedBefore).pathname.split('/').at(-1)!
        await page.locator(`a[aria-current=true][href*="${id}"]`).waitFor()
        await page.keyboard.press('e')
      }
      await holds(async () => (await api.conversations.list({ archived: true }).toArray()).length === waiting)
      expect(await clicks()).toBe(0)
    })

    test('finding, revealing and adding a person takes four clicks', async () => {
      const { api } = world()
      const campaign = await makeDraft(api, { name: 'Found people', sendingAccountIds: [] })
      const { page, clicks } = await open('/finder/people')
      await page.getByLabel('Job title').fill('engineer')
      await page.getByRole('button', { name: /^Search \(1 credit/ }).click()
      const table = page.getByRole('table', { name: 'Results' })
      await table.getByRole('button', { name: 'Reveal email (1 credit)' }).first().click()
      await table.getByRole('button', { name: 'Add to campaign' }).first().click()
      await page
        .getByRole('dialog', { name: 'Add to campaign' })
        .getByRole('button', { name: 'Add', exact: true })
        .click()
      await holds(async () => (await api.campaigns.get(campaign.id)).leadCount === 1)
      expect(await clicks()).toBe(4)
    })

    test('a key takes two clicks, a repeated delivery two, a day of the test clock one', async () => {
      const { api } = world()
      const { page: keys, clicks: keyClicks } = await open('/developers/keys')
      await keys.getByRole('button', { name: 'Create key' }).first().click()
      const dialog = keys.getByRole('dialog', { name: 'Create an API key' })
      await dialog.getByLabel('Name').fill('Reporting')
      await dialog.getByRole('button', { name: 'Create key' }).click()
      await keys.getByRole('dialog', { name: 'Copy your API key' }).waitFor()
      expect(await keyClicks()).toBe(2)

      const { page, clicks } = await open('/developers/webhooks')
      await page.getByRole('link', { name: failing.url }).click()
      answer = 204
      await page.getByRole('table', { name: 'Deliveries' }).getByRole('button', { name: 'Redeliver' }).first().click()
      await holds(async () => (await api.webhooks.deliveries.list(failing.id).toArray())[0]!.status === 'succeeded')
      expect(await clicks()).toBe(2)
      await page.getByRole('region', { name: 'Test clock' }).getByRole('button', { name: '+1 day' }).click()
      await page.getByRole('dialog', { name: 'What happened' }).waitFor()
      expect(await clicks()).toBe(3)
    })

    let receiver: Server
    let answer = 500
    let failing: { id: string; url: string }
    beforeAll(async () => {
      receiver = createServer((_request, response) => response.writeHead(answer).end())
      await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
      const { api } = world()
      const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`
      const { id } = await api.webhooks.create({ url })
      failing = { id, url }
      await api.webhooks.test(id, {})
      await holds(async () => (await api.webhooks.deliveries.list(id).toArray())[0]!.attempts > 0)
    })
    afterAll(() => receiver?.close())

    test('every page is one click or three letters of its name away', async () => {
      const { page, clicks } = await open('')
      const links = page.getByRole('navigation', { name: 'Main' }).getByRole('link')
      const names = await links.allInnerTexts()
      expect(names.length).toBeGreaterThan(10)
      const places = await links.evaluateAll((all) => all.map((link) => (link as unknown as { href: string }).href))
      for (const [at, place] of places.entries()) {
        await links.nth(at).click()
        await page.waitForURL(place)
        const next = (at + 1) % names.length
        // Types like an experienced user, without waiting for the palette to open.
        await page.keyboard.press('Control+k')
        await page.keyboard.type(names[next]!.trim().slice(0, 3))
        await page.keyboard.press('Enter')
        await page.waitForURL(places[next]!)
        await page.getByRole('combobox', { name: 'Search or run a command' }).waitFor({ state: 'detached' })
      }
      expect(await clicks()).toBe(names.length)
    })
  },
  { environment: { OVERTURE_ALLOW_PRIVATE_TARGETS: '1' } },
)
