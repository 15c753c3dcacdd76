import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { makeDraft } from '@overture/testing/console/campaigns.ts'
import { describeConsole } from '@overture/testing/console/world.ts'

const rows = 1_000
const bad = 7
const rowsInPageMax = 60

describeConsole('importing leads', (world) => {
  test('a thousand rows with semicolons and seven invalid rows: counted, with the refused rows as a file', async () => {
    const { api, url } = world()
    const campaign = await makeDraft(api, { name: 'Imported', sendingAccountIds: [] })
    const lines = Array.from({ length: rows }, (_none, index) =>
      index < bad ? `not an address ${index};X;Y` : `person${index}@example.com;Person ${index};Company`,
    )
    const page = await world().page()
    await page.goto(`${url}/app/test/campaigns/${campaign.id}/leads/import`)
    await page.getByLabel('CSV or Excel file').setInputFiles({
      name: 'people.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(['email;first name;company', ...lines].join('\n')),
    })
    const becomes = (title: string) => page.getByLabel(`Column ${title} becomes`)
    await becomes('email').waitFor()
    const guessed = await Promise.all(['email', 'first name', 'company'].map((title) => becomes(title).inputValue()))
    expect(guessed).toEqual(['email', 'firstName', 'company'])
    await page.getByText('7 of 1,000 checked rows can’t be imported.').waitFor()
    await page.getByText('Row 2, column email:').first().waitFor()
    await becomes('company').selectOption({ label: 'Do not import' })
    await page.getByRole('button', { name: 'Import leads' }).click()
    await page.getByRole('progressbar', { name: 'Importing' }).waitFor()
    await page.getByText('993 added, 7 rejected').waitFor()
    await page.getByRole('heading', { name: 'Imported', exact: true }).waitFor()
    const rejected = page.getByRole('list', { name: 'Rejected rows' }).getByRole('listitem')
    await rejected.first().waitFor()
    expect(await rejected.count()).toBe(bad)
    expect(await rejected.first().innerText()).toContain('Row 2: not an email address.')
    const downloading = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download rejected rows' }).click()
    const refused = await readFile(await (await downloading).path(), 'utf8')
    expect(refused.trim().split('\n')).toHaveLength(bad + 1)
    expect((await api.campaigns.get(campaign.id)).leadCount).toBe(rows - bad)
    const [lead] = await api.campaigns.leads
      .list(campaign.id, { limit: 1 })
      .page()
      .then(({ results }) => results)
    expect([lead!.firstName?.startsWith('Person '), lead!.company]).toEqual([true, null])

    await page.goto(`${url}/app/test/campaigns/${campaign.id}/leads`)
    const table = page.getByRole('table', { name: 'Leads' })
    await table.waitFor()
    expect(await table.getAttribute('aria-rowcount')).toBe(String(rows - bad + 1))
    expect(await table.locator('tbody tr').count()).toBeLessThan(rowsInPageMax)
  })

  test('columns that mean the same field become variables', async () => {
    const { api, url } = world()
    const campaign = await makeDraft(api, { name: 'Twice', sendingAccountIds: [] })
    const page = await world().page()
    await page.goto(`${url}/app/test/campaigns/${campaign.id}/leads/import`)
    await page.getByLabel('CSV or Excel file').setInputFiles({
      name: 'twice.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from('Work email,Email,Title,Position,,\nw@example.com,home@example.com,CEO,Founder,a note,\n'),
    })
    const becomes = (title: string) => page.getByLabel(`Column ${title} becomes`)
    await becomes('Email').waitFor()
    const guessed = await page.getByRole('list', { name: 'Columns' }).getByRole('combobox').all()
    expect(await Promise.all(guessed.map((one) => one.inputValue()))).toEqual([
      'customVariables.WorkEmail',
      'email',
      'jobTitle',
      'customVariables.Position',
      'customVariables.column5',
    ])
    await page.getByLabel('Column 5, without a title, becomes').selectOption({ label: 'First name' })
    await becomes('Position').selectOption({ label: 'First name' })
    await page.getByText('Another column has this field, too. Choose another field.').nth(1).waitFor()
    await page.getByText('Two columns have the same field. Choose another field for one of them.').waitFor()
    await becomes('Position').selectOption({ label: 'Custom variable Position' })
    await page.getByRole('button', { name: 'Import leads' }).click()
    await page.getByText('1 added').first().waitFor()
    const { results } = await api.campaigns.leads.list(campaign.id).page()
    expect(results).toMatchObject([
      {
        email: 'home@example.com',
        jobTitle: 'CEO',
        firstName: 'a note',
        customVariables: { WorkEmail: 'w@example.com', Position: 'Founder' },
      },
    ])
  })

  test('leaves out people of another campaign, and adds them when the user says so', async () => {
    const { api, url } = world()
    const earlier = await makeDraft(api, { name: 'Earlier', sendingAccountIds: [] })
    await api.campaigns.leads.add(earlier.id, { leads: [{ email: 'met@example.com' }] })
    const campaign = await makeDraft(api, { name: 'Later', sendingAccountIds: [] })
    const leadCount = async () => (await api.campaigns.get(campaign.id)).leadCount
    const page = await world().page()
    await page.goto(`${url}/app/test/campaigns/${campaign.id}/leads/import`)
    const buffer = Buffer.from('email\nmet@example.com\nnew@example.com\n')
    await page.getByLabel('CSV or Excel file').setInputFiles({ name: 'people.csv', mimeType: 'text/csv', buffer })
    await page.getByRole('button', { name: 'Import leads' }).click()
    const question = page.getByText('One person is or was in another campaign, and was left out.')
    await question.waitFor()
    expect(await leadCount()).toBe(1)
    expect(await page.accessibility()).toEqual([])
    await page.getByRole('button', { name: 'Add 1 person' }).click()
    await question.waitFor({ state: 'detached' })
    await page.getByText('1 added, 0 rejected').waitFor()
    await page.getByText('1 skipped: the address is already a lead').waitFor()
    expect(await leadCount()).toBe(2)
  })

  test('verifies the addresses after the import if the user asks for it', async () => {
    const { api, url } = world()
    const campaign = await makeDraft(api, { name: 'Verified', sendingAccountIds: [] })
    const page = await world().page()
    await page.goto(`${url}/app/test/campaigns/${campaign.id}/leads/import`)
    const buffer = Buffer.from('email\nada@nomx.prospects.test\n')
    await page.getByLabel('CSV or Excel file').setInputFiles({ name: 'people.csv', mimeType: 'text/csv', buffer })
    await page.getByRole('checkbox', { name: 'Verify the addresses' }).check()
    await page.getByRole('button', { name: 'Import leads' }).click()
    await page.getByText('1 added').waitFor()
    const firstLead = async () => {
      const { results } = await api.campaigns.leads.list(campaign.id, { limit: 1 }).page()
      return results[0]?.verification?.result
    }
    await expect.poll(firstLead, { timeout: 60_000 }).toBe('undeliverable')
  })
})
