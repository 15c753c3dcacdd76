import type { Campaign } from '@overture/sdk'
import { beforeEach, expect, test } from 'vitest'
import { makeDraft, makeRunning, makeSender, prospects } from '@overture/testing/console/campaigns.ts'
import { countClicks } from '@overture/testing/console/clicks.ts'
import { holds } from '@overture/testing/console/holds.ts'
import type { WatchedPage } from '@overture/testing/console/watched-page.ts'
import { describeConsole } from '@overture/testing/console/world.ts'

const call = { type: 'task', channel: 'call', title: 'Call {{ firstName }}' } as const
const mail = { waitBefore: { value: 0, unit: 'days' as const }, variants: [{ subject: 'Hello', body: 'Hello again' }] }

describeConsole('tasks', (world) => {
  let page: WatchedPage
  let campaign: Campaign
  beforeEach(async () => {
    page = await world().page()
  })
  const tasks = async (of: Campaign) => (await world().api.tasks.list({ campaignId: of.id }).page()).results

  test('are worked through by keys, and a note survives a reload', async () => {
    const { api, url } = world()
    const sender = await makeSender(api, 'tasks@sender.test')
    const people = ['Ada', 'Ben'].map((firstName) => ({
      email: `${firstName.toLowerCase()}.tasks@prospects.test`,
      firstName,
      mobile: '+49 30 12345',
      linkedinUrl: `https://linkedin.com/in/${firstName.toLowerCase()}`,
    }))
    const facts = { name: 'Calls', sendingAccountIds: [sender.id], leads: people, steps: [call, mail] }
    campaign = await makeRunning(api, facts)
    await holds(async () => (await tasks(campaign)).length === 2)
    await page.goto(`${url}/app/test/tasks`)
    await page.getByRole('region', { name: 'Call Ada' }).waitFor()
    expect(await page.getByRole('link', { name: '+49 30 12345' }).getAttribute('href')).toBe('tel:+49 30 12345')
    expect(await page.getByRole('link', { name: 'Open profile' }).getAttribute('href')).toBe(
      'https://linkedin.com/in/ada',
    )
    await page.getByLabel('Note').fill('Call after lunch')
    await page.reload()
    await page.getByRole('region', { name: 'Call Ada' }).waitFor()
    expect(await page.getByLabel('Note').inputValue()).toBe('Call after lunch')
    await page.getByRole('heading', { name: 'Tasks' }).click()
    await page.keyboard.press('2')
    await page.getByRole('region', { name: 'Call Ben' }).waitFor()
    await page.keyboard.press('s')
    await page.getByText('No open tasks').waitFor()
    const closed = await tasks(campaign)
    expect(closed.map(({ title, status, outcome, note }) => [title, status, outcome, note])).toEqual([
      ['Call Ada', 'done', 'no_answer', 'Call after lunch'],
      ['Call Ben', 'skipped', null, null],
    ])
  })

  test('twenty calls are logged with a key each, without a pointer', async () => {
    const { api, url } = world()
    const sender = await makeSender(api, 'twenty@sender.test')
    const leads = prospects(20, 'twenty')
    campaign = await makeRunning(api, { name: 'Twenty', sendingAccountIds: [sender.id], leads, steps: [call, mail] })
    await holds(async () => (await tasks(campaign)).length === 20)
    const clicks = await countClicks(page)
    await page.goto(`${url}/app/test/tasks`)
    const outcomes = ['connected', 'no_answer', 'voicemail', 'wrong_number', 'not_interested']
    for (let number = 0; number < 20; number++) {
      const shown = page.getByRole('region', { name: /^Call Person \d+$/ })
      const title = await shown.getByRole('heading').first().innerText()
      await page.keyboard.press(String((number % outcomes.length) + 1))
      await page.getByRole('region', { name: title, exact: true }).waitFor({ state: 'detached' })
    }
    await page.getByText('No open tasks').waitFor()
    expect(await clicks()).toBe(0)
    const logged = (await tasks(campaign)).map(({ status, outcome }) => `${status} ${outcome}`)
    expect(logged.toSorted()).toEqual(
      outcomes.flatMap((outcome) => Array<string>(4).fill(`done ${outcome}`)).toSorted(),
    )
  })

  test('are added to a sequence, and an email is set to be written by hand', async () => {
    const { api, url } = world()
    campaign = await makeDraft(api, { name: 'Sequence', sendingAccountIds: [] })
    await page.goto(`${url}/app/test/campaigns/${campaign.id}/steps`)
    await page.getByRole('button', { name: 'Add task' }).click()
    const step = page.getByRole('region', { name: 'Step 3' })
    await step.getByLabel('Title').fill('Call {{ firstName }}')
    await step.getByLabel('What to do').selectOption('LinkedIn message')
    await holds(async () => (await api.campaigns.get(campaign.id)).steps[2]?.channel === 'linkedin_message')
    const saved = (await api.campaigns.get(campaign.id)).steps[2]
    expect(saved).toMatchObject({ type: 'task', title: 'Call {{ firstName }}', blocks: true })
    await page.getByRole('region', { name: 'Step 1' }).getByRole('button').first().click()
    await page.getByRole('region', { name: 'Step 1' }).getByLabel('By hand').check()
    await holds(async () => (await api.campaigns.get(campaign.id)).steps[0]?.byHand === true)
  })

  test('without a step are created, changed and deleted, for a lead too, and filtered by user', async () => {
    const { api, url } = world()
    campaign = await makeDraft(api, { name: 'Own tasks', sendingAccountIds: [] })
    const { results } = await api.campaigns.leads.add(campaign.id, { leads: [{ email: 'own.task@prospects.test' }] })
    const leadId = results[0]!.leadId!
    await page.goto(`${url}/app/test/campaigns/${campaign.id}/leads/${leadId}/thread`)
    await page.getByRole('link', { name: 'Add task' }).click()
    const form = page.getByRole('region', { name: 'New task' })
    const hostile = '<img src=x onerror="document.title=1"> Call her'
    await form.getByLabel('Title').fill(hostile)
    await form.getByRole('button', { name: 'Save task' }).click()
    await holds(async () => (await api.tasks.list({ leadId }).page()).results.length === 1)
    const shown = page.getByRole('region', { name: hostile })
    await shown.waitFor()
    expect(await shown.locator('img').count()).toBe(0)

    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    const edit = page.getByRole('region', { name: 'Edit' })
    await edit.getByLabel('Title').fill('Call her back')
    await edit.getByLabel('Assigned to').selectOption({ index: 1 })
    await edit.getByRole('button', { name: 'Save task' }).click()
    const task = async () => (await api.tasks.list({ leadId }).page()).results[0]
    await holds(async () => (await task())?.title === 'Call her back')
    expect((await task())?.assigneeId).not.toBeNull()
    await edit.waitFor({ state: 'detached' })
    await page.getByLabel('Assigned to').selectOption('Me')
    await page.getByRole('region', { name: 'Call her back' }).waitFor()

    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
    await holds(async () => (await task()) === undefined)
  })

  test('without a step have a due time, which an edit shows and keeps', async () => {
    const { api, url } = world()
    const due = async (title: string) =>
      (await api.tasks.list().toArray()).find((task) => task.title === title)?.dueAt ?? null
    await page.goto(`${url}/app/test/tasks`)
    await page.getByRole('button', { name: 'New task' }).click()
    const form = page.getByRole('region', { name: 'New task' })
    await form.getByText('Time zone: UTC. Without a time the task is due now.').waitFor()
    await form.getByLabel('Title').fill('Ask for the offer')
    await form.getByLabel('Due').fill('2031-07-01T09:30')
    await form.getByRole('button', { name: 'Save task' }).click()
    await holds(async () => (await due('Ask for the offer')) === '2031-07-01T09:30:00.000Z')

    const shown = page.getByRole('region', { name: 'Ask for the offer' })
    await holds(async () => {
      if ((await shown.count()) > 0) return true
      await page.keyboard.press('j')
      return false
    })
    await shown.getByText(/Due .*1 Jul/).waitFor()
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    const edit = page.getByRole('region', { name: 'Edit' })
    expect(await edit.getByLabel('Due').inputValue()).toBe('2031-07-01T09:30')
    await edit.getByLabel('Due').fill('')
    await edit.getByText('Choose a date and a time.').waitFor()
    await edit.getByLabel('Due').fill('2031-07-02T16:00')
    await edit.getByRole('button', { name: 'Save task' }).click()
    await holds(async () => (await due('Ask for the offer')) === '2031-07-02T16:00:00.000Z')
  })

  test('of a step are assigned to a user', async () => {
    const { api, url } = world()
    campaign = await makeDraft(api, { name: 'Assigned', sendingAccountIds: [], steps: [call] })
    await page.goto(`${url}/app/test/campaigns/${campaign.id}/steps`)
    const step = page.getByRole('region', { name: 'Step 1' })
    if ((await step.getByLabel('Assigned to').count()) === 0) await step.getByRole('button').first().click()
    await step.getByLabel('Assigned to').selectOption({ index: 1 })
    await holds(async () => (await api.campaigns.get(campaign.id)).steps[0]?.assigneeId !== null)
  })
})
