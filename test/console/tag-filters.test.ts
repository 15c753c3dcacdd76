import { expect, test } from 'vitest'
import { makeRunning, makeSender, prospects } from '@overture/testing/console/campaigns.ts'
import { holds } from '@overture/testing/console/holds.ts'
import type { WatchedPage } from '@overture/testing/console/watched-page.ts'
import { describeConsole } from '@overture/testing/console/world.ts'

describeConsole('the filter by tag', (world) => {
  /** A campaign with a lead who replied, has a task, and booked a meeting. */
  async function makeWorkedCampaign(name: string): Promise<string> {
    const { api } = world()
    const sender = await makeSender(api, `${name.toLowerCase()}@sender.test`)
    const campaign = await makeRunning(api, {
      name,
      sendingAccountIds: [sender.id],
      leads: prospects(1, name.toLowerCase()),
    })
    await api.sandbox.clock.advance({ by: '1h' })
    const [lead] = await api.campaigns.leads.list(campaign.id).toArray()
    await api.sandbox.inbound({ leadId: lead!.id, kind: 'reply', text: `Words of ${name}.` })
    await api.tasks.create({ channel: 'call', title: `Call ${name}`, leadId: lead!.id })
    const { now } = await api.sandbox.clock.get()
    const [startAt, endAt] = [48, 49].map((hours) => new Date(Date.parse(now) + hours * 3_600_000).toISOString())
    await api.meetings.create({ leadId: lead!.id, title: `Meeting with ${name}`, startAt: startAt!, endAt: endAt! })
    return campaign.id
  }

  /** Chooses the tag on a page and returns when only the row with the first text is left. */
  async function filter(page: WatchedPage, path: string, [kept, gone]: readonly [string, string]): Promise<void> {
    await page.goto(`${world().url}/app/test/${path}`)
    const texts = [kept, gone].map((text) => page.getByRole('main').getByText(text).first())
    await Promise.all(texts.map((text) => text.waitFor()))
    await page.getByLabel('Tag', { exact: true }).selectOption({ label: 'Client' })
    await texts[1]!.waitFor({ state: 'detached' })
    await texts[0]!.waitFor()
    expect(await page.accessibility()).toEqual([])
  }

  test('narrows inbox, meetings, tasks, analytics and reports', async () => {
    const { api, url } = world()
    await api.sandbox.clock.set({ frozen: true })
    const campaignId = await makeWorkedCampaign('Ours')
    await makeWorkedCampaign('Theirs')
    const page = await world().page()
    await page.goto(`${url}/app/test/meetings`)
    await page.getByText('Meeting with Theirs').waitFor()
    // There is nothing to choose yet.
    expect(await page.getByLabel('Tag', { exact: true }).count()).toBe(0)
    const tag = await api.tags.create({ name: 'Client' })
    await api.tags.create({ name: 'Empty' })
    await api.tags.assign(tag.id, { ids: [campaignId] })
    await holds(async () => (await api.conversations.list()).results.length === 2)

    await filter(page, 'meetings', ['Meeting with Ours', 'Meeting with Theirs'])
    await filter(page, 'analytics', ['Ours', 'Theirs'])
    await page.getByText(/^1 person contacted: 1 replied, 1 booked a meeting/).waitFor()
    await page.getByLabel('Tag', { exact: true }).selectOption({ label: 'Empty' })
    await page.getByRole('heading', { name: 'Nothing was sent with this tag' }).waitFor()
    await filter(page, 'inbox', ['Meeting with Ours', 'Meeting with Theirs'])
    await page.getByLabel('Tag', { exact: true }).selectOption({ label: 'Empty' })
    await page.getByRole('heading', { name: 'No conversations match' }).waitFor()

    // The views keep the filter.
    await page
      .getByRole('navigation', { name: 'Views' })
      .getByRole('link', { name: /^Unread/ })
      .click()
    await page.getByRole('heading', { name: 'No conversations match' }).waitFor()
    expect(await page.getByLabel('Tag', { exact: true }).locator('option:checked').innerText()).toBe('Empty')

    await page.goto(`${url}/app/test/tasks`)
    await page.getByText('1 of 2').waitFor()
    await page.getByLabel('Tag', { exact: true }).selectOption({ label: 'Client' })
    await page.getByText('1 of 1').waitFor()
    await page.getByText('Call Ours').first().waitFor()
    await page.getByLabel('Tag', { exact: true }).selectOption({ label: 'Empty' })
    await page.getByRole('heading', { name: 'No tasks match' }).waitFor()

    await page.goto(`${url}/app/test/reports`)
    await page.getByRole('main').getByRole('button', { name: 'New report' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('Client of the week')
    await dialog.getByLabel('Tag', { exact: true }).selectOption({ label: 'Client' })
    await dialog.getByRole('button', { name: 'Create report' }).click()
    await page.getByText('only of campaigns and senders with the tag “Client”').waitFor()
    const [report] = await api.reports.list().toArray()
    expect(report!.query).toEqual({ groupBy: 'campaign', tagId: tag.id })
    if (process.env['LOOK'] !== undefined) {
      await page.goto(`${url}/app/test/inbox?tag=${tag.id}`)
      await page.getByText('Meeting with Ours').first().waitFor()
      await page.screenshot({ path: `${process.env['LOOK']}/inbox-tag.png` })
      await page.goto(`${url}/app/test/analytics?tag=${tag.id}`)
      await page.getByText(/^1 person contacted: 1 replied, 1 booked a meeting/).waitFor()
      await page.screenshot({ path: `${process.env['LOOK']}/analytics-tag.png` })
    }
    // A tag that was deleted can be taken out of the filter, also if it was the only one.
    for (const one of await api.tags.list().toArray()) await api.tags.delete(one.id)
    await page.goto(`${url}/app/test/meetings/list?tag=${tag.id}`)
    await page.getByRole('heading', { name: 'No meetings match' }).waitFor()
    const deleted = page.getByLabel('Tag', { exact: true })
    await deleted.getByRole('option', { name: 'A tag that was deleted' }).waitFor({ state: 'attached' })
    await deleted.selectOption({ label: 'Any tag' })
    await page.getByText('Meeting with Theirs').waitFor()
    expect(await deleted.count()).toBe(0)
  })
})
