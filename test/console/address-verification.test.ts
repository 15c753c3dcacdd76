import { expect, test } from 'vitest'
import { makeDraft, makeSender } from '@overture/testing/console/campaigns.ts'
import { holds } from '@overture/testing/console/holds.ts'
import { describeConsole } from '@overture/testing/console/world.ts'

describeConsole('the verification of addresses', (world) => {
  test('is chosen in the settings, and shown and filtered in the list of leads', async () => {
    const { api, url } = world()
    const sender = await makeSender(api)
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
})
