import { expect, test } from 'vitest'
import { describeConsole } from '@overture/testing/console/world.ts'

describeConsole('lists and tags', (world) => {
  test('a list is created, filled from a file and followed by a campaign, and a member is removed', async () => {
    const { api, url } = world()
    const campaign = await api.campaigns.create({ name: 'Spring' })
    const page = await world().page()
    await page.goto(`${url}/app/test/lists`)
    await page.getByRole('button', { name: 'Create list' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('Visitors')
    await dialog.getByRole('button', { name: 'Create list' }).click()
    await page.getByRole('heading', { name: 'Visitors' }).waitFor()
    await page.getByRole('button', { name: 'Import people' }).click()
    await dialog.getByLabel('CSV or Excel file').setInputFiles({
      name: 'people.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from('email,first name\nada@example.com,Ada\nbo@example.com,Bo\nno address,\n'),
    })
    await dialog.getByRole('button', { name: 'Import', exact: true }).click()
    await dialog.getByText('2 added, 0 updated, 1 rejected').waitFor()
    await page.keyboard.press('Escape')
    const members = page.getByRole('table', { name: 'Members' })
    await members.getByText('ada@example.com').waitFor()

    await page.goto(`${url}/app/test/campaigns/${campaign.id}/leads`)
    await page.getByRole('button', { name: 'Follow a list' }).click()
    await dialog.getByLabel('Lists').selectOption({ label: 'Visitors' })
    await dialog.getByRole('button', { name: 'Save' }).click()
    const leads = async () => (await api.campaigns.get(campaign.id)).leadCount
    await expect.poll(leads, { timeout: 60_000 }).toBe(2)

    await page.goto(`${url}/app/test/lists`)
    await page.getByRole('link', { name: 'Visitors' }).click()
    await page.getByText('2 became leads, 0 skipped').waitFor()
    await members.getByRole('button', { name: 'Remove' }).first().click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
    await page.getByText('Still a lead of Spring').waitFor()
    await members.getByText('ada@example.com').waitFor({ state: 'detached' })
  })

  test('a new tag is given to a campaign, and the campaigns are filtered by it', async () => {
    const { api, url } = world()
    const campaign = await api.campaigns.create({ name: 'Tagged campaign' })
    await api.campaigns.create({ name: 'Plain campaign' })
    const page = await world().page()
    await page.goto(`${url}/app/test/campaigns/${campaign.id}/overview`)
    await page.getByRole('textbox', { name: 'New tag' }).fill('Trade fair')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByRole('button', { name: 'Remove Trade fair' }).waitFor()
    await page.goto(`${url}/app/test/campaigns`)
    await page.getByText('Plain campaign').waitFor()
    await page.getByLabel('Tag', { exact: true }).selectOption({ label: 'Trade fair' })
    await page.getByText('Plain campaign').waitFor({ state: 'detached' })
    await page.getByText('Tagged campaign').waitFor()
  })
})
