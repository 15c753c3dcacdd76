import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { owner } from '@overture/testing/console/console.ts'
import { enter, write } from '@overture/testing/console/keyboard.ts'
import { holds } from '@overture/testing/console/holds.ts'
import { createDatabase } from '@overture/server/platform/db/pool.client.ts'
import { createLogger } from '@overture/server/platform/log.shell.ts'
import { makeDraft, makeRunning, makeSender, prospects } from '@overture/testing/console/campaigns.ts'
import { describeConsole } from '@overture/testing/console/world.ts'

describeConsole(
  'developer pages and data',
  (world) => {
    let receiver: Server
    let answer = 500
    beforeAll(async () => {
      receiver = createServer((_request, response) => response.writeHead(answer).end())
      await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
    })
    afterAll(() => receiver?.close())

    test('a new key is shown once', async () => {
      const page = await world().page()
      await page.goto(`${world().url}/app/test/developers/keys`)
      await page.getByRole('button', { name: 'Create key' }).first().click()
      const dialog = page.getByRole('dialog', { name: 'Create an API key' })
      await dialog.getByLabel('Name').fill('Reporting')
      await dialog.getByRole('button', { name: 'Create key' }).click()
      const shown = page.getByRole('dialog', { name: 'Copy your API key' })
      const key = (await shown.locator('code').innerText()).trim()
      expect(key).toMatch(/^ovt_test_[0-9A-Za-z]{30}$/)
      await page.keyboard.press('Escape')
      await page.getByRole('table', { name: 'API keys' }).getByText('Reporting').waitFor()
      expect(await page.locator('body').innerText()).not.toContain(key)
      await page.reload()
      await page.getByRole('table', { name: 'API keys' }).getByText('Reporting').waitFor()
      expect(await page.locator('body').innerText()).not.toContain(key)
    })

    test('a live key that can write is created without a mouse, after the password, and is shown once', async () => {
      const { api, url, live } = world()
      // The plan allows three active keys.
      const { id } = (await api.account.apiKeys.list().toArray()).find(({ name }) => name === 'Reporting')!
      await api.account.apiKeys.revoke(id)
      const page = await world().page()
      page.expectProblem(/status of 400/)
      await signedInLongAgo(world().databaseUrl)
      await page.goto(`${url}/app/live/developers/keys`)
      const opener = page.getByRole('button', { name: 'Create key' }).first()
      const dialog = page.getByRole('dialog', { name: 'Create an API key' })
      const proof = dialog.getByLabel('Your password or authenticator code')
      const send = dialog.getByRole('button', { name: 'Create key' })
      const openDialog = async () => {
        await enter(page, opener)
        await write(page, dialog.getByLabel('Name'), 'Backend')
        expect(await proof.count()).toBe(0)
        await dialog.getByLabel('Permissions').focus()
        await page.keyboard.press('ArrowDown')
        await proof.waitFor()
      }
      await openDialog()
      await enter(page, send)
      await dialog.getByText('Enter your password or a code from your authenticator.').waitFor()
      expect(await proof.getAttribute('aria-invalid')).toBe('true')
      await write(page, proof, 'not my password')
      await page.keyboard.press('Enter')
      await dialog.getByText('The password is wrong.').waitFor()
      expect(await dialog.innerText()).not.toContain('confirm')
      expect(await page.accessibility()).toEqual([])
      expect((await live.account.apiKeys.list().toArray()).map(({ name }) => name)).not.toContain('Backend')

      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'hidden' })
      await holds(() => opener.evaluate((button) => button === button.ownerDocument.activeElement))
      await openDialog()
      expect([await proof.inputValue(), await dialog.getByRole('alert').count()]).toEqual(['', 0])
      await write(page, proof, owner.password)
      await page.keyboard.press('Enter')
      const shown = page.getByRole('dialog', { name: 'Copy your API key' })
      const key = (await shown.locator('code').innerText()).trim()
      expect(key).toMatch(/^ovt_live_[0-9A-Za-z]{30}$/)
      await enter(page, shown.getByRole('button', { name: 'Copy key' }))
      await shown.getByText('Copied').waitFor()
      await page.keyboard.press('Escape')
      const row = page.getByRole('table', { name: 'API keys' }).getByRole('row').filter({ hasText: 'Backend' })
      expect(await row.innerText()).toMatch(/Live\s+Read and write/)
      const left = await page.content()
      expect([key, owner.password].filter((secret) => left.includes(secret))).toEqual([])
    })

    test('a failed delivery can be repeated', async () => {
      const { api, url } = world()
      const { port } = receiver.address() as AddressInfo
      const webhook = await api.webhooks.create({ url: `http://127.0.0.1:${port}/hook` })
      const delivery = await api.webhooks.test(webhook.id, {})
      await holds(async () => {
        const [one] = await api.webhooks.deliveries.list(webhook.id).toArray()
        return one!.id === delivery.id && one!.attempts > 0
      })
      const page = await world().page()
      await page.goto(`${url}/app/test/developers/webhooks/${webhook.id}`)
      const table = page.getByRole('table', { name: 'Deliveries' })
      await table.getByText('500').first().waitFor()
      answer = 204
      await table.getByRole('button', { name: 'Redeliver' }).first().click()
      await holds(async () => (await api.webhooks.deliveries.list(webhook.id).toArray())[0]!.status === 'succeeded')
      // The page polls for the result without an action of the user.
      await table.getByText('succeeded').first().waitFor()
    })

    test("a recipient's own opt-out can't be removed, with the reason", async () => {
      const { api, url } = world()
      const sender = await makeSender(api)
      await makeRunning(api, { name: 'Opting out', sendingAccountIds: [sender.id], leads: prospects(1, 'unsubscribe') })
      await api.sandbox.clock.advance({ by: '2d' })
      const page = await world().page()
      await page.goto(`${url}/app/test/suppressions`)
      const lift = page.getByRole('button', { name: 'Remove' })
      await lift.waitFor()
      expect(await lift.getAttribute('aria-disabled')).toBe('true')
      await page.getByText('The recipient opted out').first().waitFor()
    })

    test('a person is found with masked data, revealed for the shown price, and added', async () => {
      const { api, url } = world()
      const campaign = await makeDraft(api, { name: 'Found people', sendingAccountIds: [] })
      const page = await world().page()
      await page.goto(`${url}/app/test/finder/people`)
      await page.getByLabel('Seniority').selectOption({ label: 'VP' })
      await page.getByRole('button', { name: /^Search \(1 credit/ }).click()
      const table = page.getByRole('table', { name: 'Results' })
      await table.getByText('*****@').first().waitFor()
      const before = (await api.billing.get()).balance
      await table.getByRole('button', { name: 'Reveal email (1 credit)' }).first().click()
      const add = table.getByRole('button', { name: 'Add to campaign' }).first()
      await add.waitFor()
      expect((await api.billing.get()).balance).toBe(before - 1)
      await add.click()
      const dialog = page.getByRole('dialog', { name: 'Add to campaign' })
      await dialog.getByLabel('Campaign').selectOption({ label: 'Found people' })
      await dialog.getByRole('button', { name: 'Add', exact: true }).click()
      await holds(async () => (await api.campaigns.get(campaign.id)).leadCount === 1)
    })

    test('several people are revealed and added at once, for the shown price', async () => {
      const { api, url } = world()
      const campaign = await makeDraft(api, { name: 'Several people', sendingAccountIds: [] })
      const page = await world().page()
      await page.goto(`${url}/app/test/finder/people`)
      await page.getByLabel('Seniority').selectOption({ label: 'Director' })
      await page.getByRole('button', { name: /^Search \(1 credit/ }).click()
      const table = page.getByRole('table', { name: 'Results' })
      await table.getByText('*****@').nth(2).waitFor()
      for (const index of [0, 1, 2]) await table.getByRole('checkbox').nth(index).check()
      await page.getByText('3 selected').waitFor()
      const before = (await api.billing.get()).balance
      await page.getByRole('button', { name: 'Reveal 3 emails (3 credits)' }).click()
      const addButton = page.getByRole('button', { name: 'Add 3 to a campaign' })
      await addButton.waitFor()
      // Another campaign writes to one of them already.
      const address = await table
        .getByRole('row')
        .nth(1)
        .getByText(/^[^*]+@/)
        .innerText()
      await api.campaigns.leads.add((await makeDraft(api, { name: 'Earlier', sendingAccountIds: [] })).id, {
        leads: [{ email: address, firstName: 'Anna' }],
      })
      await addButton.click()
      const dialog = page.getByRole('dialog', { name: 'Add to campaign' })
      await dialog.getByLabel('Campaign').selectOption({ label: 'Several people' })
      await dialog.getByRole('button', { name: 'Add 3 to a campaign' }).click()
      await dialog.getByText('One of 3 people gets messages from another campaign, or answered there:').waitFor()
      await dialog.getByText('Anna is in “Earlier” and gets messages there.').waitFor()
      expect((await api.campaigns.get(campaign.id)).leadCount).toBe(0)
      expect(await page.accessibility()).toEqual([])
      await dialog.getByRole('button', { name: 'Leave out 1' }).click()
      await page.getByText('2 people were added').waitFor()
      expect((await api.billing.get()).balance).toBe(before - 3)
      expect((await api.campaigns.get(campaign.id)).leadCount).toBe(2)
      await addButton.click()
      await dialog.getByLabel('Campaign').selectOption({ label: 'Several people' })
      await dialog.getByRole('button', { name: 'Add 3 to a campaign' }).click()
      await dialog.getByRole('button', { name: 'Add all 3' }).click()
      await dialog.getByText('2 not added: suppressed, or already in the campaign.').waitFor()
      expect((await api.campaigns.get(campaign.id)).leadCount).toBe(3)
    })
  },
  { environment: { OVERTURE_ALLOW_PRIVATE_TARGETS: '1' } },
)

/** Moves every sign-in back by eleven minutes. A sign-in within the last ten minutes needs no proof for a key. */
async function signedInLongAgo(databaseUrl: string): Promise<void> {
  const db = createDatabase({ url: databaseUrl, log: createLogger('error'), connectionsMax: 1 })
  await db.execute(`update sessions set created_at = created_at - interval '11 minutes'`)
  await db.close()
}
