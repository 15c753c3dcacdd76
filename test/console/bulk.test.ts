import type { Campaign } from '@overture/sdk'
import { beforeAll, expect, test } from 'vitest'
import { makeRunning, makeSender, prospects } from '@overture/testing/console/campaigns.ts'
import { holds } from '@overture/testing/console/holds.ts'
import { describeConsole } from '@overture/testing/console/world.ts'

describeConsole('bulk actions', (world) => {
  let campaign: Campaign
  beforeAll(async () => {
    const { api } = world()
    const sender = await makeSender(api)
    campaign = await makeRunning(api, {
      name: 'Many',
      sendingAccountIds: [sender.id],
      leads: [...prospects(4, 'reply'), ...prospects(6, '', 4)],
    })
    await api.sandbox.clock.advance({ by: '2d' })
    await api.sandbox.clock.set({ frozen: true })
  })

  test('selected leads are paused with the reasons for skipped ones, and Undo resumes them', async () => {
    const { api, url } = world()
    const page = await world().page()
    await page.goto(`${url}/app/test/campaigns/${campaign.id}/leads`)
    const table = page.getByRole('table', { name: 'Leads' })
    for (const email of ['person0+reply@', 'person5@', 'person6@'])
      await table.getByRole('checkbox', { name: `Select ${email}` }).click()
    const chosen = page.getByRole('region', { name: 'Actions for selected leads' })
    await chosen.getByText('3 selected').waitFor()
    expect(await page.accessibility()).toEqual([])
    await chosen.getByRole('button', { name: 'Pause', exact: true }).click()
    // The message stays while the pointer is over it, so that the user can undo.
    await page.getByText('2 updated · 1 skipped: Replied').hover()
    const paused = async () => (await api.campaigns.leads.list(campaign.id, { status: 'paused' }).toArray()).length
    expect(await paused()).toBe(2)
    expect(await chosen.count()).toBe(0)
    await page.getByRole('button', { name: 'Undo' }).click()
    await holds(async () => (await paused()) === 0)
  })

  test('all leads of a filter are stopped after a confirmation with their number', async () => {
    const { api, url } = world()
    const page = await world().page()
    await page.goto(`${url}/app/test/campaigns/${campaign.id}/leads?status=active`)
    const fitting = (await api.campaigns.leads.list(campaign.id, { status: 'active' }).toArray()).length
    expect(fitting).toBeGreaterThan(1)
    const table = page.getByRole('table', { name: 'Leads' })
    await table.getByRole('checkbox').first().click()
    const chosen = page.getByRole('region', { name: 'Actions for selected leads' })
    await chosen.getByRole('button', { name: `Select all ${fitting}` }).click()
    await chosen.getByText(`All ${fitting} matching leads`).waitFor()
    await chosen.getByRole('button', { name: 'Stop' }).click()
    const dialog = page.getByRole('alertdialog', { name: `Change ${fitting} leads?` })
    await holds(() =>
      dialog
        .getByRole('button', { name: 'Cancel' })
        .evaluate((button) => button === button.ownerDocument.activeElement),
    )
    await dialog.getByRole('button', { name: `Stop ${fitting}` }).click()
    await page.getByText(`${fitting} updated`).waitFor()
    expect(await page.getByRole('button', { name: 'Undo' }).count()).toBe(0)
    expect(await api.campaigns.leads.list(campaign.id, { status: 'stopped' }).toArray()).toHaveLength(fitting)
  })

  test('conversations are labelled and archived together, also by keys, and Undo restores each', async () => {
    const { api, url } = world()
    const states = async () =>
      (await Promise.all([api.conversations.list().toArray(), api.conversations.list({ archived: true }).toArray()]))
        .flat()
        .map(({ id, archived, interest }) => JSON.stringify([id, archived, interest]))
        .toSorted()
    const [one] = await api.conversations.list().toArray()
    await api.conversations.update(one!.id, { interest: 'won' })
    const before = await states()
    const page = await world().page()
    await page.goto(`${url}/app/test/inbox?view=all`)
    const list = page.getByRole('list', { name: 'Conversations' })
    await list.getByRole('link').first().waitFor()
    await page.keyboard.press('j')
    await holds(async () => (await list.locator('[aria-current]').count()) === 1)
    await page.keyboard.press('x')
    const chosen = page.getByRole('region', { name: 'Actions for selected conversations' })
    await chosen.getByText('1 selected').waitFor()
    await chosen.getByRole('button', { name: `Select all ${before.length} here` }).click()
    expect(await page.accessibility()).toEqual([])
    await chosen.getByLabel('Label').selectOption({ label: 'Not interested' })
    await page.getByText(`${before.length} updated`).hover()
    await holds(async () => (await states()).every((state) => state.includes('not_interested')))
    await page.getByRole('button', { name: 'Undo' }).click()
    await holds(async () => JSON.stringify(await states()) === JSON.stringify(before))

    await list.getByRole('checkbox').first().click()
    await list.getByRole('checkbox').nth(1).click()
    await chosen.getByRole('button', { name: 'Archive' }).click()
    await holds(async () => (await api.conversations.list({ archived: true }).toArray()).length === 2)
    await page.getByRole('button', { name: 'Undo' }).last().click()
    await holds(async () => JSON.stringify(await states()) === JSON.stringify(before))
  })
})
