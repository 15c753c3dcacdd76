import { expect, test } from 'vitest'
import { makeRunning, makeSender } from '@overture/testing/console/campaigns.ts'
import { holds } from '@overture/testing/console/holds.ts'
import { describeConsole } from '@overture/testing/console/world.ts'

describeConsole('a company that is paused', (world) => {
  test('takes two clicks from a lead and from a conversation, and is resumed the same way', async () => {
    const { api, url } = world()
    const sender = await makeSender(api)
    const leads = ['ann+reply@prospects.test', 'bea@prospects.test'].map((email) => ({
      email,
      firstName: 'Ann',
      companyDomain: 'acme.test',
    }))
    const one = await makeRunning(api, { name: 'One', sendingAccountIds: [sender.id], leads })
    const two = await makeRunning(api, { name: 'Two', sendingAccountIds: [sender.id], leads: leads.slice(1) })
    await api.sandbox.clock.advance({ by: '1d' })
    const statuses = async () =>
      (await Promise.all([one, two].map(({ id }) => api.campaigns.leads.list(id).toArray())))
        .flat()
        .map(({ status }) => status)
        .toSorted()
    expect(await statuses()).toEqual(['active', 'active', 'replied'])
    const [bea] = await api.campaigns.leads.list(two.id).toArray()

    const page = await world().page({ width: 390 })
    await page.goto(`${url}/app/test/campaigns/${two.id}/leads/${bea!.id}/thread`)
    await page.getByRole('button', { name: 'Pause or resume acme.test' }).click()
    const dialog = page.getByRole('dialog', { name: 'Everyone at acme.test' })
    const resume = dialog.getByRole('button', { name: 'Resume 0 people' })
    await resume.waitFor()
    expect(await resume.getAttribute('aria-disabled')).toBe('true')
    await dialog.getByRole('button', { name: 'Pause 2 people' }).click()
    await dialog.waitFor({ state: 'detached' })
    await holds(async () => (await statuses()).join() === 'paused,paused,replied')

    const [conversation] = await api.conversations.list().toArray()
    await page.goto(`${url}/app/test/inbox/${conversation!.id}?view=all`)
    await page.getByRole('button', { name: 'Pause or resume acme.test' }).click()
    await dialog.getByRole('button', { name: 'Resume 2 people' }).click()
    await dialog.waitFor({ state: 'detached' })
    await holds(async () => (await statuses()).join() === 'active,active,replied')
  })
})
