import { expect, test } from 'vitest'
import { makeDraft, makeRunning, makeSender, prospects } from '@overture/testing/console/campaigns.ts'
import { holds } from '@overture/testing/console/holds.ts'
import { describeConsole } from '@overture/testing/console/world.ts'

describeConsole('leads from other campaigns', (world) => {
  test('are taken over by condition or branch, and link to their previous lead', async () => {
    const { api, url } = world()
    await api.sandbox.clock.set({ frozen: true })
    const sender = await makeSender(api)
    const source = await makeRunning(api, { name: 'Spring', sendingAccountIds: [sender.id], leads: prospects(2, '') })
    const target = await makeDraft(api, { name: 'Prices', sendingAccountIds: [sender.id] })
    const page = await world().page({ height: 3200 })
    page.expectProblem(/status of 400/)
    await page.goto(`${url}/app/test/campaigns/${target.id}/settings`)
    const form = page.getByRole('form', { name: 'Leads from other campaigns' })
    await form.getByLabel('Take over').selectOption({ label: 'Leads of some campaigns' })
    await form.getByLabel('Spring').check()
    await form.getByLabel('Check', { exact: true }).selectOption('field')
    await form.getByRole('button', { name: 'Save' }).click()
    // A condition on a field is no event, so the API reports an error at the question.
    await form.getByText('Use at least one of did').waitFor()
    await form.getByLabel('Check', { exact: true }).selectOption('interest')
    await form.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved').waitFor()
    const { entry } = await api.campaigns.get(target.id)
    expect(entry).toEqual({ from: [source.id], when: { interest: ['interested'] } })
    expect(await page.accessibility()).toEqual([])

    // The first message may have a wait, which stays when its text is written.
    await page.goto(`${url}/app/test/campaigns/${target.id}/steps`)
    await page.getByLabel('Wait').fill('2')
    await page.getByLabel('Subject').fill('Our prices')
    await holds(async () => {
      const [first] = (await api.campaigns.get(target.id)).steps
      return first!.waitBefore.value === 2 && first!.variants[0]!.subject === 'Our prices'
    })
    await page.getByRole('button', { name: 'Add branch' }).click()
    await page.getByLabel('A: go to').selectOption({ label: 'Campaign “Spring”' })
    await holds(async () => (await api.campaigns.get(target.id)).steps.at(-1)!.branches[0]?.goTo === source.id)

    await api.campaigns.start(target.id)
    await api.sandbox.clock.advance({ by: '1h' })
    const [lead] = await api.campaigns.leads.list(source.id, { email: 'person0@prospects.test' }).toArray()
    await page.goto(`${url}/app/test/campaigns/${source.id}/leads/${lead!.id}/why`)
    const entries = page.getByRole('list', { name: 'Campaigns that could take over this lead' })
    await entries.getByText('does not').waitFor()
    await api.campaigns.leads.update(source.id, lead!.id, { interest: 'interested' })
    await entries.getByText('takes over').waitFor()
    await page.getByText('Stopped by another campaign that took over the lead.').waitFor()
    const [taken] = await api.campaigns.leads.list(target.id).toArray()
    await page.goto(`${url}/app/test/campaigns/${target.id}/leads/${taken!.id}/why`)
    expect(taken!.originLeadId).toBe(lead!.id)
    await page.getByRole('link', { name: 'Came from another campaign' }).click()
    await page.waitForURL(`**/people/${lead!.id}`)
  })
})
