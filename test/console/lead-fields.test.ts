import { expect, test } from 'vitest'
import { makeDraft } from '@overture/testing/console/campaigns.ts'
import { describeConsole } from '@overture/testing/console/world.ts'

describeConsole('the data of a lead', (world) => {
  async function makeLead(email: string) {
    const { api } = world()
    const campaign = await makeDraft(api, { name: `For ${email}`, sendingAccountIds: [] })
    const lead = { email, firstName: 'Grace', city: 'Arlington', customVariables: { Plan: 'pro', seats: 12 } }
    const added = await api.campaigns.leads.add(campaign.id, { leads: [lead] })
    return { campaignId: campaign.id, leadId: added.results[0]!.leadId! }
  }

  test('is seen and edited on the page of the lead, custom fields too', async () => {
    const { api, url } = world()
    const { campaignId, leadId } = await makeLead('grace@example.com')
    const page = await world().page()
    page.expectProblem(/status of 400/)
    await page.goto(`${url}/app/test/campaigns/${campaignId}/leads/${leadId}/thread`)
    const details = page.getByRole('region', { name: 'Details' })
    expect(await details.getByLabel('Email').inputValue()).toBe('grace@example.com')
    expect(await details.getByLabel('City').inputValue()).toBe('Arlington')
    expect(await details.getByLabel('Plan').inputValue()).toBe('pro')
    await details.getByLabel('Plan').fill('basic')
    await details.getByLabel('seats').fill('20')
    await details.getByLabel('Phone').fill('+1 555 0100')
    await details.getByLabel('Name of a new field').fill('team')
    await details.getByLabel('Its value').fill('EMEA')
    const zone = details.getByLabel('Time zone')
    await zone.fill('MEZ')
    await details.getByRole('button', { name: 'Save' }).click()
    await details.getByText('No time zone has this name.').waitFor()
    expect(await zone.getAttribute('aria-invalid')).toBe('true')
    await zone.fill('Europe/Berlin')
    await details.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved', { exact: true }).waitFor()
    expect(await api.campaigns.leads.get(campaignId, leadId)).toMatchObject({
      firstName: 'Grace',
      mobile: '+1 555 0100',
      timezone: 'Europe/Berlin',
      customVariables: { Plan: 'basic', seats: 20, team: 'EMEA' },
    })
    expect(await details.getByLabel('team').inputValue()).toBe('EMEA')
  })

  test('is edited on the page of the person, in every campaign', async () => {
    const { api, url } = world()
    const places = [await makeLead('joan@example.com'), await makeLead('joan@example.com')]
    const [person] = await api.leads.list({ q: 'joan@example.com' }).toArray()
    const page = await world().page()
    await page.goto(`${url}/app/test/people/${person!.id}`)
    const details = page.getByRole('region', { name: 'Details' })
    await details.getByLabel('First name').fill('Joan')
    await details.getByLabel('Country').fill('GB')
    await details.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved', { exact: true }).waitFor()
    for (const { campaignId, leadId } of places)
      expect(await api.campaigns.leads.get(campaignId, leadId)).toMatchObject({ firstName: 'Joan', country: 'GB' })
  })

  test('stays under way until the stop of the lead is confirmed', async () => {
    const { api, url } = world()
    const { campaignId, leadId } = await makeLead('mary@example.com')
    const statusOf = async () => (await api.campaigns.leads.get(campaignId, leadId)).status
    const page = await world().page()
    await page.goto(`${url}/app/test/campaigns/${campaignId}/leads/${leadId}/thread`)
    await page.getByRole('button', { name: 'Stop lead' }).click()
    const asked = page.getByRole('alertdialog', { name: 'Stop this lead?' })
    await asked.getByRole('button', { name: 'Cancel' }).click()
    await asked.waitFor({ state: 'hidden' })
    expect(await statusOf()).toBe('pending')
    await page.getByRole('button', { name: 'Stop lead' }).click()
    await asked.getByRole('button', { name: 'Stop lead' }).click()
    await page.getByText('was stopped and gets no more messages').waitFor()
    expect(await statusOf()).toBe('stopped')
  })
})
