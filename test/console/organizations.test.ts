import { expect, test } from 'vitest'
import { describeConsole } from '@overture/testing/console/world.ts'
import { holds } from '@overture/testing/console/holds.ts'

describeConsole('a connected organization', (world) => {
  test('is connected by an administrator, who checks a mailbox and adds addresses', async () => {
    const { api, url } = world()
    const page = await world().page()
    await page.goto(`${url}/app/test/sending-accounts`)
    await page.getByRole('link', { name: 'Connect a whole organization' }).click()
    await page.getByLabel('Directory (tenant) ID').fill('contoso')
    await page.getByLabel('Application (client) ID').fill('33333333-aaaa-4bbb-8ccc-0123456789ab')
    await page.getByLabel('Value of the client secret').fill('a secret')
    page.expectProblem(/status of 400/)
    await page.getByRole('button', { name: 'Connect', exact: true }).click()
    await holds(async () => (await page.getByLabel('Directory (tenant) ID').getAttribute('aria-invalid')) === 'true')
    await page.getByLabel('Directory (tenant) ID').fill('11111111-aaaa-4bbb-8ccc-0123456789ab')
    await page.getByRole('button', { name: 'Connect', exact: true }).click()
    await page.getByText('11111111-aaaa-4bbb-8ccc-0123456789ab was connected').waitFor()
    expect(await page.getByLabel('Value of the client secret').inputValue()).toBe('')

    await page.getByLabel('Email address', { exact: true }).fill('mara@contoso.test')
    await page.getByRole('button', { name: 'Check the login' }).click()
    const checks = page.getByRole('list', { name: 'Checks' }).getByRole('listitem')
    await holds(async () => (await checks.count()) === 5)

    await page.getByLabel('Email addresses').fill('Mara Lind <mara@contoso.test>\nno address\nMARA@contoso.test')
    await page.getByRole('button', { name: 'Add mailboxes' }).first().click()
    await page.getByText('1 connected, 1 already existed, 1 not valid').waitFor()
    const results = page.getByRole('list', { name: 'Results' }).getByRole('listitem')
    expect((await results.allInnerTexts()).map((line) => line.split('\n')[0])).toEqual([
      'Connected',
      'Not valid',
      'Already exists',
    ])
    const [sender] = await api.sendingAccounts.list({ q: 'mara@contoso.test' }).toArray()
    expect(sender).toMatchObject({ fromName: 'Mara Lind', provider: 'microsoft', status: 'active' })
    await results.getByRole('link').first().click()
    await page.getByRole('heading', { name: 'mara@contoso.test', level: 1 }).waitFor()
    await page.getByText('This account logs in through the connection of its organization.').waitFor()
    await page.getByRole('link', { name: 'Connected organizations' }).click()
    await page.getByRole('heading', { name: 'Connect a whole organization', level: 1 }).waitFor()

    const row = page.getByRole('row', { name: /11111111-aaaa/ })
    await row.getByText('No shared limit').waitFor()
    await row.getByRole('button', { name: 'Set the limit' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText(/Microsoft allows 10,000 a day/).waitFor()
    await dialog.getByLabel('Recipients per day').fill('8000')
    await dialog.getByRole('button', { name: 'Save the limit' }).click()
    await row.getByText('8,000').waitFor()
    const [connection] = await api.tenantConnections.list().toArray()
    expect(connection?.dailyExternalRecipients).toBe(8_000)
  })
})
