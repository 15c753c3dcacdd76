import { expect, test } from 'vitest'
import { makeDraft } from '@overture/testing/console/campaigns.ts'
import { holds } from '@overture/testing/console/holds.ts'
import { describeConsole } from '@overture/testing/console/world.ts'
import { makeWorkbook } from '@overture/testing/workbook.ts'

const text = (value: string) => `<c t="inlineStr"><is><t>${value}</t></is></c>`
const rows = (...values: string[]) => values.map((value) => `<row>${text(value)}</row>`).join('')
const file = {
  name: 'people.xlsx',
  mimeType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  buffer: Buffer.from(
    makeWorkbook({
      sheets: {
        Partners: rows('email', 'partner@example.com'),
        Visitors: rows('email', 'ada@example.com', 'bo@example.com'),
      },
    }),
  ),
}
const single = { ...file, buffer: Buffer.from(makeWorkbook({ sheets: { Only: rows('email', 'cy@example.com') } })) }

describeConsole('the sheets of a workbook', (world) => {
  test('leads are imported from the first sheet, or from another one that the user chooses', async () => {
    const { api, url } = world()
    const campaign = await makeDraft(api, { name: 'Fair', sendingAccountIds: [] })
    const page = await world().page()
    await page.goto(`${url}/app/test/campaigns/${campaign.id}/leads/import`)
    const upload = page.getByLabel('CSV or Excel file')
    await upload.setInputFiles(single)
    await page.getByText('cy@example.com').waitFor()
    expect(await page.getByLabel('Sheet').count()).toBe(0)
    await upload.setInputFiles(file)
    await page.getByText('partner@example.com').waitFor()
    expect(await page.getByLabel('Sheet').inputValue()).toBe('Partners')
    expect(await page.getByLabel('File encoding').count()).toBe(0)
    await page.getByLabel('Sheet').selectOption({ label: 'Visitors' })
    await page.getByText('ada@example.com, bo@example.com').waitFor()
    await page.getByRole('button', { name: 'Import leads' }).click()
    await page.getByText('2 added, 0 rejected').waitFor()
    const leads = await api.campaigns.leads.list(campaign.id).toArray()
    expect(leads.map(({ email }) => email).toSorted()).toEqual(['ada@example.com', 'bo@example.com'])
  })

  test('members of a list and suppressions are imported from the chosen sheet', async () => {
    const { api, url } = world()
    const list = await api.lists.create({ name: 'Visitors' })
    const page = await world().page()
    await page.goto(`${url}/app/test/lists/${list.id}`)
    await page.getByRole('button', { name: 'Import people' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('CSV or Excel file').setInputFiles(file)
    await dialog.getByLabel('Sheet').selectOption({ label: 'Visitors' })
    await dialog.getByRole('button', { name: 'Import', exact: true }).click()
    await dialog.getByText('2 added, 0 updated, 0 rejected').waitFor()
    const members = await api.lists.members.list(list.id).toArray()
    expect(members.map(({ email }) => email)).toEqual(['ada@example.com', 'bo@example.com'])

    await page.goto(`${url}/app/test/suppressions`)
    await page.getByRole('button', { name: 'Import list' }).click()
    await dialog.getByLabel('CSV or Excel file').setInputFiles(file)
    await holds(async () => (await dialog.getByLabel('Sheet').inputValue()) === 'Partners')
    await dialog.getByLabel('List', { exact: true }).fill('Partners of ours')
    await dialog.getByRole('button', { name: 'Import', exact: true }).click()
    await dialog.getByText('1 added, 0 removed, 0 rejected').waitFor()
    const suppressed = await api.suppressions.list().toArray()
    expect(suppressed.map(({ email }) => email)).toEqual(['partner@example.com'])
  })

  test('a workbook that can’t be read is explained', async () => {
    const { api, url } = world()
    const list = await api.lists.create({ name: 'Unreadable' })
    const page = await world().page()
    page.expectProblem(/status of 400/)
    await page.goto(`${url}/app/test/lists/${list.id}`)
    await page.getByRole('button', { name: 'Import people' }).click()
    const hidden = makeWorkbook({ sheets: { One: rows('email') }, hidden: ['One'] })
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('CSV or Excel file').setInputFiles({ ...file, buffer: Buffer.from(hidden) })
    await dialog.getByText('All sheets of the workbook are hidden.').waitFor()
  })
})
