import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { describeConsole } from '@overture/testing/console/world.ts'

describeConsole('suppression lists', (world) => {
  test('a list is imported from a file, its rejected rows are downloaded, and the page shows the list alone', async () => {
    const { api, url } = world()
    await api.suppressions.create({ email: 'other@example.com' })
    await api.suppressions.create({ email: 'gone@example.com', list: 'customers' })
    const page = await world().page()
    await page.goto(`${url}/app/test/suppressions`)
    await page.getByRole('button', { name: 'Import list' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('CSV or Excel file').setInputFiles({
      name: 'customers.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from('email,expiresAt\nada@example.com,2099-12-31\nno address,\n'),
    })
    await dialog.getByRole('textbox', { name: 'List' }).fill('customers')
    await dialog.getByLabel('Entries of the list that are not in the file').selectOption({ label: 'Remove' })
    await dialog.getByRole('button', { name: 'Import', exact: true }).click()
    await dialog.getByText('1 added, 1 removed, 1 rejected').waitFor()
    const downloading = page.waitForEvent('download')
    await dialog.getByRole('button', { name: 'Download rejected rows' }).click()
    const rejected = await readFile(await (await downloading).path(), 'utf8')
    expect(rejected).toBe('row,reason,email,expiresAt\n2,invalid_email,no address,\n')
    await page.keyboard.press('Escape')
    await page.getByLabel('List', { exact: true }).selectOption({ label: 'customers' })
    const table = page.getByRole('table', { name: 'Suppressions' })
    await table.getByText('ada@example.com').waitFor()
    await table.getByText('other@example.com').waitFor({ state: 'detached' })
    expect(await table.locator('tbody tr').count()).toBe(1)
  })

  test('pasted addresses and domains are added, and what is neither is told', async () => {
    const { url } = world()
    const page = await world().page()
    await page.goto(`${url}/app/test/suppressions`)
    await page.getByRole('button', { name: 'Import list' }).click()
    const dialog = page.getByRole('dialog')
    await dialog
      .getByLabel('Or paste addresses and domains')
      .fill('Ada <pasted@example.com>; second@example.com\npasted-domain.test\nnot an address')
    await dialog.getByRole('textbox', { name: 'List' }).fill('pasted')
    await dialog.getByRole('button', { name: 'Import', exact: true }).click()
    await dialog.getByText('3 added, 0 removed, 1 rejected').waitFor()
    await page.keyboard.press('Escape')
    await page.getByLabel('List', { exact: true }).selectOption({ label: 'pasted' })
    const table = page.getByRole('table', { name: 'Suppressions' })
    for (const entry of ['pasted@example.com', 'second@example.com', 'pasted-domain.test'])
      await table.getByText(entry, { exact: true }).waitFor()
  })
})
