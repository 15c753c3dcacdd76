import { expect, test } from 'vitest'
import { holds } from '@overture/testing/console/holds.ts'
import { makeDraft, makeRunning, makeSender, prospects } from '@overture/testing/console/campaigns.ts'
import { describeConsole } from '@overture/testing/console/world.ts'

const twoSteps = [
  { variants: [{ subject: 'Hello {{ firstName }}', body: 'How is {{ company }}?' }] },
  { waitBefore: { value: 1, unit: 'days' as const }, variants: [{ body: 'Is {{ Plan }} right?' }] },
]

describeConsole('the way to live mail', (world) => {
  test('blockers of live mail are sentences with a button, on Home and in the review', async () => {
    const { live, url } = world()
    const sender = await live.sendingAccounts.create({
      email: 'live@example.com',
      fromName: 'Live',
      provider: 'smtp',
      smtp: { host: 'smtp.example.com', port: 587, security: 'starttls', username: 'u', password: 'p' },
    })
    const leads = [{ email: 'someone@example.com', firstName: 'Someone' }]
    const campaign = await makeDraft(live, { name: 'Live one', sendingAccountIds: [sender.id], leads })
    const page = await world().page({ width: 1360 })
    const address = 'Add your postal address. The law asks for one at the end of commercial mail.'
    await page.goto(`${url}/app/live`)
    const setup = page.getByRole('list', { name: 'Get started' })
    await setup.getByRole('link', { name: address }).waitFor()
    await setup.getByText('Recipients cannot open your links yet').waitFor()
    await page.goto(`${url}/app/live/campaigns/${campaign.id}/review`)
    const blockers = page.getByRole('list', { name: 'Blockers' })
    await blockers.getByText('this server has no public https address').waitFor()
    await blockers.getByRole('button', { name: 'Copy the instruction for your admin' }).click()
    expect(await page.evaluate('navigator.clipboard.readText()')).toContain('OVERTURE_PUBLIC_URL')
    await blockers.getByText(address).waitFor()
    await blockers.getByRole('link', { name: 'Add address' }).click()
    const field = page.getByLabel('Postal address')
    await holds(() => field.evaluate((element) => element === element.ownerDocument.activeElement))
    await field.fill('1 High Street, London')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Saved', { exact: true }).waitFor()
    await page.goto(`${url}/app/live/campaigns/${campaign.id}/review`)
    await holds(async () => (await blockers.getByRole('listitem').count()) === 1)
  })

  test('the review counts the people who get mail, names the others, and opens the overview after the launch', async () => {
    const { api, url } = world()
    await api.sandbox.clock.set({ frozen: true })
    await api.sandbox.clock.advance({ to: '2027-01-04T09:00:00.000Z' })
    const sender = await makeSender(api)
    const complete = prospects(3, '', 10).map((lead) => ({ ...lead, customVariables: { Plan: 'Gold' } }))
    const green = { email: 'green@prospects.test', company: 'Green', customVariables: { Plan: 'Gold' } }
    const eve = { email: 'eve@prospects.test', firstName: 'Eve', company: 'Eve Ltd' }
    const leads = [...complete, green, eve]
    const campaign = await makeDraft(api, { name: 'Counted', sendingAccountIds: [sender.id], steps: twoSteps, leads })
    const page = await world().page({ width: 1360 })
    await page.goto(`${url}/app/test/campaigns/${campaign.id}/review`)
    // The lead without a name gets nothing. Eve has no plan, so she gets the first message only.
    await page.getByText('4 people get mail from Mon 4 Jan, 09:00 UTC.').waitFor()
    await page.getByText('7 messages from 1 sender.').waitFor()
    const others = page.getByRole('list', { name: 'People who get no message' })
    const [left] = (await api.campaigns.preflight(campaign.id)).recipients.leftOut
    const link = others.getByRole('link', { name: 'green@prospects.test (no firstName)' })
    expect(await link.getAttribute('href')).toBe(`/app/test/campaigns/${campaign.id}/leads/${left!.leads[0]!.id}/why`)
    await page.getByRole('button', { name: 'Launch to 4' }).click()
    await page.waitForURL(/\/overview$/)
    await page.goto(`${url}/app/test/campaigns/${campaign.id}/review`)
    await page.getByRole('heading', { name: 'This campaign is already launched.' }).waitFor()
    expect(await page.getByText('already launched').count()).toBe(1)
    expect(await page.getByRole('button', { name: /^Launch/ }).count()).toBe(0)
  })

  test('a misspelt name is shown in the review, and after the launch on Home and in the overview', async () => {
    const { api, url } = world()
    const sender = await makeSender(api, 'misspelt@sender.test')
    const steps = [{ variants: [{ subject: 'Hello {{ compnay }}', body: 'How are you?' }] }]
    const facts = { name: 'Misspelt', sendingAccountIds: [sender.id], steps, leads: prospects(2, '', 30) }
    const draft = await makeDraft(api, facts)
    const page = await world().page({ width: 1360 })
    await page.goto(`${url}/app/test/campaigns/${draft.id}/review`)
    const advice = 'Step 1 uses compnay, and no lead has a value for it. Did you mean company?'
    const warning = page.getByRole('list', { name: 'Warnings' }).getByRole('listitem').filter({ hasText: advice })
    await warning.getByRole('link', { name: /^Correct the text/ }).waitFor()
    await page.getByText('No one would get a message.').waitFor()

    await makeRunning(api, { ...facts, name: 'No values' })
    await api.sandbox.clock.advance({ by: '1h' })
    await page.goto(`${url}/app/test`)
    const home = page.getByRole('list', { name: 'Needs attention' }).getByRole('listitem')
    const line = home.filter({ hasText: 'No values: 2 people get no message, because a variable has no value' })
    await line.getByRole('link', { name: 'Fix' }).click()
    await page.getByText('0 sent: 2 people have no value for compnay.').waitFor()
    await page.getByText(advice).waitFor()
    await page.getByRole('link', { name: 'Correct the text' }).waitFor()
  })

  test('Why says that nothing is sent, why, and how to change it; a suppressed lead is not shown as active', async () => {
    const { api, url } = world()
    const sender = await makeSender(api, 'why@sender.test')
    const leads = [{ email: 'green@noname.test', company: 'Green' }, ...prospects(2, '', 40)]
    const campaign = await makeRunning(api, {
      name: 'Explained',
      sendingAccountIds: [sender.id],
      steps: twoSteps,
      leads,
    })
    await api.sandbox.clock.advance({ by: '1h' })
    await api.suppressions.create({ email: 'person40@prospects.test', reason: 'manual' })
    const all = await api.campaigns.leads.list(campaign.id).toArray()
    const idOf = (email: string) => all.find((lead) => lead.email === email)!.id
    const page = await world().page({ width: 1360 })
    await page.goto(`${url}/app/test/campaigns/${campaign.id}/leads/${idOf('green@noname.test')}/why`)
    await page.getByText('Nothing is sent to green@noname.test: the first name is missing.').waitFor()
    await page.getByRole('link', { name: 'Set a fallback' }).waitFor()
    await page.getByRole('link', { name: 'Add it' }).waitFor()
    expect(await page.getByRole('button', { name: 'Send now' }).getAttribute('aria-disabled')).toBe('true')
    await page.getByText('It can’t be sent now: the first name is missing.').waitFor()
    await page.goto(`${url}/app/test/campaigns/${campaign.id}/leads/${idOf('person40@prospects.test')}/why`)
    await page.locator('header').getByText('Suppressed', { exact: true }).waitFor()
    expect(await page.locator('header').getByText('Active', { exact: true }).count()).toBe(0)
    const { byStep } = await api.campaigns.followupStatus(campaign.id)
    expect(byStep.map(({ due }) => due)).toEqual([0, 0])
    await page.goto(`${url}/app/test/campaigns/${campaign.id}/overview`)
    await page.getByText('Give 2 people the missing value, or write a fallback into the text').waitFor()
  })

  test('adding a person of another campaign asks first, and takes over the known name', async () => {
    const { api, url } = world()
    const sender = await makeSender(api, 'asks@sender.test')
    const anna = { email: 'anna@prospects.test', firstName: 'Anna', company: 'ACME' }
    await makeRunning(api, { name: 'Spring outreach', sendingAccountIds: [sender.id], leads: [anna] })
    const second = await makeDraft(api, { name: 'Second', sendingAccountIds: [sender.id] })
    const page = await world().page({ width: 1360 })
    await page.goto(`${url}/app/test/campaigns/${second.id}/leads`)
    await page.getByRole('button', { name: 'Add a lead' }).first().click()
    const dialog = page.getByRole('dialog', { name: 'Add a lead' })
    await dialog.getByLabel('Email').fill(anna.email)
    await dialog.getByRole('button', { name: 'Add', exact: true }).click()
    await dialog.getByText('Anna is in “Spring outreach” and gets messages there.').waitFor()
    expect((await api.campaigns.leads.list(second.id).page()).pagination.totalCount).toBe(0)
    await dialog.getByRole('button', { name: 'Add anyway' }).click()
    await dialog.waitFor({ state: 'detached' })
    const [added] = await api.campaigns.leads.list(second.id).toArray()
    expect([added!.firstName, added!.company]).toEqual(['Anna', 'ACME'])
  })

  test('the tracking domain of a sending account is saved, with its DNS record and a check', async () => {
    const { live, url } = world()
    const [account] = await live.sendingAccounts.list().toArray()
    const page = await world().page({ width: 1360 })
    await page.goto(`${url}/app/live/sending-accounts/${account!.id}`)
    await page.getByText('There is no warm-up here, on purpose.').waitFor()
    const panel = page.getByRole('region', { name: 'Tracking domain' })
    await panel.getByLabel('Domain for links').fill('links.example.com')
    await panel.getByRole('button', { name: 'Use this domain' }).click()
    const record = panel.getByRole('group', { name: 'DNS record of the tracking domain' })
    await record.getByRole('button', { name: 'Check again' }).waitFor()
    expect((await live.sendingAccounts.get(account!.id)).trackingDomain).toBe('links.example.com')
  })

  test('the rules for another tool in the mailbox are saved, at the width of a phone too', async () => {
    const { api, url } = world()
    const sender = await api.sendingAccounts.create({ provider: 'sandbox', email: 'shared@sender.test' })
    const page = await world().page({ width: 390 })
    await page.goto(`${url}/app/test/sending-accounts/${sender.id}`)
    const panel = page.getByRole('region', { name: 'Another tool in this mailbox' })
    await panel.getByLabel('Messages per day of the other tool').fill('12')
    await panel.getByRole('button', { name: 'Add a rule' }).click()
    await panel.getByLabel('Text of rule 1').fill('X-Tool:')
    await panel.getByRole('button', { name: 'Save the rules' }).click()
    await page.getByText('Saved', { exact: true }).waitFor()
    const saved = await api.sendingAccounts.get(sender.id)
    expect(saved).toMatchObject({ reservedPerDay: 12, ignoreMail: [{ in: 'header', contains: 'X-Tool:' }] })
  })
})
