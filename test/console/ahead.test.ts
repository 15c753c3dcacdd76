import { expect, test } from 'vitest'
import { makeDraft, makeRunning, makeSender, prospects } from '@overture/testing/console/campaigns.ts'
import { describeConsole } from '@overture/testing/console/world.ts'

const withCompany = [{ variants: [{ subject: 'Hello', body: 'How is {{ company }}?' }] }]

describeConsole('forecast, preflight and diagnosis pages', (world) => {
  test('before a launch the review lists all blockers and warnings with links', async () => {
    const { api, url } = world()
    await api.sandbox.clock.set({ frozen: true })
    // The clock is set to a morning, so that an hour later it is still the same day.
    await api.sandbox.clock.advance({ to: '2027-01-04T09:00:00.000Z' })
    const sender = await makeSender(api)
    const leads = [...prospects(2, '', 10), { email: 'nameless@prospects.test', firstName: 'Nameless' }]
    const other = await makeRunning(api, { name: 'Other', sendingAccountIds: [sender.id], leads: leads.slice(0, 1) })
    const campaign = await makeDraft(api, { name: 'Looked over', sendingAccountIds: [], steps: withCompany, leads })
    const page = await world().page()
    await page.goto(`${url}/app/test/campaigns/${campaign.id}/review`)
    const blocked = page.getByRole('list', { name: 'Blockers' })
    const preflight = await api.campaigns.preflight(campaign.id)
    expect(preflight.ready).toBe(false)
    expect(preflight.blockers.map(({ code }) => code)).toEqual(['no_sending_accounts'])
    await blocked.getByRole('listitem').first().waitFor()
    expect((await blocked.getByRole('listitem').allInnerTexts()).map((one) => one.split('\n')[0])).toEqual([
      'Choose the mailbox that sends. The campaign has no sender yet.',
    ])
    expect(await page.getByRole('button', { name: 'Launch to 3' }).getAttribute('aria-disabled')).toBe('true')
    await page.getByText('Fix the blockers first.').waitFor()

    await api.campaigns.update(campaign.id, { sendingAccountIds: [sender.id] })
    await page.reload()
    const { ready, warnings, capacityPerDay } = await api.campaigns.preflight(campaign.id)
    expect(ready).toBe(true)
    expect(warnings.map(({ code }) => code).toSorted()).toEqual(['missing_variable', 'overlap'])
    await page.getByText(`Up to ${capacityPerDay.toLocaleString('en')} messages per sending day.`).waitFor()
    const known = page.getByRole('list', { name: 'Warnings' }).getByRole('listitem')
    expect((await known.allInnerTexts()).map((one) => one.split('\n')[0])).toEqual(
      warnings.map(({ message }) => message),
    )
    await known.filter({ hasText: other.name }).getByRole('link').click()
    await page.getByRole('heading', { name: other.name, level: 1 }).waitFor()
    await page.goBack()
    await known.filter({ hasText: 'company' }).getByRole('link').click()
    await page.getByRole('region', { name: 'Preview' }).waitFor()
  })

  test('the diagnosis shows why leads wait, and its suggested change works', async () => {
    const { api, url } = world()
    const sender = await makeSender(api, 'slow@sender.test')
    const draft = await makeDraft(api, {
      name: 'Held back',
      sendingAccountIds: [sender.id],
      steps: withCompany,
      leads: prospects(20, '', 100),
    })
    await api.campaigns.update(draft.id, { settings: { dailyLimit: 2 } })
    await api.campaigns.start(draft.id)
    await api.sandbox.clock.advance({ by: '1h' })
    expect((await api.campaigns.stats(draft.id)).sent).toBe(2)
    const { held, levers, finishesOn } = await api.campaigns.diagnose(draft.id)
    expect([held.map(({ count }) => count), levers.length > 0]).toEqual([[18], true])
    const page = await world().page()
    await page.goto(`${url}/app/test/campaigns/${draft.id}/overview`)
    await page.getByText(/^At this pace the campaign finishes/).waitFor()
    const waiting = page.getByRole('list', { name: 'Blocked leads' }).getByRole('listitem')
    expect(await waiting.count()).toBe(held.length)
    const lifts = page.getByRole('list', { name: 'Changes that would help' }).getByRole('listitem')
    expect(await lifts.count()).toBe(levers.length)
    const limit = lifts.filter({ hasText: 'messages per day instead of 2' })
    await limit.getByText(/^Finishes .* sooner\.$/).waitFor()
    await limit.getByRole('link').click()
    await page.getByLabel('Messages per day').fill('4')
    const confirmation = page.getByRole('alertdialog')
    const overview = page.getByRole('navigation', { name: 'Campaign' }).getByRole('link', { name: 'Overview' })
    await page.getByRole('button', { name: 'Save settings' }).click()
    // The dialog shows the effect of the change. After Cancel the change is still unsaved.
    await confirmation.getByRole('button', { name: 'Cancel' }).click()
    await confirmation.waitFor({ state: 'detached' })
    await overview.click()
    await confirmation.getByText('Your changes are not saved.').waitFor()
    await confirmation.getByRole('button', { name: 'Cancel' }).click()
    expect(await page.getByLabel('Messages per day').inputValue()).toBe('4')
    await page.getByRole('button', { name: 'Save settings' }).click()
    await confirmation.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Settings saved').waitFor()
    await overview.click()
    const after = await api.campaigns.diagnose(draft.id)
    expect(after.finishesOn! < finishesOn!).toBe(true)
    // The page shows the new diagnosis and not that of the old settings.
    const day = String(Number(after.finishesOn!.slice(8)))
    await page.getByText(new RegExp(`^At this pace the campaign finishes \\w+, ${day} `)).waitFor()
    expect(await limit.count()).toBe(0)
  })

  test('analytics shows the upcoming sends of all campaigns per day, with the capacity', async () => {
    const { api, url } = world()
    const sender = await makeSender(api, 'ahead@sender.test')
    const names = ['One of two', 'Two of two']
    for (const [at, name] of names.entries())
      await makeRunning(api, { name, sendingAccountIds: [sender.id], leads: prospects(3, '', 200 + at * 10) })
    await api.sandbox.clock.advance({ by: '1h' })
    const page = await world().page()
    await page.goto(`${url}/app/test/analytics`)
    const figure = page.getByRole('figure', { name: 'Upcoming sends' })
    await figure.getByRole('button', { name: 'Show as table' }).click()
    const { days } = await api.campaigns.forecastAll({ days: 30 })
    const rows = figure.getByRole('table', { name: 'Upcoming sends' }).locator('tbody tr')
    const cells = (await rows.allInnerTexts()).map((row) =>
      row
        .split(/\t/)
        .slice(1)
        .map((number) => Number(number.replaceAll(',', ''))),
    )
    const sum = (values: number[]) => values.reduce((all, one) => all + one, 0)
    expect(cells).toEqual(
      days.map(({ bySender }) => [
        sum(bySender.map(({ count }) => count)),
        sum(bySender.map(({ capacity }) => capacity)),
      ]),
    )
    const campaigns = page.getByRole('table', { name: 'Upcoming sends by campaign' })
    for (const name of names) await campaigns.getByRole('link', { name }).waitFor()
  })
})
