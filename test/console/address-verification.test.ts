import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { makeDraft, makeSender } from '@overture/testing/console/campaigns.ts'
import { holds } from '@overture/testing/console/holds.ts'
import { describeConsole } from '@overture/testing/console/world.ts'

describeConsole('the verification of addresses', (world) => {
  test('is chosen in the settings, and shown and filtered in the list of leads', async () => {
    const { api, url } = world()
    const sender = await makeSender(api, 'verifies@sender.test')
    const { id } = await makeDraft(api, { name: 'Verified', sendingAccountIds: [sender.id] })
    const leads = ['ada@prospects.test', 'risky@catchall.prospects.test', 'gone@nomx.prospects.test']
    await api.campaigns.leads.add(id, { leads: leads.map((email) => ({ email })) })
    const page = await world().page()
    await page.goto(`${url}/app/test/campaigns/${id}/settings`)
    await page.getByLabel('Send to').selectOption('Only deliverable addresses')
    await page.getByLabel('Don’t write to role addresses').check()
    await page.getByRole('button', { name: 'Save settings' }).click()
    await page.getByText('Settings saved').first().waitFor()
    const { settings } = await api.campaigns.get(id)
    expect(settings.verification).toEqual({ mode: 'require', roleAddresses: 'block' })

    await api.verifications.create({ campaignId: id })
    await api.sandbox.clock.advance({ by: '1m' })
    await page.goto(`${url}/app/test/campaigns/${id}/leads?verification=risky`)
    await page.getByRole('link', { name: 'risky@catchall.prospects.test', exact: true }).waitFor()
    await page.getByTitle('the domain accepts every address').waitFor()
    await holds(async () => (await page.getByRole('link', { name: 'ada@prospects.test', exact: true }).count()) === 0)
    await page.getByLabel('Verification').selectOption('Undeliverable')
    await page.getByRole('link', { name: 'gone@nomx.prospects.test', exact: true }).waitFor()
  })

  test('is started from the list of leads, and its results have reasons', async () => {
    const { api, url } = world()
    const sender = await makeSender(api, 'starts@sender.test')
    const { id } = await makeDraft(api, { name: 'Started', sendingAccountIds: [sender.id] })
    const leads = ['eva@prospects.test', 'more@catchall.prospects.test', 'bob@nomx.prospects.test']
    await api.campaigns.leads.add(id, { leads: leads.map((email) => ({ email })) })
    const page = await world().page()
    await page.goto(`${url}/app/test/campaigns/${id}/leads`)
    await page.getByRole('button', { name: 'Verify addresses' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Verify', exact: true }).click()
    await dialog
      .getByText('0 of 3 addresses verified')
      .or(dialog.getByText('3 addresses verified, 0 credits'))
      .waitFor()
    await api.sandbox.clock.advance({ by: '1m' })
    await dialog.getByText('3 addresses verified, 0 credits charged').waitFor()
    await dialog.getByText('bob@nomx.prospects.test: the domain receives no mail.').waitFor()
    await dialog.getByText('more@catchall.prospects.test: the domain accepts every address.').waitFor()
    await dialog.getByText('Deliverable: 1', { exact: true }).waitFor()
    await page.keyboard.press('Escape')
    await page
      .getByRole('row', { name: /bob@nomx/ })
      .getByText('Undeliverable')
      .waitFor()
  })
})

describeConsole('the proof of an erasure', (world) => {
  test('is listed after a person was erased, and downloaded', async () => {
    const { api, url } = world()
    const sender = await makeSender(api, 'erases@sender.test')
    const { id } = await makeDraft(api, { name: 'Erased', sendingAccountIds: [sender.id] })
    await api.campaigns.leads.add(id, { leads: [{ email: 'greta@prospects.test' }] })
    const [person] = await api.leads.list({ q: 'greta' }).toArray()
    const page = await world().page()
    await page.goto(`${url}/app/test/people/${person?.id}`)
    // The events of the erasure arrive before its answer. The page must not read again what is erased.
    await page.route(`**/v2/leads/${person?.id}`, async (route) => {
      if (route.request().method() !== 'DELETE') return route.fallback()
      const readAgain = page.waitForResponse('**/v2/conversations/counts')
      const response = await route.fetch()
      await readAgain
      return route.fulfill({ response })
    })
    await page.getByRole('button', { name: 'Erase' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Erase' }).click()
    await page.getByRole('heading', { name: 'Erased people' }).waitFor()
    const loading = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download the proof' }).click()
    const file = await (await loading).path()
    expect(readFileSync(file, 'utf8')).not.toContain('greta')
    expect(JSON.parse(readFileSync(file, 'utf8')).removed.lead_profiles).toBe(1)
  })
})
