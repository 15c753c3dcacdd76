import { expect, test } from 'vitest'
import { makeRunning, makeSender, prospects } from '@overture/testing/console/campaigns.ts'
import { holds } from '@overture/testing/console/holds.ts'
import { describeConsole } from '@overture/testing/console/world.ts'

describeConsole('the contact policy', (world) => {
  test('shows what it would hold back before it is saved, and keeps what was saved', async () => {
    const { api, url } = world()
    const sender = await makeSender(api)
    const leads = prospects(3, '')
    await makeRunning(api, { name: 'First', sendingAccountIds: [sender.id], leads })
    await api.sandbox.clock.set({ frozen: true })
    await api.sandbox.clock.advance({ by: '1d' })
    // Its limit leaves two messages for tomorrow.
    const facts = { name: 'Second', sendingAccountIds: [sender.id], leads, settings: { dailyLimit: 1 } }
    const { id } = await makeRunning(api, facts)
    await holds(async () => (await api.campaigns.stats(id)).sent === 1)
    const page = await world().page()
    page.expectProblem(/status of 400/)
    await page.goto(`${url}/app/test/settings/contacts`)
    await page.getByText('The limits hold back no message today.').waitFor()
    await page.getByLabel('Limit messages per person').check()
    await page.getByLabel('Messages at most').fill('1')
    await page.getByText('2 of 2 held back').waitFor()
    if (process.env['LOOK'] !== undefined) await page.screenshot({ path: `${process.env['LOOK']}/policy.png` })

    await page.getByLabel('Within days').fill('400')
    await page.getByRole('button', { name: 'Save' }).click()
    await holds(async () => (await page.locator('[aria-invalid=true]').count()) === 1)
    await page.getByLabel('Within days').fill('30')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved', { exact: true }).waitFor()
    expect((await api.account.contactPolicy.get()).perPerson).toEqual({ messages: 1, days: 30 })
    await page.reload()
    expect(await page.getByLabel('Messages at most').inputValue()).toBe('1')
  })
})
