import { expect, test } from 'vitest'
import { holds } from '@overture/testing/console/holds.ts'
import { makeRunning, makeSender, prospects } from '@overture/testing/console/campaigns.ts'
import { describeConsole } from '@overture/testing/console/world.ts'

describeConsole('live updates', (world) => {
  test('counters and activity update automatically, also after a server restart', async () => {
    const { api, url } = world()
    const sender = await makeSender(api)
    await api.sandbox.clock.set({ frozen: true })
    const campaign = await makeRunning(api, {
      name: 'Watched',
      sendingAccountIds: [sender.id],
      leads: prospects(5, ''),
    })
    const page = await world().page()
    await page.goto(`${url}/app/test/campaigns/${campaign.id}/overview`)
    const sent = page.locator('dl').first().locator('div', { hasText: 'Sent' }).locator('dd')
    await page.getByRole('heading', { name: 'Activity' }).waitFor()
    await api.sandbox.clock.advance({ by: '1h' })
    const { sent: first } = await api.campaigns.stats(campaign.id)
    expect(first).toBeGreaterThan(0)
    await holds(async () => (await sent.innerText()) === String(first))
    await page.getByRole('list', { name: 'Activity' }).getByText('Sent').first().waitFor()

    page.expectProblem(/ERR_CONNECTION_REFUSED|ERR_INCOMPLETE_CHUNKED|ERR_CONNECTION_RESET|ERR_EMPTY_RESPONSE/)
    await world().restart(() => page.getByText('Reconnecting').waitFor())
    await api.campaigns.leads.add(campaign.id, { leads: prospects(2, '', 50) })
    await api.sandbox.clock.advance({ by: '2h' })
    const { sent: second } = await api.campaigns.stats(campaign.id)
    await holds(async () => (await sent.innerText()) === String(second))
    await holds(async () => (await page.getByText('Reconnecting').count()) === 0)
  })

  test('the clock moves by a button, shows what happened, and stops when frozen', async () => {
    const { api, url } = world()
    await api.sandbox.clock.set({ frozen: false })
    const page = await world().page()
    await page.goto(`${url}/app/test`)
    const before = await api.sandbox.clock.get()
    const answered = page.waitForResponse((response) => response.url().endsWith('/clock/advance'))
    const bar = page.getByRole('region', { name: 'Test clock' })
    await bar.getByRole('button', { name: '+3 days' }).click()
    const { sent, replied } = (await (await answered).json()) as { sent: number; replied: number }
    const dialog = page.getByRole('dialog', { name: 'What happened' })
    await dialog.waitFor()
    expect(sent + replied).toBeGreaterThan(0)
    const total = dialog.getByRole('table', { name: 'What happened' }).locator('tbody tr').last()
    expect((await total.innerText()).split('\t')[1]).toBe(String(sent))
    const after = await api.sandbox.clock.get()
    expect(Date.parse(after.now) - Date.parse(before.now)).toBeGreaterThanOrEqual(3 * 86_400_000)
    await page.keyboard.press('Escape')
    await bar.getByRole('button', { name: 'Freeze' }).click()
    await holds(async () => (await api.sandbox.clock.get()).frozen)
    await bar.getByText('frozen').waitFor()
    const standing = await api.sandbox.clock.get()
    await page.reload()
    await bar.getByText('frozen').waitFor()
    expect(await api.sandbox.clock.get()).toEqual(standing)
  })

  test('while another client moves the clock, its target is shown and buttons are disabled with a reason', async () => {
    const { api, url } = world()
    const page = await world().page()
    await page.goto(`${url}/app/test`)
    const bar = page.getByRole('region', { name: 'Test clock' })
    const day = bar.getByRole('button', { name: '+1 day' })
    await day.waitFor()
    await makeRunning(api, {
      name: 'Moved elsewhere',
      sendingAccountIds: [(await makeSender(api, 'moved@sender.test')).id],
      leads: prospects(1_000, '', 200),
    })
    await Promise.all([
      bar.getByText(/^Moving to .* UTC$/).waitFor(),
      bar.getByRole('button', { name: '+1 day', disabled: true }).waitFor(),
      bar.getByTitle('The clock is already being moved.').first().waitFor(),
      api.sandbox.clock.advance({ by: '12w' }),
    ])
    await holds(async () => (await day.getAttribute('aria-disabled')) === null)
    expect(await bar.getByText(/^Moving to/).count()).toBe(0)
  })

  test('a sender added by another client appears on an open page', async () => {
    const { api, url } = world()
    const page = await world().page()
    await page.goto(`${url}/app/test/sending-accounts`)
    const table = page.getByRole('table', { name: 'Sending accounts' })
    await table.waitFor()
    const added = await makeSender(api, 'elsewhere@sender.test')
    await table.getByText(added.email).waitFor()
    await api.sendingAccounts.pause(added.id)
    await table.getByRole('row').filter({ hasText: added.email }).getByText('Paused').waitFor()
  })

  test('every gate of a lead is shown as in explain, found by its address from any page', async () => {
    const { api, url } = world()
    const [campaign] = await api.campaigns.list({ q: 'Watched' }).toArray()
    const [lead] = await api.campaigns.leads.list(campaign!.id).toArray()
    const page = await world().page()
    await page.goto(`${url}/app/test`)
    await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Search or run a command' }).fill(lead!.email)
    await page.getByRole('option', { name: lead!.email }).first().waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/why$/)
    const table = page.getByRole('table', { name: 'Gates' })
    await table.waitFor()
    const explained = await api.campaigns.leads.explain(campaign!.id, lead!.id)
    expect(await table.locator('tbody tr').count()).toBe(explained.gates.length)
    // Gates that hold come first, then the others, each in the order of evaluation.
    const gates = explained.gates.toSorted((one, other) => Number(one.passed) - Number(other.passed))
    const states = await table.locator('tbody td:nth-of-type(1)').allInnerTexts()
    expect(states).toEqual(gates.map(({ passed }) => (passed ? 'passed' : 'blocked')))

    await api.suppressions.create({ email: lead!.email })
    await page.reload()
    await page.getByRole('link', { name: 'Show the suppression' }).click()
    await page.getByRole('table', { name: 'Suppressions' }).getByText(lead!.email).waitFor()
  })
})
