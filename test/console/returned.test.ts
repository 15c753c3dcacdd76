import { expect, test } from 'vitest'
import { makeRunning, makeSender, prospects } from '@overture/testing/console/campaigns.ts'
import { describeConsole } from '@overture/testing/console/world.ts'

describeConsole('campaigns with returned messages', (world) => {
  test('are shown on Home with one request, and their messages are resolved from there', async () => {
    const { api, url } = world()
    const sender = await makeSender(api)
    await api.sandbox.clock.set({ frozen: true })
    const [spring, summer] = [
      await makeRunning(api, { name: 'Spring', sendingAccountIds: [sender.id], leads: prospects(2, 'quota') }),
      await makeRunning(api, { name: 'Summer', sendingAccountIds: [sender.id], leads: prospects(1, 'quota', 10) }),
    ]
    await api.sandbox.clock.advance({ by: '1d' })
    expect((await api.account.summary()).returned).toEqual([
      { campaignId: spring.id, name: 'Spring', leads: 2 },
      { campaignId: summer.id, name: 'Summer', leads: 1 },
    ])
    const page = await world().page()
    const requested: string[] = []
    page.on('request', (request) => requested.push(request.url()))
    await page.goto(`${url}/app/test`)
    const list = page.getByRole('list', { name: 'Needs attention' })
    await list.getByText('Spring: 2 messages were returned because of a sender.').waitFor()
    await list.getByText('Summer: 1 message was returned because of a sender.').waitFor()
    expect(
      requested.filter((one) => one.includes('blockedReason=returned') || one.includes('message.returned')),
    ).toEqual([])

    const row = list.getByRole('listitem').filter({ hasText: 'Spring' })
    await row.getByRole('link', { name: 'Open' }).click()
    await page.getByRole('button', { name: 'Skip' }).first().click()
    const dialog = page.getByRole('alertdialog')
    await dialog.getByRole('button', { name: 'Skip' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'Home' }).first().click()
    await list.getByText('Summer: 1 message was returned because of a sender.').waitFor()
    await row.waitFor({ state: 'detached' })
  })
})
