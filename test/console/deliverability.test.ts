import { expect, test } from 'vitest'
import { makeDraft, makeSender, prospects } from '@overture/testing/console/campaigns.ts'
import { holds } from '@overture/testing/console/holds.ts'
import { describeConsole } from '@overture/testing/console/world.ts'
import { dmarcSamples, gzipped } from '@overture/testing/deliverability/dmarc-samples.ts'

describeConsole('deliverability', (world) => {
  test('shows the domains, takes a report, and shows it as a chart and a table', async () => {
    const { api, url } = world()
    const { email } = await makeSender(api)
    const domain = email.split('@')[1]!
    const beginsAt = Math.floor(Date.now() / 1_000) - 2 * 86_400
    const xml = dmarcSamples.google({ domain, id: 'shown', beginsAt, endsAt: beginsAt + 3_600, policy: 'quarantine' })
    const page = await world().page()
    await page.goto(`${url}/app/test/`)
    await page.getByRole('link', { name: 'Deliverability' }).click()
    await page.getByRole('button', { name: 'Upload a DMARC report' }).click()
    const file = { name: 'report.xml.gz', mimeType: 'application/gzip', buffer: gzipped(xml) }
    await page.getByLabel('Report file').setInputFiles(file)
    await page.getByRole('button', { name: 'Upload', exact: true }).click()
    await page.getByText('Report saved').first().waitFor()

    await page.getByRole('link', { name: domain, exact: true }).click()
    await page
      .getByText('17 messages reported, 15 passed DMARC. The policy in the last report is quarantine.')
      .waitFor()
    const figure = page.getByRole('figure', { name: 'What receivers report' })
    await figure.getByRole('button', { name: 'Show as table' }).click()
    expect(await figure.getByRole('table').getByRole('row').allInnerTexts()).toHaveLength(2)
    const sources = page.getByRole('table', { name: 'Sending addresses' })
    expect(await sources.getByRole('row').allInnerTexts()).toHaveLength(4)
    await page.getByRole('link', { name: email }).waitFor()
  })

  test('the recipients per day of a domain are set, refused below one, and removed', async () => {
    const { api, url } = world()
    const { email } = await makeSender(api, 'ada@budget.test')
    const domain = email.split('@')[1]!
    const limit = async () => (await api.deliverability.domains.get(domain)).dailyExternalRecipients
    const page = await world().page()
    await page.goto(`${url}/app/test/deliverability/${domain}`)
    const field = page.getByRole('spinbutton', { name: 'Recipients per day' })
    expect(await field.inputValue()).toBe('')
    page.expectProblem(/status of 400/)
    await field.fill('0')
    await page.getByRole('button', { name: 'Save the limit' }).click()
    await holds(async () => (await field.getAttribute('aria-invalid')) === 'true')
    await field.fill('120')
    await page.getByRole('button', { name: 'Save the limit' }).click()
    await holds(async () => (await limit()) === 120)
    await page.reload()
    expect(await field.inputValue()).toBe('120')
    await field.fill('')
    await page.getByRole('button', { name: 'Save the limit' }).click()
    await holds(async () => (await limit()) === null)
  })

  test('a placement test starts from a step in two clicks, and its page and the chart of the domain show the results', async () => {
    const { api, url } = world()
    const [sender] = (await api.sendingAccounts.list().page()).results
    const { id: senderId, email } = sender ?? (await makeSender(api))
    const { id } = await makeDraft(api, { name: 'Placed', sendingAccountIds: [senderId], leads: prospects(1, '') })
    const page = await world().page()
    await page.goto(`${url}/app/test/settings/seeds`)
    for (const address of ['a+inbox@seeds.test', 'a+spam@seeds.test']) {
      await page.getByRole('button', { name: 'Add a seed mailbox' }).first().click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Address').fill(address)
      await dialog.getByRole('button', { name: 'Add a seed mailbox' }).click()
      await page.getByRole('cell', { name: address }).waitFor()
    }

    await page.goto(`${url}/app/test/campaigns/${id}/steps`)
    await page.getByRole('button', { name: 'Placement test' }).first().click()
    await page.getByRole('button', { name: 'Start the test' }).click()
    await page.getByText('0 of 2 messages have a result.').waitFor()
    await api.sandbox.clock.advance({ by: '1h' })
    await page.getByText('2 of 2 messages have a result.').waitFor()
    await page.getByRole('table', { name: 'Results' }).getByText('Spam', { exact: true }).waitFor()

    await page.goto(`${url}/app/test/deliverability/${email.split('@')[1]}`)
    await page.getByText('1 of 2 test messages were in the inbox, 1 in spam.').waitFor()
    const figure = page.getByRole('figure', { name: 'Placement over time' })
    await figure.getByRole('button', { name: 'Show as table' }).click()
    expect(await figure.getByRole('table').getByRole('row').allInnerTexts()).toHaveLength(2)
  })

  test('a campaign chooses senders by the provider of the recipient', async () => {
    const { api, url } = world()
    const { id } = await makeDraft(api, { name: 'Matched', sendingAccountIds: [] })
    const page = await world().page()
    await page.goto(`${url}/app/test/campaigns/${id}/settings`)
    await page.getByLabel('Sender of the first message').selectOption('Only a sender at the same provider. Others wait')
    await page.getByRole('button', { name: 'Save settings' }).click()
    await page.getByText('Settings saved').first().waitFor()
    expect((await api.campaigns.get(id)).settings.providerMatching).toBe('strict')
  })
})
